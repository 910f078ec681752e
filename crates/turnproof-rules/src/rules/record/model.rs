//! The *model* of a recorder reads the steps of a case in order. It says which lines, with which parents, must and may
//! be in the file.
//!
//! Except at a request and at a flush, the recorder chooses when it writes a line of its queue. So the model takes from
//! the answers what is in the file. It says of each line whether it may be there, and at each flush and request what
//! must be there.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::json::Value;

use crate::operation::{RecordAnswer, RecordHints, RecordStep, TeamInfo};
use crate::rules::RecordEvidence;
use crate::rules::value::{kind, list, text};

use super::lines::{ExistingRecords, WrittenLine, found, limits, lines};
use super::message::{Given, List};

/// What is expected of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// Unspecified: any uuid is right.
    Any,
    /// This uuid, or null.
    Is(Option<String>),
}

/// What decides the parent of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The messages of the list that were recorded before.
    Prefix,
    /// A hint of where the list continues.
    Hint,
    /// The new message before it.
    Next,
    /// The assistant message whose call it answers.
    Source,
    Boundary,
    Preserved,
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) uuid: String,
    /// The step whose list it was new in.
    pub(super) step: usize,
    /// How it was given, first and again, each with the step.
    pub(super) versions: Vec<(usize, Arc<Given>)>,
    pub(super) parent: Link,
    pub(super) reason: Reason,
    /// Of a boundary: the logical parents of which it may have any.
    pub(super) logical: Vec<Link>,
    /// Of a boundary: the new messages that go before it.
    pub(super) preserved: Vec<String>,
    /// The team that the caller named.
    pub(super) team: Option<TeamInfo>,
    /// The step in which it came into the file, if it did.
    pub(super) written: Option<usize>,
}

/// What a list was answered with, and what is expected.
#[derive(Clone, Debug)]
pub(super) struct Tip {
    pub(super) step: usize,
    /// The uuid that was answered.
    pub(super) found: Option<String>,
    /// The uuid that the next message chains to.
    pub(super) expected: Option<String>,
    /// Whether the list held recorded messages.
    pub(super) has_recorded: bool,
    /// Whether the caller gave a hint of where the list continues.
    pub(super) is_hinted: bool,
}

/// A step after which all that was accepted must be in the file.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    pub(super) step: usize,
    /// Whether a request follows.
    pub(super) is_request: bool,
    pub(super) entries: Vec<usize>,
}

/// What must and may stand in the file.
#[derive(Debug, Default)]
pub(super) struct Model {
    /// What was accepted, in the order of the queue.
    pub(super) entries: Vec<Entry>,
    /// What the recorder wrote, in file order; each with its entry, if it has one.
    pub(super) lines: Vec<(WrittenLine, Option<usize>)>,
    pub(super) tips: Vec<Tip>,
    pub(super) demands: Vec<Demand>,
    /// The uuids that were in the file before.
    pub(super) held: HashSet<String>,
    /// The uuids of messages that must never be written.
    pub(super) ephemeral: HashSet<String>,
    /// Whether a list held a message that must never be written.
    pub(super) has_ephemeral: bool,
    /// Whether a caller named a team.
    pub(super) has_team: bool,
    /// How often a list held a message that was recorded already.
    pub(super) given_again: usize,
    recorded: HashSet<String>,
    /// Uuids in the file for which it is unspecified whether they count as recorded.
    odd: HashSet<String>,
    /// The entry of each uuid since the last start of the process.
    current: HashMap<String, usize>,
    /// The last line written or queued.
    last: Option<Link>,
    /// What the caller says about the next list, then about the one that is gone through.
    hints: RecordHints,
}

impl Model {
    /// Plays a case; or says why it is unspecified what must be in the file.
    pub(super) fn play(case: &RecordEvidence<'_>) -> Result<Self, &'static str> {
        let lines = lines(case)?;
        let Ok(answers) = &case.answers else { return Err("there are no answers") };
        let mut model = Self::default();
        model.start(&case.before);
        model.held = model.recorded.union(&model.odd).cloned().collect();
        let mut lines = lines.into_iter().peekable();
        let asked = case.steps.iter().zip(case.lists());
        let limits = limits(&case.steps);
        for (step, (((does, list), answer), is_limited)) in asked.zip(answers).zip(limits).enumerate() {
            match does {
                RecordStep::List(_) | RecordStep::ListBeforeRequest(_) => {
                    model.given(step, list.as_ref().map_err(|why| *why)?, answer, is_limited)?;
                    model.hints = RecordHints::default();
                }
                RecordStep::OtherWriter(bytes) => model.other_writer(bytes),
                RecordStep::Hints(hints) => {
                    model.has_team |= hints.team.is_some();
                    model.hints = hints.clone();
                }
                RecordStep::Flush | RecordStep::DiskTakes(_) | RecordStep::Restart => {}
            }
            while let Some(line) = lines.next_if(|line| line.step == step) {
                model.take(line);
            }
            model.demand(step, does, answer);
            if matches!(does, RecordStep::Restart) {
                model.start(&answer.file);
            }
        }
        Ok(model)
    }

    fn start(&mut self, file: &[u8]) {
        let ExistingRecords { recorded, odd, last } = found(file);
        (self.recorded, self.odd) = (recorded, odd);
        self.current.clear();
        self.hints = RecordHints::default();
        let last = last.map_or(Link::Any, |uuid| Link::Is(Some(uuid)));
        self.last = (!file.is_empty()).then_some(last);
    }

    fn other_writer(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            let ExistingRecords { recorded, odd, .. } = found(bytes);
            self.odd.extend(recorded.into_iter().chain(odd).filter(|uuid| !self.recorded.contains(uuid)));
            self.last = Some(Link::Any);
        }
    }

    fn given(&mut self, step: usize, list: &List, answer: &RecordAnswer, is_limited: bool) -> Result<(), &'static str> {
        match (answer.tip(), list.without_uuid) {
            (Ok(_), Some(_)) => return Err("a list was accepted that should have been refused"),
            (Err(_), None) if !is_limited => return Err("a list was refused that should have been accepted"),
            (Err(_), Some(_)) => return Ok(()),
            _ => {}
        }
        self.has_ephemeral |= list.has_ephemeral;
        self.ephemeral.extend(list.ephemeral.iter().cloned());
        let (expected, has_recorded) = self.list(step, &list.messages)?;
        if let Ok(found) = answer.tip() {
            let is_hinted = self.hints.starting_parent.is_some();
            self.tips.push(Tip { step, found: found.map(str::to_owned), expected, has_recorded, is_hinted });
        }
        Ok(())
    }

    /// Reads a list; gives the tip at its end, and whether it held recorded messages.
    fn list(&mut self, step: usize, messages: &[Arc<Given>]) -> Result<(Option<String>, bool), &'static str> {
        let mut tip = self.hinted()?;
        let (mut has_recorded, mut has_new, mut comes_late) = (false, false, false);
        for message in messages {
            if self.odd.contains(&message.uuid) {
                return Err("a uuid is in the file on a line that is no whole message of this process");
            }
            if self.recorded.contains(&message.uuid) {
                has_recorded = true;
                self.give_again(step, message)?;
                comes_late |= has_new;
                if !has_new {
                    tip = Some(message.uuid.clone());
                }
                continue;
            }
            let (parent, reason) = if message.is_boundary() {
                self.queue_preserved(step, message, messages)?;
                (Link::Is(None), Reason::Boundary)
            } else {
                let is_by_prefix = comes_late || has_recorded && !has_new;
                let reason = match self.hints.starting_parent {
                    Some(_) if !has_new => Reason::Hint,
                    _ if is_by_prefix => Reason::Prefix,
                    _ => Reason::Next,
                };
                self.source_or(message, Link::Is(tip), reason)
            };
            self.queue(step, message, parent, reason);
            has_new = true;
            tip = Some(message.uuid.clone());
        }
        Ok((tip, has_recorded))
    }

    /// The recorded message after which a list continues, by the caller's hint.
    fn hinted(&self) -> Result<Option<String>, &'static str> {
        match &self.hints.starting_parent {
            Some(uuid) if self.odd.contains(uuid) => {
                Err("a hint names a line that is no whole message of this process")
            }
            hint => Ok(hint.clone().filter(|uuid| self.recorded.contains(uuid))),
        }
    }

    /// The parent that a tool result names, if that is recorded, or another one.
    fn source_or(&self, message: &Given, other: Link, reason: Reason) -> (Link, Reason) {
        match message.source() {
            Some(source) if self.recorded.contains(source) => (Link::Is(Some(source.to_owned())), Reason::Source),
            Some(source) if self.odd.contains(source) => (Link::Any, Reason::Source),
            _ => (other, reason),
        }
    }

    fn give_again(&mut self, step: usize, message: &Arc<Given>) -> Result<(), &'static str> {
        self.given_again += 1;
        let entry = self.current.get(&message.uuid).and_then(|&index| self.entries.get_mut(index));
        let Some(entry) = entry else { return Ok(()) };
        if let Some((_, first)) = entry.versions.first() {
            if kind(&first.value) != kind(&message.value) || first.is_boundary() != message.is_boundary() {
                return Err("a message is given again as one of another kind");
            }
            if first.source() != message.source() {
                entry.parent = Link::Any;
            }
            if entry.reason == Reason::Boundary {
                entry.logical.extend(own_logical_parent(message));
            }
        }
        entry.versions.push((step, Arc::clone(message)));
        Ok(())
    }

    fn queue(&mut self, step: usize, message: &Arc<Given>, parent: Link, reason: Reason) {
        let mut logical = Vec::new();
        if reason == Reason::Boundary {
            let own = own_logical_parent(message);
            let needs_last = own.as_ref().is_none_or(|own| *own == Link::Is(None));
            logical.extend(own);
            logical.extend(needs_last.then(|| self.last.clone().unwrap_or(Link::Is(None))));
        }
        let preserved = match reason {
            Reason::Boundary => self.preserved_now(step),
            _ => Vec::new(),
        };
        self.recorded.insert(message.uuid.clone());
        self.current.insert(message.uuid.clone(), self.entries.len());
        self.last = Some(Link::Is(Some(message.uuid.clone())));
        self.entries.push(Entry {
            uuid: message.uuid.clone(),
            step,
            versions: vec![(step, Arc::clone(message))],
            parent,
            reason,
            logical,
            preserved,
            team: self.hints.team.clone(),
            written: None,
        });
    }

    /// The preserved messages that have just been queued, which are the last of the queue.
    fn preserved_now(&self, step: usize) -> Vec<String> {
        let is_preserved = |entry: &&Entry| entry.step == step && entry.reason == Reason::Preserved;
        self.entries.iter().rev().take_while(is_preserved).map(|entry| entry.uuid.clone()).collect()
    }

    /// Queues the new messages of the list that a boundary preserves.
    fn queue_preserved(&mut self, step: usize, boundary: &Given, messages: &[Arc<Given>]) -> Result<(), &'static str> {
        let chosen = self.preserved(boundary, messages)?;
        let mut before = self.last.clone().unwrap_or(Link::Is(None));
        for message in chosen {
            let is_left_out = message.is_compact_summary() || message.uuid == boundary.uuid;
            if is_left_out || self.recorded.contains(&message.uuid) {
                continue;
            }
            if self.odd.contains(&message.uuid) || message.is_boundary() {
                return Err("a boundary preserves what is no message of this process");
            }
            let (parent, _) = self.source_or(message, before, Reason::Preserved);
            self.queue(step, message, parent, Reason::Preserved);
            before = Link::Is(Some(message.uuid.clone()));
        }
        Ok(())
    }

    /// The messages of the list that a boundary names, new or not.
    fn preserved<'a>(&self, boundary: &Given, messages: &'a [Arc<Given>]) -> Result<Vec<&'a Arc<Given>>, &'static str> {
        let Some(metadata) = boundary.value.get("compactMetadata") else { return Ok(Vec::new()) };
        if let Some(preserved) = metadata.get("preservedMessages").filter(|value| value.is_object()) {
            let uuids = ["uuids", "allUuids"].into_iter().flat_map(|name| list(preserved, name));
            let named: HashSet<&str> = uuids.filter_map(Value::as_str).collect();
            return Ok(messages.iter().filter(|message| named.contains(message.uuid.as_str())).collect());
        }
        let Some(segment) = metadata.get("preservedSegment").filter(|value| value.is_object()) else {
            return Ok(Vec::new());
        };
        let position = |name| {
            let uuid = text(segment, name)?;
            messages.iter().position(|message| message.uuid == uuid)
        };
        let head = match text(segment, "headUuid") {
            Some(head) if self.recorded.contains(head) => Some(0),
            _ => position("headUuid"),
        };
        match (head, position("tailUuid")) {
            (Some(head), Some(tail)) if head <= tail => Ok(messages.iter().take(tail + 1).skip(head).collect()),
            _ if messages.iter().all(|message| self.recorded.contains(&message.uuid)) => Ok(Vec::new()),
            _ => Err("a preserved segment has no head or no tail in the list"),
        }
    }

    /// A line has come into the file.
    fn take(&mut self, line: WrittenLine) {
        let is_its = |entry: &Entry| Some(entry.uuid.as_str()) == line.uuid();
        let entry = self.entries.iter().rposition(is_its);
        // The recorder may count a line that lacks only its LF as written, or not.
        if let Some(entry) = entry.and_then(|index| self.entries.get_mut(index)) {
            entry.written = entry.written.or(Some(line.step));
        }
        self.lines.push((line, entry));
    }

    /// What must be in the file now.
    fn demand(&mut self, step: usize, does: &RecordStep, answer: &RecordAnswer) {
        let is_request = matches!(does, RecordStep::ListBeforeRequest(_));
        if answer.tip().is_ok() && (is_request || matches!(does, RecordStep::Flush)) {
            let waited = |index: &usize| {
                self.entries.get(*index).is_some_and(|entry| entry.written.is_none_or(|when| when == step))
            };
            let mut entries: Vec<usize> = self.current.values().copied().filter(waited).collect();
            entries.sort_unstable();
            self.demands.push(Demand { step, is_request, entries });
        }
    }

    /// The lines of accepted messages, each with its entry.
    pub(super) fn with_entries(&self) -> impl Iterator<Item = (&WrittenLine, &Entry)> {
        self.lines.iter().filter_map(|(line, entry)| Some((line, self.entries.get((*entry)?)?)))
    }
}

/// The logical parent that a boundary itself names. Null is one that may stay as it is.
fn own_logical_parent(message: &Given) -> Option<Link> {
    match message.value.get("logicalParentUuid")? {
        Value::String(uuid) => Some(Link::Is(Some(uuid.to_string()))),
        Value::Null => Some(Link::Is(None)),
        _ => Some(Link::Any),
    }
}
