//! A *vacuous* subject does nothing for its answers: it says nothing, says the same always, gives back what it was
//! given, or refuses everything. Each is detected, in each operation.

use std::collections::BTreeMap;

use serde_json::json;
use turnproof_rules::operation::{
    Conversation, ConversationRecord, FactoryCall, Folding, Host, MadeMessage, Moment, Operation, Parsed, ParsedRecord,
    Played, RecordAnswer, RecordStep, Refusal, RepairedFile, RequestOptions, RequestText, ResponseRefusal, StreamItem,
    StreamText, UsageRow,
};
use turnproof_rules::rules::CATALOGUE;
use turnproof_suite::subject::{Outcome, Subject};
use turnproof_suite::suite::{Failure, Options, Report, run};

/// How a subject gets around answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    /// Its output is empty.
    Nothing,
    /// Its output is the same for any input.
    Same,
    /// Its output is the input.
    Echo,
    /// It refuses every input.
    Refuses,
}

const BEHAVIOURS: [Behaviour; 4] = [Behaviour::Nothing, Behaviour::Same, Behaviour::Echo, Behaviour::Refuses];

/// A vacuous subject; its other operations are not there.
struct Vacuous(Behaviour, Operation);

impl Vacuous {
    fn answer<T>(&self, operation: Operation, nothing: T, same: T, echo: T) -> Outcome<T> {
        match self.0 {
            _ if self.1 != operation => Outcome::Unsupported,
            Behaviour::Nothing => Outcome::Output(nothing),
            Behaviour::Same => Outcome::Output(same),
            Behaviour::Echo => Outcome::Output(echo),
            Behaviour::Refuses => Outcome::Rejected("no".to_owned()),
        }
    }

    /// A list of messages as the answer.
    fn list(&self, operation: Operation, messages: &str) -> Outcome<String> {
        let same = json!([user()]).to_string();
        self.answer(operation, "[]".to_owned(), same, messages.to_owned())
    }
}

const UUID: &str = "00000000-0000-4000-8000-000000000001";

/// A message that is sound in itself.
fn user() -> serde_json::Value {
    json!({"type": "user", "uuid": UUID, "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": [{"type": "text", "text": "hi"}]}})
}

fn line() -> Vec<u8> {
    format!("{}\n", user()).into_bytes()
}

impl Subject for Vacuous {
    fn name(&self) -> &str {
        "vacuous"
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let read = |bytes: &[u8]| Parsed {
            records: vec![ParsedRecord {
                start: 0,
                end: bytes.len() as u64,
                kind: Some("user".to_owned()),
                uuid: Some(UUID.to_owned()),
                written: bytes.to_vec(),
            }],
            ..Parsed::default()
        };
        self.answer(Operation::Parse, Parsed::default(), read(&line()), read(bytes))
    }

    fn normalize_api(&self, messages: &str, _: &RequestOptions) -> Outcome<RequestText> {
        let text = |turns: String| RequestText { turns, messages_after: None };
        let same = json!([{"role": "user", "content": [{"type": "text", "text": "hi"}]}]).to_string();
        self.answer(Operation::NormalizeApi, text("[]".to_owned()), text(same), text(messages.to_owned()))
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        self.list(Operation::NormalizeUi, messages)
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        self.list(Operation::ReorderUi, messages)
    }

    fn derive_uuid(&self, parent: &str, _: u64) -> Outcome<String> {
        self.answer(Operation::DeriveUuid, String::new(), UUID.to_owned(), parent.to_owned())
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        self.answer(Operation::ShortId, String::new(), "abcdef".to_owned(), uuid.to_owned())
    }

    fn record(&self, file: &[u8], _: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        let each = |file: &[u8]| steps.iter().map(|_| RecordAnswer::new(Ok(None), file.to_vec())).collect();
        self.answer(Operation::Record, Vec::new(), each(&line()), each(file))
    }

    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        let record = |bytes: &[u8]| ConversationRecord { uuid: UUID.to_owned(), bytes: bytes.to_vec() };
        let lines = file.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let echo = Conversation { records: lines.map(record).collect(), notes: Vec::new() };
        let same = Conversation { records: vec![record(&line())], notes: Vec::new() };
        self.answer(Operation::Resume, None, Some(same), Some(echo))
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        let text = |events: String| StreamText {
            live: events.clone(),
            messages: Some(events.clone()),
            events,
            ..StreamText::default()
        };
        let echo = items.iter().filter_map(|item| match item {
            StreamItem::Event(event) => Some(event.clone()),
            _ => None,
        });
        let echo = format!("[{}]", echo.collect::<Vec<_>>().join(","));
        self.answer(Operation::Accumulate, text("[]".to_owned()), text(json!([user()]).to_string()), text(echo))
    }

    fn play(&self, inputs: &str) -> Outcome<Played> {
        let log = |moments| Played { moments, whole: true, ..Played::default() };
        let yields = |value: serde_json::Value| Moment::Yielded(value.into());
        let given: Vec<serde_json::Value> = serde_json::from_str(inputs).unwrap_or_default();
        let echo = given.into_iter().map(yields).collect();
        self.answer(Operation::Play, log(Vec::new()), log(vec![yields(user())]), log(echo))
    }

    fn check_request(&self, request: &str, _: Host) -> Outcome<Vec<Refusal>> {
        let refusal = |error: &str| vec![Refusal { turn: Some(0), error: error.to_owned() }];
        self.answer(Operation::CheckRequest, Vec::new(), refusal("wrong"), refusal(request))
    }

    fn check_response(&self, response: &str) -> Outcome<Vec<ResponseRefusal>> {
        let refusal = |error: &str| vec![ResponseRefusal { event: Some(0), error: error.to_owned() }];
        self.answer(Operation::CheckResponse, Vec::new(), refusal("wrong"), refusal(response))
    }

    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        let made = |message: String| vec![MadeMessage { message, predicates: BTreeMap::new() }];
        self.answer(Operation::Make, Vec::new(), made(user().to_string()), made(call.arguments.clone()))
    }

    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        let row = |replies| UsageRow {
            session: None,
            model: None,
            sidechain: false,
            replies,
            unknown: 0,
            input_tokens: 0,
            output_tokens: 0,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
            estimated_output_tokens: None,
        };
        self.answer(Operation::Usage, Vec::new(), vec![row(1)], files.iter().map(|_| row(1)).collect())
    }

    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        let repaired = |bytes: &[u8]| RepairedFile { bytes: bytes.to_vec(), ..RepairedFile::default() };
        self.answer(Operation::Repair, repaired(b""), repaired(&line()), repaired(file))
    }

    fn fold(&self, messages: &str, _: Folding) -> Outcome<String> {
        self.list(Operation::Fold, messages)
    }

    fn unfold(&self, messages: &str) -> Outcome<String> {
        self.list(Operation::Fold, messages)
    }

    fn bridge(&self, messages: &str) -> Outcome<String> {
        self.list(Operation::Fold, messages)
    }
}

/// The run of a vacuous subject, long enough that an operation that says nothing is reported.
fn judged(behaviour: Behaviour, operation: Operation) -> Report {
    let rules = CATALOGUE.iter().copied().filter(|rule| rule.operation() == operation).collect();
    run(&Vacuous(behaviour, operation), &Options { seed: 7, cases: 300, rules, ..Options::default() }, &[], &mut |_| {})
        .unwrap()
}

/// What the report says first.
fn first(report: &Report) -> String {
    match (report.failures.first(), report.untested.first()) {
        (Some(Failure { regression, violations, .. }), _) => format!("{}: {}", regression.rule, violations[0].found),
        (None, Some(operation)) => format!("no case puts `{}` to the test", operation.name()),
        (None, None) => "nothing".to_owned(),
    }
}

#[test]
fn vacuous_subjects_are_detected_in_each_operation() {
    let all = Operation::ALL.into_iter().flat_map(|operation| BEHAVIOURS.map(|behaviour| (behaviour, operation)));
    for (behaviour, operation) in all {
        let report = judged(behaviour, operation);
        eprintln!("{} {behaviour:?}: {}", operation.name(), first(&report));
        assert!(!report.holds(), "{} {behaviour:?}", operation.name());
    }
}

#[test]
fn a_subject_that_refuses_everything_holds_no_rule_and_the_report_says_so() {
    for operation in Operation::ALL {
        let report = judged(Behaviour::Refuses, operation);
        let held = report.counts.iter().filter(|count| count.held > 0 && count.broken == 0);
        assert_eq!(held.map(|count| count.rule).collect::<Vec<_>>(), [""; 0], "{}", operation.name());
        assert!(first(&report).contains("refuses what it must not"), "{}", first(&report));
    }
}

#[test]
fn a_subject_whose_lists_and_ids_are_empty_is_reported_to_say_nothing() {
    use Operation::{DeriveUuid, Fold, Make, NormalizeApi, NormalizeUi, ReorderUi, ShortId, Usage};
    for operation in [NormalizeApi, NormalizeUi, ReorderUi, DeriveUuid, ShortId, Make, Usage, Fold] {
        let report = judged(Behaviour::Nothing, operation);
        let says_so =
            |failure: &Failure| failure.violations.iter().any(|it| it.found.to_string().contains("it says nothing"));
        assert!(report.failures.iter().any(says_so), "{}", first(&report));
    }
}
