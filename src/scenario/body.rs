//! The *body* of a record: the members that its kind has beside those of every record.

use crate::message::SUBTYPES;
use crate::message::constants::SYNTHETIC_MODEL;

use super::block::block;
use super::line::{BlockPlan, LineKind, LinePlan};
use super::pool::{ATTACHMENTS, REFUSALS, call_id, id, text};

/// The members that belong to the kind, each with its comma.
pub(super) fn body(plan: &LinePlan) -> String {
    match plan.kind {
        LineKind::User => user(plan),
        LineKind::Assistant => assistant(plan),
        LineKind::System(which) => system(plan, SUBTYPES.get(usize::from(which)).copied()),
        LineKind::Attachment => attachment(plan),
        LineKind::HookResult => hook_result(plan),
        LineKind::Progress => progress(plan),
        LineKind::Tombstone => tombstone(plan),
        LineKind::ToolUseSummary => r#""summary":"a","precedingToolUseIds":["toolu_1"],"#.into(),
        LineKind::GroupedToolUse => r#""toolName":"Bash","messages":[],"results":[],"#.into(),
        LineKind::StreamEvent => r#""event":{"type":"ping"},"#.into(),
        LineKind::StreamRequestStart => String::new(),
        LineKind::Side(_) => r#""operation":"enqueue","snapshot":{"messageId":"u1"},"#.into(),
        LineKind::Unknown | LineKind::Untyped => r#""novelty":[1,{"type":"text"}],"#.into(),
    }
}

/// Whether the line has a member of the extra's already, or one of another type.
pub(super) fn clashes(plan: &LinePlan, extra: &str) -> bool {
    let has = |name: &str| extra.contains(&format!("\"{name}\":"));
    match plan.kind {
        LineKind::User | LineKind::Assistant => false,
        LineKind::Progress | LineKind::System(_) | LineKind::HookResult => has("data") || has("toolUseID"),
        LineKind::ToolUseSummary | LineKind::Side(_) => has("summary") || has("leafUuid"),
        _ => false,
    }
}

/// How many forms a user message has.
pub(super) const USER_FORMS: u8 = 9;

/// Forms: as usual; without content; content `null`; without `message`; `message` empty; then with
/// the ids of pasted images, of several lengths.
fn user(plan: &LinePlan) -> String {
    let message =
        |rest: &str| format!("\"message\":{{\"role\":\"user\",\"content\":{}}},{rest}", content(plan));
    match plan.form {
        1 => r#""message":{"role":"user"},"#.into(),
        2 => r#""message":{"role":"user","content":null},"#.into(),
        3 => String::new(),
        4 => r#""message":{},"#.into(),
        5 => message(r#""imagePasteIds":[1],"#),
        6 => message(r#""imagePasteIds":[1,2,3],"#),
        7 => message(r#""imagePasteIds":[],"#),
        8 => message(r#""imagePasteIds":["a",null,{"id":1}],"#),
        _ => message(""),
    }
}

/// How many forms an assistant message has.
pub(super) const ASSISTANT_FORMS: u8 = 9;

/// The form of an assistant message that the client made up; its flag is another matter.
pub(super) const SYNTHETIC: u8 = 7;

/// The form of an assistant message with the words of an error, by a real model.
pub(super) const WORDS_ALONE: u8 = 8;

/// Forms: as usual; without content; content `null`; without `message`; without, with an empty and
/// with a `null` id of the reply; with the words of an error, which are the text `about`, by the
/// synthetic model and by a real one.
fn assistant(plan: &LinePlan) -> String {
    let content = match plan.form {
        1 => String::new(),
        2 => "\"content\":null,".into(),
        SYNTHETIC | WORDS_ALONE => format!("\"content\":{},", words(plan)),
        3 => return String::new(),
        _ => format!("\"content\":{},", content(plan)),
    };
    let reply = plan.reply;
    let reply_id = match plan.form {
        4 => String::new(),
        5 => "\"id\":\"\",".into(),
        6 => "\"id\":null,".into(),
        SYNTHETIC => format!("\"id\":{},", quoted(id(plan.about))),
        _ => format!("\"id\":\"msg_{reply}\","),
    };
    let model = if plan.form == SYNTHETIC { SYNTHETIC_MODEL } else { "m" };
    format!(
        concat!(
            "\"message\":{{{reply_id}\"type\":\"message\",\"role\":\"assistant\",",
            "\"model\":\"{model}\",{content}\"stop_reason\":null,\"stop_sequence\":null,",
            "\"usage\":{{\"input_tokens\":{reply},\"output_tokens\":1,\"service_tier\":null}}}},",
        ),
        reply_id = reply_id,
        model = model,
        content = content,
        reply = reply,
    )
}

/// The words of an error: a string, one block, or the words cut into two blocks.
fn words(plan: &LinePlan) -> String {
    let words = REFUSALS[usize::from(plan.about) % REFUSALS.len()];
    let one = |words: &str| format!("{{\"type\":\"text\",\"text\":{}}}", quoted(words));
    match (plan.plain, words.split_once(' ')) {
        (true, _) => quoted(words),
        (false, Some((first, rest))) if !plan.blocks.is_empty() => format!("[{},{}]", one(first), one(rest)),
        _ => format!("[{}]", one(words)),
    }
}

/// How many forms a system message has.
pub(super) const SYSTEM_FORMS: u8 = 7;

/// Forms: with content; with the text `about` as content; under the older name `message`; without
/// either; with blank content, and with `null`, beside a `message`; with the empty content.
fn system(plan: &LinePlan, subtype: Option<&str>) -> String {
    let text = || text(plan.about);
    let words = match plan.form {
        1 => format!("\"content\":{},", text()),
        2 => format!("\"message\":{},", text()),
        3 => String::new(),
        4 => format!("\"content\":\" \",\"message\":{},", text()),
        5 => format!("\"content\":null,\"message\":{},", text()),
        6 => "\"content\":\"\",".into(),
        _ => "\"content\":\"a\",".into(),
    };
    match subtype {
        Some(subtype) => {
            format!("\"subtype\":\"{subtype}\",{words}\"level\":\"info\",\"toolUseID\":\"toolu_1\",")
        }
        None => format!("{words}\"level\":\"info\","),
    }
}

/// Forms: those of the pool; beyond them `null`, and no member at all.
fn attachment(plan: &LinePlan) -> String {
    let form = usize::from(plan.form);
    match ATTACHMENTS.get(form) {
        Some(form) => {
            let filled = form.replace('$', &text(plan.about)).replace('@', call_id(plan.about));
            format!("\"attachment\":{filled},")
        }
        None if form == ATTACHMENTS.len() => "\"attachment\":null,".into(),
        None => String::new(),
    }
}

/// The events that a hook may be about, those of calls first.
const HOOK_EVENTS: [&str; 5] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart"];

/// How many of the first forms of hook results and progress are hooks of a call.
pub(super) const HOOK_FORMS: u8 = 3;

/// How many forms a hook result has.
pub(super) const HOOK_RESULT_FORMS: u8 = 8;

/// Forms: without an event; with each event; without a call; with `null` for it.
fn hook_result(plan: &LinePlan) -> String {
    match plan.form {
        form @ 1..=5 => format!(
            "\"toolUseID\":{},\"hookEvent\":\"{}\",\"hookName\":\"h\",\"content\":{},",
            quoted(call_id(plan.about)),
            HOOK_EVENTS[usize::from(form - 1)],
            text(plan.about),
        ),
        6 => r#""hookEvent":"PreToolUse","content":["a"],"#.into(),
        7 => r#""toolUseID":null,"hookEvent":"PostToolUse","#.into(),
        _ => r#""toolUseID":"toolu_1","content":"a","#.into(),
    }
}

/// How many forms progress has.
pub(super) const PROGRESS_FORMS: u8 = 10;

/// Forms: a tool's own; a hook's, with each event; a hook's without a call, and without an event; the
/// older name of `data`; nothing.
fn progress(plan: &LinePlan) -> String {
    let call = quoted(call_id(plan.about));
    match plan.form {
        form @ 1..=5 => format!(
            "\"toolUseID\":{call},\"parentToolUseID\":{call},\"data\":{{\"type\":\"hook_progress\",\
             \"hookEvent\":\"{}\",\"hookName\":\"h\"}},",
            HOOK_EVENTS[usize::from(form - 1)],
        ),
        6 => r#""data":{"type":"hook_progress","hookEvent":"PreToolUse"},"#.into(),
        7 => format!("\"toolUseID\":{call},\"data\":{{\"type\":\"hook_progress\"}},"),
        8 => format!("\"toolUseID\":{call},\"progress\":{{\"type\":\"agent_progress\"}},"),
        9 => String::new(),
        _ => r#""toolUseID":"toolu_1","parentToolUseID":"toolu_1","data":{"type":"bash_progress"},"#.into(),
    }
}

/// How many forms a tombstone has.
pub(super) const TOMBSTONE_FORMS: u8 = 6;

/// Forms: one that names nobody's id; one that withdraws the id `about`; one whose message has no
/// id, and one whose id is a number; without a message, and with `null`.
fn tombstone(plan: &LinePlan) -> String {
    match plan.form {
        1 => format!("\"message\":{{\"type\":\"assistant\",\"uuid\":{}}},", quoted(id(plan.about))),
        2 => r#""message":{"type":"assistant"},"#.into(),
        3 => r#""message":{"type":"assistant","uuid":1},"#.into(),
        4 => String::new(),
        5 => r#""message":null,"#.into(),
        _ => r#""message":{"type":"assistant","uuid":"u1"},"#.into(),
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
    let blocks: Vec<String> = plan.blocks.iter().map(|plan| block(*plan)).collect();
    format!("[{}]", blocks.join(","))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
