//! *Playing* a plan writes the transcript that it describes.

use std::fmt::Write;

use crate::message::{Entry, SERVER_TOOL_RESULTS, SIDE_KINDS, SUBTYPES};
use crate::transcript::Transcript;

use super::Scenario;
use super::line::{BlockPlan, LineKind, LinePlan, Link};
use super::pool::{EXTRAS, FLAGS, id, session, text};

impl Scenario {
    /// The transcript's bytes.
    pub fn transcript(&self) -> Vec<u8> {
        let mut lines: Vec<Vec<u8>> = Vec::with_capacity(self.lines.len());
        let mut previous = None;
        for (number, plan) in self.lines.iter().enumerate() {
            let mut line = record(plan, previous, number).into_bytes();
            line.push(b'\n');
            lines.push(line);
            previous = plan.uuid.or(previous);
        }
        for (number, plan) in self.lines.iter().enumerate() {
            for damage in &plan.damage {
                let (before, after) = lines.split_at_mut(number + 1);
                if let Some(line) = before.last_mut() {
                    damage.apply(line, after.first().map_or(&[], Vec::as_slice));
                }
            }
        }
        lines.concat()
    }

    /// The messages and events that a reader finds in the transcript, each as JSON text, in file
    /// order; what is no message, or has a known field of a wrong type, is left out.
    pub fn messages(&self) -> Vec<String> {
        let transcript = Transcript::from_bytes(self.transcript());
        let records = transcript.records().filter(|record| matches!(record.entry(), Ok(Entry::Event(_))));
        records.map(|record| String::from_utf8_lossy(record.bytes).into_owned()).collect()
    }

    /// The ids of the lines, without repetition.
    pub fn ids(&self) -> Vec<&'static str> {
        let mut ids: Vec<&'static str> = self.lines.iter().filter_map(|line| line.uuid).map(id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// One record as JSON.
fn record(plan: &LinePlan, previous: Option<u8>, number: usize) -> String {
    let mut json = String::from("{");
    match plan.parent {
        Link::Absent => {}
        Link::Null => json.push_str(r#""parentUuid":null,"#),
        Link::To(which) => add_link(&mut json, Some(which)),
        Link::Previous => add_link(&mut json, previous),
    }
    for (bit, flag) in FLAGS.iter().enumerate() {
        if plan.flags & 1 << bit != 0 {
            let value = plan.flags & 1 << (bit + FLAGS.len()) != 0;
            put(&mut json, &format!("\"{flag}\":{value},"));
        }
    }
    if plan.kind != LineKind::Untyped {
        put(&mut json, &format!("\"type\":\"{}\",", type_name(plan.kind)));
    }
    put(&mut json, &body(plan));
    for (bit, extra) in EXTRAS.iter().enumerate() {
        if plan.extras & 1 << bit != 0 && !clashes(plan, extra) {
            put(&mut json, &format!("{extra},"));
        }
    }
    if let Some(which) = plan.uuid {
        put(&mut json, &format!("\"uuid\":{},", quoted(id(which))));
    }
    put(&mut json, &format!("\"sessionId\":\"{}\",", session(plan.session)));
    put(&mut json, &format!("\"timestamp\":\"2026-01-01T00:00:{:02}.000Z\"}}", number % 60));
    json
}

fn add_link(json: &mut String, which: Option<u8>) {
    let link = which.map_or("null".to_owned(), |which| quoted(id(which)));
    put(json, &format!("\"parentUuid\":{link},"));
}

fn put(json: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = json.write_str(text);
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether the line has a member of the extra's already, or one of another type.
fn clashes(plan: &LinePlan, extra: &str) -> bool {
    let has = |name: &str| extra.contains(&format!("\"{name}\":"));
    match plan.kind {
        LineKind::User | LineKind::Assistant => false,
        LineKind::Progress | LineKind::System(_) => has("data") || has("toolUseID"),
        LineKind::ToolUseSummary | LineKind::Side(_) => has("summary") || has("leafUuid"),
        _ => false,
    }
}

fn type_name(kind: LineKind) -> &'static str {
    match kind {
        LineKind::User => "user",
        LineKind::Assistant => "assistant",
        LineKind::System(_) => "system",
        LineKind::Attachment => "attachment",
        LineKind::HookResult => "hook_result",
        LineKind::Progress => "progress",
        LineKind::ToolUseSummary => "tool_use_summary",
        LineKind::Tombstone => "tombstone",
        LineKind::GroupedToolUse => "grouped_tool_use",
        LineKind::StreamEvent => "stream_event",
        LineKind::StreamRequestStart => "stream_request_start",
        LineKind::Side(which) => SIDE_KINDS[usize::from(which) % SIDE_KINDS.len()],
        LineKind::Unknown => "a-kind-of-tomorrow",
        LineKind::Untyped => "",
    }
}

/// The members that belong to the kind, each with its comma.
fn body(plan: &LinePlan) -> String {
    match plan.kind {
        LineKind::User => format!("\"message\":{{\"role\":\"user\",\"content\":{}}},", content(plan)),
        LineKind::Assistant => format!(
            concat!(
                "\"message\":{{\"id\":\"msg_{reply}\",\"type\":\"message\",\"role\":\"assistant\",",
                "\"model\":\"m\",\"content\":{content},\"stop_reason\":null,\"stop_sequence\":null,",
                "\"usage\":{{\"input_tokens\":{reply},\"output_tokens\":1,\"service_tier\":null}}}},",
            ),
            reply = plan.reply,
            content = content(plan),
        ),
        LineKind::System(which) => match SUBTYPES.get(usize::from(which)) {
            Some(subtype) => {
                format!(
                    "\"subtype\":\"{subtype}\",\"content\":\"a\",\"level\":\"info\",\"toolUseID\":\"toolu_1\","
                )
            }
            None => "\"content\":\"a\",\"level\":\"info\",".into(),
        },
        LineKind::Attachment => "\"attachment\":{\"type\":\"todo_reminder\",\"content\":[]},".into(),
        LineKind::HookResult => "\"toolUseID\":\"toolu_1\",\"content\":\"a\",".into(),
        LineKind::Progress => {
            "\"toolUseID\":\"toolu_1\",\"parentToolUseID\":\"toolu_1\",\"data\":{\"type\":\"bash_progress\"},"
                .into()
        }
        LineKind::ToolUseSummary => "\"summary\":\"a\",\"precedingToolUseIds\":[\"toolu_1\"],".into(),
        LineKind::Tombstone => "\"message\":{\"type\":\"assistant\",\"uuid\":\"u1\"},".into(),
        LineKind::GroupedToolUse => "\"toolName\":\"Bash\",\"messages\":[],\"results\":[],".into(),
        LineKind::StreamEvent => "\"event\":{\"type\":\"ping\"},".into(),
        LineKind::StreamRequestStart => String::new(),
        LineKind::Side(_) => "\"operation\":\"enqueue\",\"snapshot\":{\"messageId\":\"u1\"},".into(),
        LineKind::Unknown | LineKind::Untyped => "\"novelty\":[1,{\"type\":\"text\"}],".into(),
    }
}

fn content(plan: &LinePlan) -> String {
    let first_text = plan.blocks.iter().find_map(|block| match block {
        BlockPlan::Text(which) => Some(text(*which)),
        _ => None,
    });
    if plan.plain {
        return first_text.unwrap_or_else(|| text(0));
    }
    let blocks: Vec<String> = plan.blocks.iter().map(|block| block_json(*block)).collect();
    format!("[{}]", blocks.join(","))
}

fn block_json(block: BlockPlan) -> String {
    match block {
        BlockPlan::Text(which) => format!("{{\"type\":\"text\",\"text\":{}}}", text(which)),
        BlockPlan::ToolUse(call) => {
            format!(
                "{{\"type\":\"tool_use\",\"id\":\"toolu_{call}\",\"name\":\"Bash\",\"input\":{{\"command\":\"a\"}}}}"
            )
        }
        BlockPlan::ToolResult(call) => {
            format!(
                "{{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_{call}\",\"content\":\"a\",\"is_error\":false}}"
            )
        }
        BlockPlan::Thinking(which) => {
            format!("{{\"type\":\"thinking\",\"thinking\":{},\"signature\":\"sig\"}}", text(which))
        }
        BlockPlan::RedactedThinking => "{\"type\":\"redacted_thinking\",\"data\":\"ZGF0YQ==\"}".into(),
        BlockPlan::ServerToolUse(call) => format!(
            "{{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_{call}\",\"name\":\"web_search\",\"input\":{{}}}}"
        ),
        BlockPlan::ServerToolResult(call) => {
            let type_name = SERVER_TOOL_RESULTS[usize::from(call) % SERVER_TOOL_RESULTS.len()];
            format!("{{\"type\":\"{type_name}\",\"tool_use_id\":\"srvtoolu_{call}\",\"content\":[]}}")
        }
        BlockPlan::Image => concat!(
            "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",",
            "\"data\":\"iVBORw0KGgo=\"}}"
        )
        .into(),
        BlockPlan::Document => concat!(
            "{\"type\":\"document\",\"title\":\"a\",\"source\":{\"type\":\"base64\",",
            "\"media_type\":\"application/pdf\",\"data\":\"JVBERi0=\"}}"
        )
        .into(),
        BlockPlan::Unknown(which) => {
            format!("{{\"type\":\"block_of_tomorrow\",\"payload\":{{\"text\":{}}}}}", text(which))
        }
    }
}
