//! An answer is *played*: pieces of bytes, pauses, and an end that may be a break.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::error::ApiError;
use crate::fault::Fault;
use crate::framing::Framing;
use crate::stream::Event;

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Beat {
    /// Bytes.
    Send(Bytes),
    /// A pause.
    Wait(Duration),
    /// The connection breaks.
    Break,
    /// Nothing more comes.
    Stall,
}

/// Before a break, what was sent has time to leave.
const BEFORE_A_BREAK: Duration = Duration::from_millis(20);

/// The beats of a stream with its faults.
pub(crate) fn stream(mut events: Vec<Event>, faults: &[Fault], framing: Framing, request: &str) -> Vec<Beat> {
    faults.iter().for_each(|fault| change(&mut events, fault));
    let pause = faults.iter().find_map(|fault| match fault {
        Fault::SlowEvents(time) => Some(Duration::from_millis(*time)),
        _ => None,
    });
    let mut beats = Vec::with_capacity(events.len());
    let mut end = None;
    for (count, event) in events.iter().enumerate() {
        end = faults.iter().find_map(|fault| ending(fault, count, framing, request));
        if end.is_some() {
            break;
        }
        beats.extend(pause.map(Beat::Wait));
        beats.push(Beat::Send(framing.bytes(event).into()));
    }
    beats.extend(end.into_iter().flatten());
    finished(beats, faults)
}

/// The beats of a message that does not stream, with its faults. What falls on an event falls on half of it.
pub(crate) fn whole(message: String, faults: &[Fault]) -> Vec<Beat> {
    let bytes = Bytes::from(message);
    let half = bytes.len() / 2;
    let end = faults.iter().find_map(|fault| match fault {
        Fault::CutEvent(_) => Some(vec![Beat::Wait(BEFORE_A_BREAK), Beat::Break]),
        Fault::EndEvent(_) => Some(Vec::new()),
        Fault::StallEvent(_) => Some(vec![Beat::Stall]),
        _ => None,
    });
    let beats = match end {
        Some(end) => std::iter::once(Beat::Send(bytes.slice(..half))).chain(end).collect(),
        None => vec![Beat::Send(bytes)],
    };
    finished(beats, faults)
}

/// What happens when so many events are sent, if it ends the stream.
fn ending(fault: &Fault, count: usize, framing: Framing, request: &str) -> Option<Vec<Beat>> {
    match fault {
        Fault::CutEvent(at) if *at == count => Some(vec![Beat::Wait(BEFORE_A_BREAK), Beat::Break]),
        Fault::EndEvent(at) if *at == count => Some(Vec::new()),
        Fault::StallEvent(at) if *at == count => Some(vec![Beat::Stall]),
        Fault::ErrorEvent(at) if *at == count => {
            Some(vec![Beat::Send(framing.error(&ApiError::overloaded(), request).into())])
        }
        _ => None,
    }
}

/// What a fault changes in the events themselves.
fn change(events: &mut Vec<Event>, fault: &Fault) {
    match fault {
        Fault::NoMessageStop => events.retain(|event| event.name != "message_stop"),
        Fault::DoubleEvent(number) => {
            if let Some(event) = number.checked_sub(1).and_then(|at| events.get(at)).cloned() {
                events.insert(*number, event);
            }
        }
        Fault::Pings => *events = events.drain(..).flat_map(|event| [Event::ping(), event]).skip(1).collect(),
        Fault::UnknownEvent => {
            let unknown = Event::new("event_of_tomorrow", r#"{"type":"event_of_tomorrow","novelty":{"a":1}}"#);
            events.insert(1.min(events.len()), unknown);
        }
        Fault::UnknownDelta => {
            let at = events.iter().position(|event| event.name == "content_block_delta");
            let delta = r#"{"type":"content_block_delta","index":0,"delta":{"type":"delta_of_tomorrow","novelty":1}}"#;
            if let Some(at) = at {
                events.insert(at + 1, Event::new("content_block_delta", delta));
            }
        }
        _ => {}
    }
}

/// The beats with what falls on bytes and on time.
fn finished(beats: Vec<Beat>, faults: &[Fault]) -> Vec<Beat> {
    let mut beats = beats;
    for fault in faults {
        match fault {
            Fault::CutByte(most) => {
                beats = first_bytes(beats, *most);
                beats.extend([Beat::Wait(BEFORE_A_BREAK), Beat::Break]);
            }
            Fault::EndByte(most) => beats = first_bytes(beats, *most),
            Fault::SlowStart(time) => beats.insert(0, Beat::Wait(Duration::from_millis(*time))),
            Fault::Split => beats = beats.into_iter().flat_map(split).collect(),
            _ => {}
        }
    }
    beats
}

/// The beats up to so many bytes.
fn first_bytes(beats: Vec<Beat>, most: usize) -> Vec<Beat> {
    let mut left = most;
    let mut kept = Vec::new();
    for beat in beats {
        let Beat::Send(bytes) = beat else {
            kept.push(beat);
            continue;
        };
        let taken = bytes.len().min(left);
        left -= taken;
        kept.push(Beat::Send(bytes.slice(..taken)));
        if taken < bytes.len() || left == 0 {
            break;
        }
    }
    kept
}

/// Bytes in pieces that tear characters.
fn split(beat: Beat) -> Vec<Beat> {
    match beat {
        Beat::Send(bytes) => bytes.chunks(3).map(|piece| Beat::Send(bytes.slice_ref(piece))).collect(),
        beat => vec![beat],
    }
}

/// The body of a response: beats, one after the other.
#[derive(Debug)]
pub(crate) struct Playing {
    beats: VecDeque<Beat>,
    pause: Option<Pin<Box<Sleep>>>,
    length: Option<u64>,
    left: Arc<AtomicBool>,
}

impl Playing {
    /// Plays beats. Whoever leaves before their end is noted in `left`. The length of bytes alone is known before.
    pub(crate) fn new(beats: Vec<Beat>, left: Arc<AtomicBool>) -> Self {
        let length = match beats.as_slice() {
            [] => Some(0),
            [Beat::Send(bytes)] => Some(bytes.len() as u64),
            _ => None,
        };
        Self { beats: beats.into(), pause: None, length, left }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        // Whoever leaves while nothing comes has heard all that there was.
        let is_left = self.beats.iter().any(|beat| matches!(beat, Beat::Send(_)));
        self.left.fetch_or(is_left, Ordering::Relaxed);
    }
}

/// The answer breaks here on purpose.
#[derive(Debug, thiserror::Error)]
#[error("the connection breaks as it was asked to")]
pub(crate) struct Broken;

impl Body for Playing {
    type Data = Bytes;
    type Error = Broken;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Broken>>> {
        loop {
            if let Some(pause) = &mut self.pause {
                match pause.as_mut().poll(context) {
                    Poll::Pending => return Poll::Pending,
                    Poll::Ready(()) => self.pause = None,
                }
            }
            match self.beats.pop_front() {
                None => return Poll::Ready(None),
                Some(Beat::Send(bytes)) if bytes.is_empty() => {}
                Some(Beat::Send(bytes)) => return Poll::Ready(Some(Ok(Frame::data(bytes)))),
                Some(Beat::Wait(time)) => self.pause = Some(Box::pin(sleep(time))),
                Some(Beat::Break) => return Poll::Ready(Some(Err(Broken))),
                Some(Beat::Stall) => {
                    self.beats.push_front(Beat::Stall);
                    return Poll::Pending;
                }
            }
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::default, SizeHint::with_exact)
    }

    fn is_end_stream(&self) -> bool {
        self.beats.is_empty() && self.pause.is_none()
    }
}
