//! `protocol`: a subject that answers anything, judged by the suite.

use std::sync::Mutex;

use arbitrary::Unstructured;

use crate::operation::{
    Conversation, Operation, Parsed, Played, RecordAnswer, RecordStep, RequestOptions, RequestText,
    StreamItem, StreamText,
};
use crate::rules::{CATALOGUE, Verdict};
use crate::scenario::{Case, Profile, Scenario};
use crate::subject::{Outcome, Subject};
use crate::suite::{Depth, Observed, Trial, observe};

use super::{Law, Target};

/// A hostile subject.
pub const PROTOCOL: Target = Target {
    name: "protocol",
    title: "whatever a subject answers, each rule says the same of it each time, and nothing of an operation that the \
            subject does not do",
    law: Law::Bytes(protocol),
    shape: None,
};

fn protocol(subject: &dyn Subject, bytes: &[u8], depth: Depth) {
    let mut choices = Unstructured::new(bytes);
    let seed = u64::from(choices.int_in_range(0..=u16::MAX).unwrap_or(0));
    let profile = Profile::ALL[(seed % 3) as usize];
    let scenario = Scenario::from_seed(1, seed / 3, profile);
    let case = Case::of(&scenario);
    // One operation an input, so that an input is small and says what it is about.
    let operation = Operation::ALL[usize::from(choices.int_in_range(0..=9_u8).unwrap_or(0))];
    let hostile = Hostile { subject, choices: Mutex::new(choices.take_rest()) };
    let observed = observe(&hostile, &case, &[operation], depth);
    let (trial, again) = (Trial::of(&observed), Trial::of(&observed));
    let is_done = is_done(&observed, operation);
    for rule in CATALOGUE.iter().filter(|rule| rule.operation() == operation) {
        let verdict = trial.judge(rule);
        assert!(verdict == again.judge(rule), "a verdict is the same each time: of {} not", rule.id);
        assert!(
            is_done || matches!(verdict, None | Some(Verdict::NotApplicable(_))),
            "nothing is said of an operation that the subject does not do: {} says {verdict:?}",
            rule.id
        );
    }
}

/// Whether the subject did the operation.
fn is_done(observed: &Observed, operation: Operation) -> bool {
    match operation {
        Operation::Parse => observed.parsed.is_some(),
        Operation::NormalizeApi => observed.api.is_some(),
        Operation::NormalizeUi => observed.ui.is_some(),
        Operation::ReorderUi => observed.reordered.is_some(),
        Operation::DeriveUuid => observed.derived.is_some(),
        Operation::ShortId => observed.shortened.is_some(),
        Operation::Record => observed.recorded.is_some(),
        Operation::Resume => observed.resumed.is_some(),
        Operation::Accumulate => observed.accumulated.is_some(),
        Operation::Play => observed.played.is_some(),
        Operation::Transcript => false,
    }
}

/// A subject whose answers are a fuzzer's: those of another one, the same spoilt, texts of the fuzzer's own, refusals.
struct Hostile<'a> {
    subject: &'a dyn Subject,
    choices: Mutex<&'a [u8]>,
}

/// What to do with an answer.
enum Spoil {
    Nothing,
    Refuse,
    NotDone,
    /// Texts become this.
    Replace(String),
    /// Of texts so many characters stay.
    Cut(usize),
    /// In texts this is put at a place.
    Insert(usize, String),
    /// Lists are turned round, numbers moved.
    Turn(u64),
}

impl Hostile<'_> {
    /// What the next bytes choose.
    fn spoil(&self) -> Spoil {
        let Ok(mut rest) = self.choices.lock() else { return Spoil::Nothing };
        let mut choices = Unstructured::new(*rest);
        let mut below = |most: u16| usize::from(choices.int_in_range(0..=most).unwrap_or(0));
        let (what, number, length) = (below(8), below(u16::MAX), below(24));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let own = text(choices.bytes(length.min(choices.len())).unwrap_or_default());
        *rest = choices.take_rest();
        match what {
            0..=2 => Spoil::Nothing,
            3 => Spoil::Refuse,
            4 => Spoil::NotDone,
            5 => Spoil::Replace(own),
            6 => Spoil::Cut(number),
            7 => Spoil::Insert(number, own),
            _ => Spoil::Turn(number as u64),
        }
    }

    /// An answer, as the next bytes say.
    fn answer<T>(&self, right: Outcome<T>, change: impl FnOnce(&mut T, &Spoil)) -> Outcome<T> {
        let spoil = self.spoil();
        match (&spoil, right) {
            (Spoil::Refuse, _) => Outcome::Rejected("no".to_owned()),
            (Spoil::NotDone, _) => Outcome::Unsupported,
            (_, Outcome::Output(mut output)) => {
                change(&mut output, &spoil);
                Outcome::Output(output)
            }
            (_, other) => other,
        }
    }
}

impl Spoil {
    fn text(&self, text: &mut String) {
        let place = |at: usize| text.char_indices().map(|(at, _)| at).nth(at % (text.len() + 1));
        match self {
            Self::Replace(own) => own.clone_into(text),
            Self::Cut(at) => {
                if let Some(at) = place(*at) {
                    text.truncate(at);
                }
            }
            Self::Insert(at, own) => {
                if let Some(at) = place(*at) {
                    text.insert_str(at, own);
                }
            }
            _ => {}
        }
    }

    fn bytes(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Replace(own) => *bytes = own.clone().into_bytes(),
            Self::Cut(at) => bytes.truncate(at % (bytes.len() + 1)),
            Self::Insert(at, own) => {
                let at = at % (bytes.len() + 1);
                bytes.splice(at..at, own.bytes());
            }
            _ => {}
        }
    }

    fn list<T: Clone>(&self, list: &mut Vec<T>) {
        match self {
            Self::Cut(at) => list.truncate(at % (list.len() + 1)),
            Self::Insert(at, _) => {
                let twice = list.get(at % list.len().max(1)).cloned();
                list.extend(twice);
            }
            Self::Turn(by) if !list.is_empty() => {
                let by = (*by % list.len() as u64) as usize;
                list.rotate_left(by);
            }
            _ => {}
        }
    }

    fn number(&self, number: &mut u64) {
        if let Self::Turn(by) = self {
            // Small steps, and some to the ends of all numbers.
            *number = if by % 7 == 0 { u64::MAX - by } else { number.wrapping_add(by % 9).wrapping_sub(4) };
        }
    }
}

impl Subject for Hostile<'_> {
    fn name(&self) -> &str {
        "hostile"
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        self.answer(self.subject.parse(bytes), |parsed, spoil| {
            spoil.list(&mut parsed.records);
            spoil.list(&mut parsed.blank);
            spoil.list(&mut parsed.rejected);
            spoil.list(&mut parsed.reports);
            if let Some(record) = parsed.records.first_mut() {
                spoil.bytes(&mut record.written);
                spoil.number(&mut record.end);
                record.uuid.iter_mut().chain(&mut record.kind).for_each(|text| spoil.text(text));
            }
            parsed.blank.iter_mut().for_each(|(start, _)| spoil.number(start));
            parsed.rejected.iter_mut().for_each(|rejected| spoil.number(&mut rejected.start));
            parsed.reports.iter_mut().for_each(|report| spoil.number(&mut report.end));
        })
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        self.answer(self.subject.normalize_api(messages, options), |request, spoil| {
            spoil.text(&mut request.turns);
            request.messages_after.iter_mut().for_each(|text| spoil.text(text));
        })
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        self.answer(self.subject.normalize_api_incremental(messages, options), |states, spoil| {
            states.iter_mut().for_each(|state| spoil.text(state));
            spoil.list(states);
        })
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        self.answer(self.subject.normalize_ui(messages), |shown, spoil| spoil.text(shown))
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        self.answer(self.subject.reorder_ui(messages), |shown, spoil| spoil.text(shown))
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        self.answer(self.subject.derive_uuid(parent, index), |id, spoil| spoil.text(id))
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        self.answer(self.subject.short_id(uuid), |id, spoil| spoil.text(id))
    }

    fn record(&self, file: &[u8], session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        self.answer(self.subject.record(file, session, steps), |answers, spoil| {
            spoil.list(answers);
            for answer in answers {
                spoil.bytes(&mut answer.file);
                answer.tip.iter_mut().flatten().for_each(|tip| spoil.text(tip));
            }
        })
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        self.answer(self.subject.resume(file), |found, spoil| {
            let Some(conversation) = found else { return };
            spoil.list(&mut conversation.records);
            spoil.list(&mut conversation.notes);
            for record in &mut conversation.records {
                spoil.text(&mut record.uuid);
                spoil.bytes(&mut record.bytes);
            }
        })
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        self.answer(self.subject.accumulate(items), |text, spoil| {
            spoil.text(&mut text.events);
            spoil.text(&mut text.live);
            text.slots.iter_mut().chain(&mut text.messages).for_each(|list| spoil.text(list));
            text.fault.iter_mut().for_each(|fault| spoil.number(&mut fault.item));
        })
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        self.answer(self.subject.play(inputs), |played, spoil| {
            spoil.list(&mut played.moments);
            spoil.bytes(&mut played.transcript);
        })
    }
}
