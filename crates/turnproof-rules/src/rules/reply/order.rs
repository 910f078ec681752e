//! *Order*: a stream begins once, opens and ends its blocks one after the other, and says why it ends before it ends.

use std::collections::HashMap;

use crate::operation::reply::{Reply, ReplyEvent};
use crate::rules::value::list;
use crate::rules::{Report, Sentence};

pub(super) fn order(reply: &Reply, report: &mut Report<'_>) {
    let Some(events) = reply.stream() else { return };
    let mut so_far = SoFar { may_be_open: reply.assembled.is_cut_short(), ..SoFar::default() };
    for event in events {
        if let Some((kind, found, expected)) = so_far.wrong(event) {
            report.add(event.place(), kind, found, expected);
        }
        so_far.take(event);
    }
    let Some(last) = events.last().filter(|_| !so_far.is_over()) else { return };
    let found: Sentence = match so_far.has_start {
        true => "the stream ends before `message_stop`".into(),
        false => "the stream ends without `message_start`".into(),
    };
    report.add(last.place(), "unfinished", found, "`message_stop`, or an error, as the last event");
}

/// A stream so far.
#[derive(Default)]
struct SoFar {
    /// Whether an event came, be it `message_start` or not.
    has_begun: bool,
    has_start: bool,
    blocks: Blocks,
    has_delta: bool,
    has_stop: bool,
    has_error: bool,
    /// Whether a block may be open at the end, since the reply was cut short.
    may_be_open: bool,
}

type Wrong = (&'static str, Sentence, Sentence);

impl SoFar {
    fn is_over(&self) -> bool {
        self.has_stop || self.has_error
    }

    fn wrong(&self, event: &ReplyEvent) -> Option<Wrong> {
        let name = event.kind();
        if !is_known(name) {
            return None;
        }
        if self.is_over() {
            let (kind, after) =
                if self.has_error { ("after-error", "an error") } else { ("after-message-stop", "`message_stop`") };
            let found = sentence!("`{name}` comes behind {after}", name, after);
            return Some((kind, found, "nothing behind the end".into()));
        }
        match name {
            "message_start" if self.has_start => {
                Some(("second-message-start", "a second `message_start`".into(), "one, before all else".into()))
            }
            "message_start" | "error" => None,
            _ if !self.has_begun => {
                let found = sentence!("`{name}` comes before `message_start`", name);
                Some(("before-message-start", found, "`message_start` as the first event".into()))
            }
            "message_delta" => self.open_at_end(name),
            "message_stop" if !self.has_delta => {
                let found = "`message_stop` without `message_delta`: no stop_reason is given";
                Some(("no-message-delta", found.into(), "`message_delta` before `message_stop`".into()))
            }
            "message_stop" => self.open_at_end(name),
            _ if self.has_delta => {
                let found = sentence!("`{name}` comes behind `message_delta`", name);
                Some(("after-message-delta", found, "all blocks before `message_delta`".into()))
            }
            _ => {
                // An index that is missing breaks `reply/shape`.
                let shown = event.value.get("index").filter(|index| index.is_number())?.to_string();
                self.blocks.wrong(name, &shown, event.index())
            }
        }
    }

    /// What is wrong with a `message_delta` or a `message_stop` while a block is open.
    fn open_at_end(&self, name: &str) -> Option<Wrong> {
        let index = self.blocks.open.filter(|_| !self.may_be_open)?;
        let found = sentence!("`{name}` comes while block {index} is open", name, index);
        Some(("block-not-stopped", found, "`content_block_stop` before the end".into()))
    }

    /// Takes an event. What is wrong is said once, so that what follows from it is not wrong again.
    fn take(&mut self, event: &ReplyEvent) {
        self.has_begun |= is_known(event.kind());
        match event.kind() {
            "message_start" if !self.has_start => {
                self.has_start = true;
                let held = event.value.get("message").map_or(0, |message| list(message, "content").len() as u64);
                let is_stopped = (0..held).map(|index| (index, true)).collect();
                self.blocks = Blocks { is_stopped, begun: held, last: None, open: None };
            }
            "message_delta" => {
                self.has_delta = true;
                self.blocks.stop_open();
            }
            "message_stop" => self.has_stop = true,
            "error" => self.has_error = true,
            name => {
                if let Some(index) = event.index() {
                    self.blocks.take(name, index);
                }
            }
        }
    }
}

/// The blocks so far, by their indexes as events have them.
#[derive(Default)]
struct Blocks {
    /// Whether each is stopped.
    is_stopped: HashMap<u64, bool>,
    /// How many began.
    begun: u64,
    last: Option<u64>,
    open: Option<u64>,
}

impl Blocks {
    fn wrong(&self, name: &str, shown: &str, index: Option<u64>) -> Option<Wrong> {
        match (name, index.and_then(|index| self.is_stopped.get(&index))) {
            ("content_block_start", _) if !self.may_begin(index) => {
                let found = sentence!("a block begins with the index {shown}", shown);
                Some(("wrong-index", found, sentence!("{count}, the number of blocks so far", count = self.begun)))
            }
            ("content_block_start", _) => {
                let open = self.open?;
                let found = sentence!("block {shown} begins while block {open} is open", shown, open);
                Some(("block-still-open", found, "`content_block_stop` before the next block".into()))
            }
            (_, None) => {
                let count = self.begun;
                let found = sentence!("`{name}` is about block {shown}, of {count} that began", name, shown, count);
                Some(("no-such-block", found, "the index of an open block".into()))
            }
            (_, Some(true)) => {
                let found = sentence!("`{name}` is about block {shown}, which is stopped", name, shown);
                Some(("block-stopped", found, "the index of an open block".into()))
            }
            (_, Some(false)) => None,
        }
    }

    /// Whether the next block may have this index: the number of blocks, or behind the last one, whose index was wrong.
    fn may_begin(&self, index: Option<u64>) -> bool {
        index.is_some() && (index == Some(self.begun) || index == self.last.map(|last| last + 1))
    }

    fn take(&mut self, name: &str, index: u64) {
        match name {
            "content_block_start" => {
                self.stop_open();
                self.is_stopped.insert(index, false);
                (self.begun, self.last, self.open) = (self.begun + 1, Some(index), Some(index));
            }
            "content_block_delta" | "content_block_stop" => {
                let is_stopped = self.is_stopped.entry(index).or_insert_with(|| {
                    self.last = Some(index);
                    false
                });
                if name == "content_block_stop" {
                    *is_stopped = true;
                    self.open = self.open.filter(|open| *open != index);
                }
            }
            _ => {}
        }
    }

    fn stop_open(&mut self) {
        if let Some(open) = self.open.take() {
            self.is_stopped.insert(open, true);
        }
    }
}

/// Whether an event has its place in the order; a `ping` may come anywhere, and what is unknown is ignored.
fn is_known(name: &str) -> bool {
    name != "ping" && crate::vocabulary::EVENT_TYPES.contains(&name)
}
