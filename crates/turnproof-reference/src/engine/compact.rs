//! *Compaction*: a boundary and a summary take the place of what came before; some messages stay.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::json::{Number, Raw, Text};
use crate::message::{
    Block, CompactMetadata, Content, Context, Entry, Event, Message, MicrocompactMetadata, PreservedMessages,
    PreservedSegment, ToolResult, Typed,
};
use crate::operation::Moment;
use crate::transcript::Transcript;

use super::error::CLEARED;
use super::input::{Compaction, Keep, Preserve};
use super::state::{Engine, Refused};

impl<C: Context> Engine<C> {
    pub(super) fn compact(&mut self, compaction: &Compaction) -> Result<(), Refused> {
        if self.list.is_empty() {
            return Err(Refused::Nothing);
        }
        match self.is_idle() {
            true => self.compact_now(compaction),
            // It waits, since it would part a call from its result.
            false => self.turn.compaction = Some(compaction.clone()),
        }
        Ok(())
    }

    /// Compacts while no call is open and no reply streams.
    pub(super) fn compact_now(&mut self, compaction: &Compaction) {
        if self.loses_what_waits(compaction.keep) {
            self.record();
        }
        let list = std::mem::take(&mut self.list);
        let kept = kept(&list, compaction.keep);
        let last = list.iter().rev().find(|event| is_written(event)).and_then(uuid).cloned();
        let summary = self.factory().compact_summary(compaction.summary.as_str(), None);
        let mut boundary = self.factory().compact_boundary(CompactMetadata::default(), last.as_ref().map(Text::as_str));
        let comes_after_summary = matches!(compaction.keep, Keep::Last(_));
        let anchor = if comes_after_summary { &summary.envelope } else { &boundary.envelope };
        let anchor = anchor.uuid.get().cloned().unwrap_or_default();
        boundary.compact_metadata = CompactMetadata {
            trigger: if compaction.is_automatic { "auto" } else { "manual" }.into(),
            pre_tokens: Number::from(tokens(&list)).into(),
            ..preserve(kept, &anchor, if is_chain(&list, kept) { compaction.preserve } else { Preserve::Messages })
        }
        .into();
        let kept = kept.to_vec();
        self.say(boundary);
        match comes_after_summary {
            true => {
                self.say(summary);
                self.list.extend(kept);
            }
            false => {
                self.list.extend(kept);
                self.say(summary);
            }
        }
        self.record();
        self.note_list(Moment::Compacted);
    }

    /// Whether a message would leave the list before the recorder has it. The recorder itself writes those that stay.
    fn loses_what_waits(&self, keep: Keep) -> bool {
        let kept: HashSet<&Text> = kept(&self.list, keep).iter().filter_map(uuid).collect();
        let mut written = self.list.iter().filter(|event| is_written(event)).filter_map(uuid);
        written.any(|uuid| !kept.contains(uuid) && !self.recorder.is_recorded(uuid))
    }

    pub(super) fn microcompact(&mut self, count: u64) -> Result<(), Refused> {
        if !self.is_idle() {
            return Err(Refused::Busy);
        }
        if count == 0 || !self.list.iter().any(has_uncleared) {
            return Err(Refused::Nothing);
        }
        // The lines on disk keep what the tools gave, so what waits is written before it is cleared.
        self.record();
        self.flush();
        let before = tokens(&self.list);
        let mut cleared: Vec<Text> = Vec::new();
        for event in &mut self.list {
            let Event::Message(Message::User(user)) = event else { continue };
            let blocks = Arc::make_mut(user).message.get_mut().and_then(|body| body.content.get_mut());
            let Some(Content::Blocks(blocks)) = blocks else { continue };
            for block in blocks {
                let Block::ToolResult(result) = block else { continue };
                if cleared.len() as u64 == count {
                    break;
                }
                if is_uncleared(result) {
                    result.content = Raw::from(CLEARED).into();
                    cleared.extend(result.tool_use_id.get().cloned());
                }
            }
        }
        let metadata = MicrocompactMetadata {
            trigger: "auto".into(),
            pre_tokens: Number::from(before).into(),
            tokens_saved: Number::from(before.saturating_sub(tokens(&self.list))).into(),
            compacted_tool_ids: cleared.into(),
            cleared_attachment_uuids: Vec::new().into(),
            ..MicrocompactMetadata::default()
        };
        let boundary = self.factory().microcompact_boundary(metadata);
        self.say(boundary);
        Ok(())
    }
}

fn is_uncleared(result: &ToolResult) -> bool {
    result.content.get().is_none_or(|content| *content != Raw::from(CLEARED))
}

/// Whether a message holds a result that can be cleared.
fn has_uncleared(event: &Event) -> bool {
    let Event::Message(Message::User(user)) = event else { return false };
    let content = user.message.get().and_then(|body| body.content.get());
    let Some(Content::Blocks(blocks)) = content else { return false };
    blocks.iter().any(|block| matches!(block, Block::ToolResult(result) if is_uncleared(result)))
}

/// Clears again what the microcompactions of a file have cleared: its lines hold the results as they came.
pub(super) fn clear_again(transcript: &Transcript, list: &mut [Event]) {
    let cleared = cleared(transcript);
    if cleared.is_empty() {
        return;
    }
    for event in list {
        let Event::Message(Message::User(user)) = event else { continue };
        let Some(uuid) = user.envelope.uuid.get().cloned() else { continue };
        let is_cleared = |result: &ToolResult| {
            result.tool_use_id.get().is_some_and(|call| cleared.contains(&(uuid.clone(), call.clone())))
        };
        let results = Message::User(Arc::clone(user));
        if !results.tool_results().any(is_cleared) {
            continue;
        }
        let blocks = Arc::make_mut(user).message.get_mut().and_then(|body| body.content.get_mut());
        let Some(Content::Blocks(blocks)) = blocks else { continue };
        for block in blocks {
            if let Block::ToolResult(result) = block
                && is_cleared(result)
            {
                result.content = Raw::from(CLEARED).into();
            }
        }
    }
}

/// The results that microcompactions have cleared: the uuid of the message, and the call. Where calls share an id, the
/// oldest result is cleared first.
fn cleared(transcript: &Transcript) -> HashSet<(Text, Text)> {
    let mut cleared = HashSet::new();
    if memchr::memmem::find(transcript.bytes(), b"microcompact_boundary").is_none() {
        return cleared;
    }
    let mut waiting: HashMap<Text, VecDeque<Text>> = HashMap::new();
    for record in transcript.records() {
        let Ok(Entry::Event(Event::Message(message))) = record.entry() else { continue };
        if message.envelope().is_sidechain.get() == Some(&true) {
            continue;
        }
        let metadata = message.as_system().and_then(|system| system.microcompact_metadata.get());
        for call in metadata.and_then(|metadata| metadata.compacted_tool_ids.get()).into_iter().flatten() {
            let oldest = waiting.get_mut(call).and_then(VecDeque::pop_front);
            cleared.extend(oldest.map(|uuid| (uuid, call.clone())));
        }
        let Some(uuid) = message.envelope().uuid.get() else { continue };
        for call in message.tool_results().filter_map(|result| result.tool_use_id.get()) {
            waiting.entry(call.clone()).or_default().push_back(uuid.clone());
        }
    }
    cleared
}

fn uuid(event: &Event) -> Option<&Text> {
    event.envelope().uuid.get()
}

fn is_written(event: &Event) -> bool {
    event.message().is_some_and(|message| message.is_chain_participant() && !message.is_virtual())
}

/// Roughly how many tokens a list has: a quarter of its characters.
fn tokens(list: &[Event]) -> u64 {
    let texts = list.iter().map(|event| event.to_json().len() as u64);
    texts.sum::<u64>() / 4
}

/// The messages that stay: those asked for, and more to keep replies in one piece and calls with their results. An
/// earlier boundary never stays.
fn kept(list: &[Event], keep: Keep) -> &[Event] {
    let after_boundary = list.iter().rposition(is_boundary).map_or(0, |at| at + 1);
    let list = &list[after_boundary..];
    let limit = |count: u64| usize::try_from(count).unwrap_or(usize::MAX).min(list.len());
    let whole = whole_cuts(list);
    match keep {
        Keep::Nothing => &[],
        Keep::Last(count) => {
            let wanted = list.len() - limit(count);
            &list[(0..=wanted).rev().find(|&at| whole[at]).unwrap_or(0)..]
        }
        Keep::First(count) => &list[..(limit(count)..=list.len()).find(|&at| whole[at]).unwrap_or(list.len())],
    }
}

fn is_boundary(event: &Event) -> bool {
    event.message().is_some_and(Message::is_compact_boundary)
}

/// Whether a cut at each place of a list, and at its end, leaves replies in one piece and calls with their results.
fn whole_cuts(list: &[Event]) -> Vec<bool> {
    // How many replies and calls begin before a place and end after it, first as steps up and down.
    let mut open = vec![0_i64; list.len() + 2];
    let mut reply_lines: HashMap<&str, usize> = HashMap::new();
    let mut calls: HashMap<&Text, usize> = HashMap::new();
    for (at, event) in list.iter().enumerate() {
        let mut span = |from: usize| {
            open[from + 1] += 1;
            open[at + 1] -= 1;
        };
        let Event::Message(message) = event else { continue };
        if let Message::Assistant(line) = message
            && let Some(last) = line.reply_id().and_then(|reply| reply_lines.insert(reply, at))
        {
            span(last);
        }
        for call in message.tool_results().filter_map(|result| result.tool_use_id.get()) {
            if let Some(&from) = calls.get(call) {
                span(from);
            }
        }
        calls.extend(message.tool_uses().filter_map(|call| Some((call.id.get()?, at))));
    }
    let mut height = 0;
    let heights = open.into_iter().take(list.len() + 1).map(|step| {
        height += step;
        height == 0
    });
    heights.collect()
}

/// Metadata of a boundary that names the messages that stay.
fn preserve(kept: &[Event], anchor: &Text, how: Preserve) -> CompactMetadata {
    let mut metadata = CompactMetadata::default();
    let written = kept.iter().filter(|event| is_written(event));
    let uuids: Vec<Text> = written.filter_map(uuid).cloned().collect();
    let (Some(head), Some(tail)) = (uuids.first().cloned(), uuids.last().cloned()) else { return metadata };
    if how != Preserve::Messages {
        metadata.preserved_segment = PreservedSegment {
            head_uuid: head.into(),
            anchor_uuid: anchor.clone().into(),
            tail_uuid: tail.into(),
            ..PreservedSegment::default()
        }
        .into();
    }
    if how != Preserve::Segment {
        metadata.preserved_messages = PreservedMessages {
            anchor_uuid: anchor.clone().into(),
            all_uuids: uuids.clone().into(),
            uuids: uuids.into(),
            ..PreservedMessages::default()
        }
        .into();
    }
    metadata
}

/// Whether the messages that stay are a chain on disk. What an earlier compaction preserved is not linked to what came
/// after it, so the two together are no chain.
fn is_chain(list: &[Event], kept: &[Event]) -> bool {
    let boundary = list.iter().rposition(is_boundary);
    let metadata = boundary.and_then(|at| list[at].message()?.as_system()?.compact_metadata.get());
    let (preserved, was_chain) = metadata.map(|metadata| preserved_by(list, metadata)).unwrap_or_default();
    let is_old = |event: &Event| uuid(event).is_some_and(|uuid| preserved.contains(uuid));
    let has_old = kept.iter().any(is_old);
    let has_new = kept.iter().any(|event| is_written(event) && !is_old(event));
    !kept.iter().filter_map(Event::message).any(Message::is_compact_summary) && !(has_old && (has_new || !was_chain))
}

/// What a boundary preserved, and whether that was a chain on disk.
fn preserved_by<'l>(list: &'l [Event], metadata: &'l CompactMetadata) -> (HashSet<&'l Text>, bool) {
    if let Some(messages) = metadata.preserved_messages.get() {
        let lists = [messages.uuids.get(), messages.all_uuids.get()];
        return (lists.into_iter().flatten().flatten().collect(), metadata.preserved_segment.is_present());
    }
    let place = |name: Option<&Text>| list.iter().position(|event| name.is_some() && uuid(event) == name);
    let segment = metadata.preserved_segment.get();
    let ends = segment.map(|segment| [&segment.head_uuid, &segment.tail_uuid].map(|name| place(name.get())));
    match ends {
        Some([Some(head), Some(tail)]) if head <= tail => (list[head..=tail].iter().filter_map(uuid).collect(), true),
        _ => (HashSet::new(), true),
    }
}
