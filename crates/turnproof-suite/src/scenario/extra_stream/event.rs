//! The *events* of an extra stream, and what happens between them.

use crate::json::{Fields, Raw};

use super::{ExtraStreamFate, ExtraStreamPlan};

/// What happens, in order.
pub(super) enum Happens {
    /// An event comes.
    Event(Fields),
    /// The stream is given up.
    Abandon,
    /// A user message joins. `$` marks the place of what it calls the message with its call.
    Joins(&'static str),
}

const RESULT: &str = r#"{"type":"user","uuid":"f1000000-0000-4000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_run","content":"done"}]},"toolUseResult":{"stdout":"done"}}"#;

const IMAGE_RESULT: &str = r#"{"type":"user","uuid":"f1000000-0000-4000-8000-000000000002","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_run","content":[{"type":"text","text":"seen"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}]}}"#;

const RESULT_AND_WORDS: &str = r#"{"type":"user","uuid":"f1000000-0000-4000-8000-000000000004","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_run","content":"done"},{"type":"text","text":"and look there"}]}}"#;

const NAMED_RESULT: &str = r#"{"type":"user","uuid":"f1000000-0000-4000-8000-000000000005","timestamp":"2026-01-01T00:00:00.000Z","sourceToolAssistantUUID":"$","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_run","content":"done"}]}}"#;

const RESULT_OF_THE_NEXT: &str = r#"{"type":"user","uuid":"f1000000-0000-4000-8000-000000000006","timestamp":"2026-01-01T00:00:00.000Z","sourceToolAssistantUUID":"$","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_run","content":"done again"}]}}"#;

const PROMPT: &str = r#"{"type":"user","uuid":"f1000000-0000-4000-8000-000000000003","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":"stop there"}}"#;

const CALL: (&str, &[&str]) = (
    r#"{"type":"tool_use","id":"toolu_run","name":"Bash","input":{}}"#,
    &[r#"{"type":"input_json_delta","partial_json":"{}"}"#],
);

/// Its input is no JSON yet.
const CUT_CALL: (&str, &[&str]) = (
    r#"{"type":"tool_use","id":"toolu_cut","name":"Bash","input":{}}"#,
    &[r#"{"type":"input_json_delta","partial_json":"{\"command\": \"l"}"#],
);

const THEN: (&str, &[&str]) = (
    r#"{"type":"text","text":""}"#,
    &[r#"{"type":"text_delta","text":"Then"}"#, r#"{"type":"text_delta","text":" more."}"#],
);

/// What happens in an extra stream.
pub(super) fn happens(plan: &ExtraStreamPlan) -> Vec<Happens> {
    let mut reply = Reply { happens: Vec::new(), next: 0 };
    reply.begin(plan, 1);
    reply.go_on(plan);
    reply.happens
}

/// What has happened so far.
struct Reply {
    happens: Vec<Happens>,
    /// The index of the next block.
    next: usize,
}

impl Reply {
    fn put(&mut self, event: &'static str, members: String) {
        let members: Fields = serde_json::from_str(&format!("{{{members}}}")).unwrap_or_default();
        let name = (crate::json::Text::from("type"), Raw::from(event));
        self.happens.push(Happens::Event(std::iter::once(name).chain(members).collect()));
    }

    fn begin(&mut self, plan: &ExtraStreamPlan, number: u64) {
        let inside = plan.start.what();
        let stop = if inside.contains("stop_reason") { "" } else { r#","stop_reason":null,"stop_sequence":null"# };
        let message = format!(
            r#""message":{{"id":"msg_flow_{number}","type":"message","role":"assistant","model":"claude-opus-4-5",{inside}{stop}}}"#
        );
        self.put("message_start", message);
        self.next = usize::from(!inside.starts_with(r#""content":[]"#));
    }

    fn start(&mut self, block: &str) -> usize {
        let index = self.next;
        self.put("content_block_start", format!(r#""index":{index},"content_block":{block}"#));
        self.next += 1;
        index
    }

    fn delta(&mut self, index: usize, delta: &str) {
        self.put("content_block_delta", format!(r#""index":{index},"delta":{delta}"#));
    }

    fn stop(&mut self, index: usize) {
        self.put("content_block_stop", format!(r#""index":{index}"#));
    }

    /// A block without its stop.
    fn open(&mut self, (start, deltas): (&str, &[&str])) -> usize {
        let index = self.start(start);
        deltas.iter().for_each(|delta| self.delta(index, delta));
        index
    }

    fn block(&mut self, block: (&str, &[&str])) {
        let index = self.open(block);
        self.stop(index);
    }

    /// A block of which something joins in the middle.
    fn block_around(&mut self, (start, deltas): (&str, &[&str]), joins: &'static str) {
        let index = self.start(start);
        let (first, others) = deltas.split_at(1);
        self.delta(index, first[0]);
        self.happens.push(Happens::Joins(joins));
        others.iter().for_each(|delta| self.delta(index, delta));
        self.stop(index);
    }

    fn late(&mut self, plan: &ExtraStreamPlan) {
        plan.end.what().iter().for_each(|members| self.put("message_delta", (*members).to_owned()));
    }

    fn end(&mut self, plan: &ExtraStreamPlan) {
        self.late(plan);
        self.put("message_stop", String::new());
    }

    /// Gives the stream up. Another one says a short text.
    fn give_up(&mut self, plan: &ExtraStreamPlan) {
        self.happens.push(Happens::Abandon);
        self.begin(plan, 2);
        self.block(THEN);
        self.end(plan);
    }

    fn error(&mut self) {
        self.put("error", r#""error":{"type":"overloaded_error","message":"Overloaded"}"#.to_owned());
    }

    /// The blocks and what follows them.
    fn go_on(&mut self, plan: &ExtraStreamPlan) {
        let first = *plan.block.what();
        if plan.fate != ExtraStreamFate::TwoOpen && plan.fate != ExtraStreamFate::OpenToTheEnd {
            self.block(first);
        }
        match plan.fate {
            ExtraStreamFate::Whole => self.end(plan),
            ExtraStreamFate::OpenToTheEnd => {
                self.open(first);
                self.end(plan);
            }
            ExtraStreamFate::NoStop => self.late(plan),
            ExtraStreamFate::CutShort => {}
            ExtraStreamFate::CutInABlock => drop(self.open(THEN)),
            ExtraStreamFate::Error => self.error(),
            ExtraStreamFate::ErrorInABlock => {
                self.open(THEN);
                self.error();
            }
            ExtraStreamFate::PingInABlock => {
                let index = self.start(THEN.0);
                self.delta(index, THEN.1[0]);
                self.put("ping", String::new());
                self.delta(index, THEN.1[1]);
                self.stop(index);
                self.end(plan);
            }
            ExtraStreamFate::ErrorThenMore => {
                self.error();
                self.block(THEN);
                self.end(plan);
            }
            ExtraStreamFate::ErrorThenReply => {
                self.error();
                self.begin(plan, 2);
                self.block(THEN);
                self.end(plan);
            }
            ExtraStreamFate::GivenUp => {
                self.end(plan);
                self.give_up(plan);
            }
            ExtraStreamFate::GivenUpInABlock => {
                self.open(THEN);
                self.give_up(plan);
            }
            ExtraStreamFate::GivenUpTwice => {
                self.happens.push(Happens::Abandon);
                self.give_up(plan);
            }
            ExtraStreamFate::TwoOpen => self.two_open(first, plan),
            ExtraStreamFate::LateDelta => self.late_delta(plan),
            ExtraStreamFate::BeginsInACall => {
                self.open(CUT_CALL);
                self.block(THEN);
                self.end(plan);
            }
            ExtraStreamFate::NamedThenGivenUp => self.named_then_given_up(plan),
            ExtraStreamFate::TheSameAgain => {
                self.block(first);
                self.end(plan);
            }
            ExtraStreamFate::AnotherReply => {
                self.end(plan);
                self.begin(plan, 2);
                self.block(THEN);
                self.end(plan);
            }
            _ => self.joined(plan),
        }
    }

    /// Somebody or a tool says something meanwhile.
    fn joined(&mut self, plan: &ExtraStreamPlan) {
        match plan.fate {
            ExtraStreamFate::Spoken | ExtraStreamFate::SpokenThenGivenUp => self.block_around(THEN, PROMPT),
            ExtraStreamFate::AnsweredWithImage => {
                self.block(CALL);
                self.block_around(THEN, IMAGE_RESULT);
            }
            ExtraStreamFate::AnsweredInWordsThenGivenUp => {
                self.block(CALL);
                self.happens.push(Happens::Joins(RESULT_AND_WORDS));
                self.block(THEN);
            }
            _ => {
                self.block(CALL);
                self.happens.push(Happens::Joins(RESULT));
                self.block(THEN);
            }
        }
        match plan.fate {
            ExtraStreamFate::AnsweredThenGivenUp
            | ExtraStreamFate::AnsweredInWordsThenGivenUp
            | ExtraStreamFate::SpokenThenGivenUp => self.give_up(plan),
            _ => self.end(plan),
        }
    }

    /// The second block starts before the first one has stopped, and their deltas take turns.
    fn two_open(&mut self, (start, deltas): (&str, &[&str]), plan: &ExtraStreamPlan) {
        let one = self.start(start);
        let two = self.start(THEN.0);
        deltas.iter().for_each(|delta| self.delta(one, delta));
        THEN.1.iter().for_each(|delta| self.delta(two, delta));
        self.stop(one);
        self.stop(two);
        self.end(plan);
    }

    /// Two tries call with one id, and each call has its result.
    fn named_then_given_up(&mut self, plan: &ExtraStreamPlan) {
        self.block(CALL);
        self.happens.push(Happens::Joins(NAMED_RESULT));
        self.block(THEN);
        self.happens.push(Happens::Abandon);
        self.begin(plan, 2);
        self.block(CALL);
        self.happens.push(Happens::Joins(RESULT_OF_THE_NEXT));
        self.block(THEN);
        self.end(plan);
    }

    fn late_delta(&mut self, plan: &ExtraStreamPlan) {
        let two = self.start(THEN.0);
        self.delta(two, THEN.1[0]);
        self.delta(two - 1, r#"{"type":"text_delta","text":"too late"}"#);
        self.delta(two, THEN.1[1]);
        self.stop(two);
        self.end(plan);
    }
}
