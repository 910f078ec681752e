use turnproof::operation::{
    Conversation, FactoryCall, Folding, Host, MadeMessage, Parsed, ParsedRecord, Played, RecordAnswer, RecordStep,
    Refusal, Rejected, RepairedFile, RequestOptions, RequestText, ResponseRefusal, StreamItem, StreamText, UsageRow,
};
use turnproof::subject::{Outcome, Subject};

/// Your pipeline. Keep the methods that it does, and put a call of your code into each. What it refuses by an error that
/// its users see is `Outcome::Rejected`, and what it does not do is `Outcome::Unsupported`.
pub(crate) struct Mine;

impl Subject for Mine {
    fn name(&self) -> &str {
        "mine"
    }

    /// A file to its records. This one reads lines, and has no names for damage (no `reports`).
    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let mut parsed = Parsed { reports: None, ..Parsed::default() };
        let mut start = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (end, next) = (start + line.trim_ascii_end().len() as u64, start + line.len() as u64);
            match line.starts_with(b"{") && line.trim_ascii_end().ends_with(b"}") {
                true => parsed.records.push(ParsedRecord {
                    start,
                    end,
                    // Its `type` and `uuid`, where they are strings, and the record as you write it back.
                    kind: None,
                    uuid: None,
                    written: line.trim_ascii_end().to_vec(),
                }),
                false if end > start => parsed.rejected.push(Rejected { start, end, reason: String::new() }),
                false => {}
            }
            if next > end {
                parsed.blank.push((end, next));
            }
            start = next;
        }
        Outcome::Output(parsed)
    }

    /// Messages, a JSON array, to the turns of a request, a JSON array. `options.context` goes before the first message.
    fn normalize_api(&self, messages: &str, _options: &RequestOptions) -> Outcome<RequestText> {
        let turns = if messages == "[]" { "[]" } else { r#"[{"role":"user","content":"hello"}]"# };
        // The messages after the call, if your code could change them: `Some(…)`.
        Outcome::Output(RequestText { turns: turns.to_owned(), messages_after: None })
    }

    /// The same with a kept state: the turns after each of the messages. Without such a thing, leave it out.
    fn normalize_api_incremental(&self, _messages: &str, _options: &RequestOptions) -> Outcome<Vec<String>> {
        Outcome::Output(Vec::new())
    }

    /// Messages to what a UI shows: a JSON array in, another one out.
    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        Outcome::Output(messages.to_owned())
    }

    /// Messages in the order in which a UI shows them.
    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        Outcome::Output(messages.to_owned())
    }

    /// The id of the block at `index` of a message.
    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        match (parent.get(..24), index < 1 << 48) {
            (Some(head), true) => Outcome::Output(format!("{head}{index:012x}")),
            _ => Outcome::Rejected("no such id".to_owned()),
        }
    }

    /// The short form of an id.
    fn short_id(&self, uuid: &str) -> Outcome<String> {
        Outcome::Output(uuid.chars().take(6).collect())
    }

    /// Records a session: goes on with a file, and gives it after each step, with the id that the next message hangs on.
    fn record(&self, file: &[u8], _session: &str, steps: &[RecordStep]) -> Outcome<Vec<RecordAnswer>> {
        let mut file = file.to_vec();
        let mut take = |step: &RecordStep| {
            if let RecordStep::OtherWriter(bytes) = step {
                file.extend(bytes);
            }
            RecordAnswer::new(Ok(None), file.clone())
        };
        Outcome::Output(steps.iter().map(&mut take).collect())
    }

    /// The conversation that a user gets back from a file; `None` when there is none.
    fn resume(&self, file: &[u8]) -> Outcome<Option<Conversation>> {
        Outcome::Output((!file.is_empty()).then(|| Conversation { records: Vec::new(), notes: Vec::new() }))
    }

    /// A model's stream to messages: JSON arrays, as text.
    fn accumulate(&self, _items: &[StreamItem]) -> Outcome<StreamText> {
        let none = || "[]".to_owned();
        // What you have not is `None`: places of what was withdrawn, whole messages, the first fault.
        Outcome::Output(StreamText { events: none(), live: none(), slots: None, messages: None, fault: None })
    }

    /// What people, model, tools and disk do, a JSON array, to the log of a loop.
    fn play(&self, _inputs: &str) -> Outcome<Played> {
        Outcome::Output(Played { moments: Vec::new(), transcript: Vec::new(), whole: false, ..Played::default() })
    }

    /// A request and a host to what is wrong; nothing when it is legal.
    fn check_request(&self, request: &str, _host: Host) -> Outcome<Vec<Refusal>> {
        let wrong = Refusal { turn: None, error: "messages: at least one message is required".to_owned() };
        Outcome::Output(if request == "[]" { vec![wrong] } else { Vec::new() })
    }

    /// A reply as it was sent, a stream of events or JSON, to what is wrong; nothing when it is legal.
    fn check_response(&self, response: &str) -> Outcome<Vec<ResponseRefusal>> {
        let wrong = ResponseRefusal { event: None, error: "there is nothing in it".to_owned() };
        Outcome::Output(if response.is_empty() { vec![wrong] } else { Vec::new() })
    }

    /// The call of a factory to its message. A factory that you do not have is `Unsupported`.
    fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
        let message = match call.factory.as_str() {
            "user" => format!(r#"{{"type":"user","message":{}}}"#, call.arguments),
            _ => return Outcome::Unsupported,
        };
        // What your predicates say of it, by the names of SPEC 2.1.3.
        let predicates = [("is_human_turn".to_owned(), true)].into();
        Outcome::Output(vec![MadeMessage { message, predicates }])
    }

    /// Files to what their replies cost: a row for each session, model and sort of conversation.
    fn usage(&self, files: &[Vec<u8>]) -> Outcome<Vec<UsageRow>> {
        let row = |_: &Vec<u8>| UsageRow { session: None, replies: 0, ..UsageRow::default() };
        Outcome::Output(files.iter().map(row).collect())
    }

    /// A damaged transcript to a repaired one. What you do not tell is `None`: what was changed, what was removed.
    fn repair(&self, file: &[u8]) -> Outcome<RepairedFile> {
        Outcome::Output(RepairedFile { bytes: file.to_vec(), changes: None, removed: None })
    }

    /// Messages with runs of calls in groups.
    fn fold(&self, messages: &str, folding: Folding) -> Outcome<String> {
        match folding {
            Folding::Group | Folding::Collapse => Outcome::Output(messages.to_owned()),
        }
    }

    /// What `fold` gave, as it was before.
    fn unfold(&self, messages: &str) -> Outcome<String> {
        Outcome::Output(messages.to_owned())
    }

    /// What another UI gets of messages.
    fn bridge(&self, messages: &str) -> Outcome<String> {
        Outcome::Output(messages.to_owned())
    }
}
