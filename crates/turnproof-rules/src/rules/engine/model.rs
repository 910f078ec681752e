//! A *model* of the loop: from the inputs it says what must be yielded. It is plain and knows no times, no ids and no
//! words that a loop may choose itself.
//!
//! Of the log it takes only what a resume or a fork has brought back. Where it cannot know how the log continues, such
//! as after a failure of the disk, it ends; nothing is asked of what comes later.

mod back;
mod expected;
mod reply;

pub(super) use self::expected::{Answer, Expected, Hook, Late, ReplyLine, Says};

use std::collections::{HashSet, VecDeque};

use crate::json::Value;

use self::back::Back;
use self::reply::Reply;
use super::error::kind_of_error;
use crate::operation::Moment;
use crate::rules::make::unanswered;
use crate::rules::value::{is_true, kind, text};
use crate::vocabulary::{API_ERROR, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT};

/// How often a reply is made to go on, and a request is sent again where no notice says how often.
const MOST: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    Streaming,
    Tools,
    Dead,
}

#[derive(Clone, Debug)]
struct Call<'a> {
    id: &'a str,
    tool: &'a str,
    line: Option<usize>,
}

/// The loop as the model knows it.
pub(super) struct Model<'a> {
    pub(super) expected: Vec<Expected<'a>>,
    /// Whether the model went to the end.
    pub(super) is_whole: bool,
    back: Back<'a>,
    phase: Phase,
    queue: VecDeque<&'a Value>,
    beside: Vec<&'a Value>,
    calls: Vec<Call<'a>>,
    answered: Vec<&'a str>,
    is_stopped: bool,
    compaction: Option<&'a Value>,
    retries: u64,
    most_retries: u64,
    continuations: u64,
    reply: Reply<'a>,
    has_messages: bool,
    /// Whether another process wrote to the file.
    is_other_writers: bool,
}

/// The model cannot know how the log continues.
struct Unknown;

impl<'a> Model<'a> {
    /// What must be yielded when these things happen.
    pub(super) fn play(inputs: &'a [Value], moments: &'a [Moment]) -> Self {
        let mut model = Self {
            expected: Vec::new(),
            is_whole: false,
            back: Back::of(moments),
            phase: Phase::Idle,
            queue: VecDeque::new(),
            beside: Vec::new(),
            calls: Vec::new(),
            answered: Vec::new(),
            is_stopped: false,
            compaction: None,
            retries: 0,
            most_retries: moments.iter().find_map(limit).unwrap_or(MOST),
            continuations: 0,
            reply: Reply::default(),
            has_messages: false,
            is_other_writers: false,
        };
        // At the first input of which it does not know what comes, the model ends.
        let mut later = inputs;
        model.is_whole = inputs.iter().all(|input| {
            later = &later[1..];
            model.take(input, later).is_ok()
        });
        model
    }

    /// Takes an input; `later` are those after it.
    fn take(&mut self, input: &'a Value, later: &[Value]) -> Result<(), Unknown> {
        let (name, given) = named(input).ok_or(Unknown)?;
        if name != "stream" {
            self.reply.is_alone = false;
        }
        self.is_other_writers |= name == "other_writer";
        if self.phase == Phase::Dead && !matches!(name, "resume" | "disk" | "other_writer") {
            return Ok(());
        }
        match name {
            "type" => self.typed(given),
            "meta" => self.beside.push(given),
            "attach" => self.say(Expected::Attachment(given)),
            "command" => self.say(Expected::Command(given.as_str().ok_or(Unknown)?)),
            "notice" => self.say(Expected::Notice(member(given, "subtype")?, member(given, "text")?)),
            "speculate" if self.phase == Phase::Idle => {
                self.say(Expected::Virtual(member(given, "prompt")?, "user"));
                self.say(Expected::Virtual(member(given, "answer")?, "assistant"));
            }
            "speculate" | "summary" | "microcompact" | "side" | "wait" => {}
            "stream" => return self.streamed(given),
            "break" => self.fail(true),
            "fail" => {
                let may_pass = ["overloaded", "rate_limited", "server", "connection", "timeout"];
                self.fail(given.as_str().is_some_and(|failure| may_pass.contains(&failure)));
            }
            "fallback" => self.fall_back(),
            "progress" | "subagent" => self.progress(name, given)?,
            "hook" => self.hook(given)?,
            "result" => self.result(given)?,
            "deny" => self.deny(given)?,
            "interrupt" => self.interrupt(),
            "compact" => self.compact(given),
            "crash" => self.forget(Phase::Dead),
            "resume" => self.resume()?,
            "fork" => self.fork(later)?,
            // What the disk does not take, and what others write, is not foreseen.
            "disk" if given.is_null() => {}
            _ => return Err(Unknown),
        }
        Ok(())
    }

    fn say(&mut self, expected: Expected<'a>) {
        self.has_messages = true;
        self.expected.push(expected);
    }

    fn typed(&mut self, content: &'a Value) {
        self.back.typed += 1;
        self.queue.push_back(content);
        if self.phase == Phase::Idle {
            self.begin_turn();
        }
    }

    fn begin_turn(&mut self) {
        if !self.queue.is_empty() {
            self.join();
            self.request();
        }
    }

    fn join(&mut self) {
        while let Some(content) = self.queue.pop_front() {
            self.say(Expected::Prompt(content));
            for content in std::mem::take(&mut self.beside) {
                self.say(Expected::Meta(Some(content)));
            }
        }
    }

    fn request(&mut self) {
        self.retries = 0;
        if let Some(compaction) = self.compaction.take() {
            self.compact_now(compaction);
        }
        self.send();
    }

    fn send(&mut self) {
        self.expected.push(Expected::Start);
        self.answered.clear();
        self.is_stopped = false;
        self.phase = Phase::Streaming;
        self.reply = Reply::default();
    }

    fn end_turn(&mut self) {
        self.phase = Phase::Idle;
        self.calls.clear();
        self.continuations = 0;
        self.is_stopped = false;
        if let Some(compaction) = self.compaction.take() {
            self.compact_now(compaction);
        }
        self.begin_turn();
    }

    fn streamed(&mut self, event: &'a Value) -> Result<(), Unknown> {
        if self.phase != Phase::Streaming {
            return Ok(());
        }
        self.expected.push(Expected::Event(event));
        if kind(event) == "error" {
            let kind = event.get("error").and_then(|error| text(error, "type")).and_then(kind_of_error);
            self.fail(["rate_limit", "server_error"].contains(&kind.ok_or(Unknown)?));
            return Ok(());
        }
        let is_over = kind(event) == "message_stop";
        for line in self.reply.take(event).ok_or(Unknown)? {
            let at = self.expected.len();
            self.reply.lines.push(at);
            if let Some((id, tool)) = line.call.filter(|(id, _)| !self.is_known(id)) {
                self.calls.push(Call { id, tool, line: Some(at) });
            }
            self.say(Expected::Line(line));
        }
        if is_over {
            self.reply_ended();
        }
        Ok(())
    }

    fn is_known(&self, call: &str) -> bool {
        self.calls.iter().any(|open| open.id == call) || self.answered.contains(&call)
    }

    fn reply_ended(&mut self) {
        if let (Some(&last), Some(mut late)) = (self.reply.lines.last(), self.reply.late)
            && let Some(Expected::Line(line)) = self.expected.get_mut(last)
        {
            late.is_in_time = self.reply.is_alone;
            line.late = Some(late);
        }
        let is_cut = self.reply.late.and_then(|late| late.stop_reason) == Some("max_tokens");
        self.phase = Phase::Tools;
        if !self.calls.is_empty() || !self.answered.is_empty() {
            if is_cut {
                self.answer_cut_call();
            }
            return self.go_on();
        }
        if is_cut && self.queue.is_empty() {
            if self.continuations == MOST {
                self.say(Expected::Error);
                return self.end_turn();
            }
            self.continuations += 1;
            self.say(Expected::Meta(None));
            return self.request();
        }
        self.end_turn();
    }

    /// The last call of a reply that was cut is answered, and does not run.
    fn answer_cut_call(&mut self) {
        let last = self.reply.lines.last().and_then(|&last| self.expected.get(last));
        let Some(Expected::Line(ReplyLine { call: Some((id, _)), .. })) = last else { return };
        if let Some(at) = self.calls.iter().position(|call| call.id == *id) {
            self.answer(at, Says::Failure);
        }
    }

    fn answer(&mut self, at: usize, says: Says<'a>) {
        let call = self.calls.remove(at);
        self.answered.push(call.id);
        self.say(Expected::Result(Answer { call: call.id, line: call.line, says }));
    }

    fn answer_all(&mut self, says: &Says<'a>) {
        while !self.calls.is_empty() {
            self.answer(0, says.clone());
        }
    }

    fn go_on(&mut self) {
        if self.phase != Phase::Tools {
            return;
        }
        if self.is_stopped {
            self.answer_all(&Says::Words(CANCEL));
            self.say(Expected::Interruption(INTERRUPTION_FOR_TOOL_USE));
            return self.end_turn();
        }
        if self.calls.is_empty() {
            self.join();
            self.request();
        }
    }

    fn fail(&mut self, may_pass: bool) {
        if self.phase != Phase::Streaming {
            return;
        }
        if may_pass && self.retries < self.most_retries {
            self.withdraw();
            self.retries += 1;
            self.say(Expected::Retry(self.retries));
            return self.send();
        }
        self.answer_all(&Says::Words(MISSING_TOOL_RESULT));
        self.say(Expected::Error);
        self.end_turn();
    }

    fn fall_back(&mut self) {
        if self.phase == Phase::Streaming {
            self.withdraw();
            self.retries = 0;
            self.send();
        }
    }

    /// Withdraws the lines of the reply.
    fn withdraw(&mut self) {
        let lines = std::mem::take(&mut self.reply.lines);
        let call = |&at: &usize| match self.expected.get(at) {
            Some(Expected::Line(line)) => line.call.map(|(id, _)| id),
            _ => None,
        };
        let calls: HashSet<&str> = lines.iter().filter_map(call).collect();
        self.expected.extend(lines.iter().map(|&line| Expected::Tombstone(line)));
        self.calls.retain(|call| !calls.contains(call.id));
        self.answered.retain(|call| !calls.contains(call));
    }

    fn position(&self, given: &Value) -> Option<usize> {
        let id = text(given, "call")?;
        self.calls.iter().position(|call| call.id == id)
    }

    fn progress(&mut self, name: &str, given: &'a Value) -> Result<(), Unknown> {
        if self.position(given).is_some() {
            let times = if name == "subagent" { 2 } else { 1 };
            for _ in 0..times {
                self.say(Expected::Progress(member(given, "call")?));
            }
        }
        Ok(())
    }

    fn hook(&mut self, hook: &'a Value) -> Result<(), Unknown> {
        let call = text(hook, "call");
        if call.is_some_and(|call| !self.is_known(call)) {
            return Ok(());
        }
        let run = Hook { event: member(hook, "event")?, call };
        self.say(match member(hook, "outcome")? {
            "progress" => Expected::Progress(call.unwrap_or_default()),
            "success" | "context" | "error" => Expected::Hook("attachment", run),
            "result" => Expected::Hook("hook_result", run),
            "stop_summary" => Expected::Hook("system", run),
            _ => return Err(Unknown),
        });
        Ok(())
    }

    fn result(&mut self, given: &'a Value) -> Result<(), Unknown> {
        if let Some(at) = self.position(given) {
            self.answer(at, Says::Tool(given));
            self.go_on();
        }
        Ok(())
    }

    fn deny(&mut self, given: &'a Value) -> Result<(), Unknown> {
        let denial = given.get("denial").ok_or(Unknown)?;
        if let Some(at) = self.position(given) {
            let tool = self.calls[at].tool;
            self.answer(at, Says::Denial(denial, tool));
            self.is_stopped |= matches!(denial.as_str(), Some("user" | "cancel"));
            self.go_on();
        }
        Ok(())
    }

    fn interrupt(&mut self) {
        if self.phase == Phase::Idle {
            return;
        }
        let notice = if self.calls.is_empty() { INTERRUPTION } else { INTERRUPTION_FOR_TOOL_USE };
        self.answer_all(&Says::Words(INTERRUPTION_FOR_TOOL_USE));
        self.say(Expected::Interruption(notice));
        self.end_turn();
    }

    fn compact(&mut self, compaction: &'a Value) {
        if !self.has_messages {
            return;
        }
        match self.phase {
            Phase::Idle => self.compact_now(compaction),
            _ => self.compaction = Some(compaction),
        }
    }

    fn compact_now(&mut self, compaction: &'a Value) {
        self.say(Expected::Boundary(is_true(compaction, "is_automatic")));
        self.say(Expected::Summary);
    }

    fn forget(&mut self, phase: Phase) {
        self.phase = phase;
        self.queue.clear();
        self.beside.clear();
        self.calls.clear();
        self.answered.clear();
        self.is_stopped = false;
        self.compaction = None;
        self.has_messages = false;
    }

    fn resume(&mut self) -> Result<(), Unknown> {
        if !matches!(self.phase, Phase::Dead | Phase::Idle) {
            return Ok(());
        }
        let list = self.back.resumed().ok_or(Unknown)?;
        self.come_back(list);
        Ok(())
    }

    /// A fork of nothing is refused: before anything was said, and where nothing came back.
    fn fork(&mut self, later: &[Value]) -> Result<(), Unknown> {
        let is_of_nothing =
            !self.is_other_writers && self.expected.iter().all(|said| matches!(said, Expected::Virtual(..)));
        if self.phase != Phase::Idle || is_of_nothing {
            return Ok(());
        }
        match self.back.forked(later)? {
            Some(list) => self.come_back(list),
            None if self.has_messages && self.back.is_used_up() => return Err(Unknown),
            None => {}
        }
        Ok(())
    }

    fn come_back(&mut self, list: &'a [Value]) {
        self.forget(Phase::Idle);
        self.has_messages = !list.is_empty();
        for (call, _) in unanswered(list) {
            self.say(Expected::Result(Answer { call, line: None, says: Says::Words(MISSING_TOOL_RESULT) }));
        }
    }
}

/// The result of a call that the user did not want any more.
pub(super) const CANCEL: &str = "The user doesn't want to take this action right now. STOP what you are doing and wait \
                                 for the user to tell you how to proceed.";

/// How often a request is sent again, as the notice of an error says.
fn limit(moment: &Moment) -> Option<u64> {
    match moment {
        Moment::Yielded(notice) if text(&notice.value, "subtype") == Some(API_ERROR) => {
            notice.value.get("maxRetries")?.as_u64()
        }
        _ => None,
    }
}

/// The name of an input, and what it has.
fn named(input: &Value) -> Option<(&str, &Value)> {
    match input {
        Value::String(name) => Some((name, &Value::Null)),
        Value::Object(members) => members.iter().next().map(|(name, given)| (name.as_str(), given)),
        _ => None,
    }
}

fn member<'a>(given: &'a Value, name: &str) -> Result<&'a str, Unknown> {
    text(given, name).ok_or(Unknown)
}
