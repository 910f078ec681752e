//! *Records* of a transcript as JSON: the members that all have, those of their kind, and the blocks of their content.

use crate::message::SERVER_RESULTS;

use super::pool::{Extra, Refusal, SideKind, call_id, id, quoted, server_call_id, session};
use super::{BlockPlan, Choice, Form, Large, LineKind, LinePlan, Link, Scenario, forms, large};

forms! {
    /// Members of a user message, by its content.
    UserForm {
        Usual r#""message":{"role":"user","content":$},"#
        WithoutContent r#""message":{"role":"user"},"#
        NullContent r#""message":{"role":"user","content":null},"#
        WithoutMessage ""
        EmptyMessage r#""message":{},"#
        OnePaste r#""message":{"role":"user","content":$},"imagePasteIds":[1],"#
        ThreePastes r#""message":{"role":"user","content":$},"imagePasteIds":[1,2,3],"#
        NoPastes r#""message":{"role":"user","content":$},"imagePasteIds":[],"#
        OddPastes r#""message":{"role":"user","content":$},"imagePasteIds":["a",null,{"id":1}],"#
        NumberMode r#""permissionMode":7,"message":{"role":"user","content":$},"#
        OddFields r#""message":{"role":["user"],"content":$},"imagePasteIds":"a","mcpMeta":[],"#
        NumberContent r#""message":{"role":"user","content":7},"#
        BlockContent r#""message":{"role":"user","content":{"type":"text","text":"a"}},"#
        TextMessage r#""message":"a","#
        EmptyContent r#""message":{"role":"user","content":""},"#
        OtherRole r#""message":{"role":"assistant","content":$},"#
    }
}

forms! {
    /// The first members of a reply's message, by its content. `@` marks the place of the reply's number, and `%` of
    /// what all have. `Synthetic` and `WordsAlone` say the words of an error, and `Synthetic` names the model that is none.
    AssistantForm {
        Usual r#""id":"msg_@",%"content":$,"#
        WithoutContent r#""id":"msg_@",%"#
        NullContent r#""id":"msg_@",%"content":null,"#
        WithoutMessage ""
        WithoutId r#"%"content":$,"#
        EmptyId r#""id":"",%"content":$,"#
        NullId r#""id":null,%"content":$,"#
        Synthetic r#""id":&,%"content":$,"#
        WordsAlone r#""id":"msg_@",%"content":$,"#
        OddUsage r#""id":"msg_@",%"content":$,"#
        NumberId r#""id":7,%"content":$,"#
        NumberContent r#""id":"msg_@",%"content":7,"#
        CutOff r#""id":"msg_@",%"content":$,"#
        Refused r#""id":"msg_@",%"content":$,"#
    }
}

forms! {
    /// The content of a system message, by a text. `message` is the older name.
    SystemForm {
        Usual r#""content":"a","#
        Content r#""content":$,"#
        OldName r#""message":$,"#
        WithoutText ""
        BlankContent r#""content":" ","message":$,"#
        NullContent r#""content":null,"message":$,"#
        EmptyContent r#""content":"","#
        NumberContent r#""content":7,"message":$,"#
    }
}

forms! {
    /// A hook's outcome, by its text. `@` marks the place of the id of the call.
    HookResultForm {
        WithoutEvent r#""toolUseID":"toolu_1","content":"a","#
        PreToolUse r#""toolUseID":@,"hookEvent":"PreToolUse","hookName":"h","content":$,"#
        PostToolUse r#""toolUseID":@,"hookEvent":"PostToolUse","hookName":"h","content":$,"#
        PostToolUseFailure r#""toolUseID":@,"hookEvent":"PostToolUseFailure","hookName":"h","content":$,"#
        Stop r#""toolUseID":@,"hookEvent":"Stop","hookName":"h","content":$,"#
        SessionStart r#""toolUseID":@,"hookEvent":"SessionStart","hookName":"h","content":$,"#
        WithoutCall r#""hookEvent":"PreToolUse","content":["a"],"#
        NullCall r#""toolUseID":null,"hookEvent":"PostToolUse","#
        NumberCall r#""toolUseID":7,"hookEvent":"PostToolUse","content":["a"],"#
    }
}

forms! {
    /// Progress of a tool or of a hook, by the id of the call. `progress` is the older name of `data`.
    ProgressForm {
        OfATool r#""toolUseID":"toolu_1","parentToolUseID":"toolu_1","data":{"type":"bash_progress"},"#
        PreToolUse r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"h"},"#
        PostToolUse r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"h"},"#
        PostToolUseFailure r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"hook_progress","hookEvent":"PostToolUseFailure","hookName":"h"},"#
        Stop r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"hook_progress","hookEvent":"Stop","hookName":"h"},"#
        SessionStart r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"hook_progress","hookEvent":"SessionStart","hookName":"h"},"#
        WithoutCall r#""data":{"type":"hook_progress","hookEvent":"PreToolUse"},"#
        WithoutEvent r#""toolUseID":$,"data":{"type":"hook_progress"},"#
        OldName r#""toolUseID":$,"progress":{"type":"agent_progress"},"#
        WithoutData ""
        NumberCall r#""toolUseID":7,"parentToolUseID":$,"data":{"type":"hook_progress","hookEvent":"PreToolUse"},"#
        OfAToolAtAnEvent r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"bash_progress","hookEvent":"PreToolUse"},"#
        OfASubagent r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"agent_progress","message":{"type":"user","uuid":"ub","sessionId":"5e550000-0000-4000-8000-000000000001","message":{"role":"user","content":"a"}},"prompt":"a"},"#
        OldPreToolUse r#""toolUseID":$,"parentToolUseID":$,"progress":{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"h"},"#
        OldPostToolUse r#""toolUseID":$,"parentToolUseID":$,"progress":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"h"},"#
        NullData r#""toolUseID":$,"parentToolUseID":$,"data":null,"progress":{"type":"hook_progress","hookEvent":"PostToolUse","hookName":"h"},"#
        BothNames r#""toolUseID":$,"parentToolUseID":$,"data":{"type":"bash_progress"},"progress":{"type":"hook_progress","hookEvent":"PreToolUse","hookName":"h"},"#
    }
}

forms! {
    /// A tombstone, by the id that it withdraws. `@` marks the place of the number of its reply.
    TombstoneForm {
        OfU1 r#""message":{"type":"assistant","uuid":"u1"},"#
        OfId r#""message":{"type":"assistant","uuid":$},"#
        WithoutId r#""message":{"type":"assistant"},"#
        NumberId r#""message":{"type":"assistant","uuid":1},"#
        WithoutMessage ""
        NullMessage r#""message":null,"#
        TextMessage r#""message":"u1","#
        OfAReply r#""message":{"type":"assistant","uuid":$,"message":{"id":"msg_@","role":"assistant","content":[]}},"#
    }
}

forms! {
    /// The `type` of a record that has no kind.
    TypeForm {
        Absent ""
        Number r#""type":7,"#
        Flag r#""type":true,"#
        Null r#""type":null,"#
        List r#""type":["user"],"#
    }
}

impl AssistantForm {
    pub(super) fn says_words(self) -> bool {
        matches!(self, Self::Synthetic | Self::WordsAlone)
    }
}

/// The transcript of the lines, with their damages.
pub(super) fn transcript(scenario: &Scenario) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = Vec::with_capacity(scenario.lines().len());
    let mut previous: Option<String> = None;
    // What comes after each line that many messages follow.
    let mut followers = vec![Vec::new(); scenario.lines().len()];
    for (number, plan) in scenario.lines().iter().enumerate() {
        lines.push((record(plan, previous.as_deref(), number) + "\n").into_bytes());
        previous = plan.uuid.map(|which| id(which).to_owned()).or(previous);
        if let Some(Large::Messages(count)) = plan.large {
            for (place, own) in large::ids(number, count).enumerate() {
                let message = large::message(place, &own, previous.as_deref(), session(plan.session));
                followers[number].extend(message.into_bytes());
                previous = Some(own);
            }
        }
    }
    for (number, plan) in scenario.lines().iter().enumerate() {
        for damage in &plan.damage {
            let (before, after) = lines.split_at_mut(number + 1);
            if let Some(line) = before.last_mut() {
                damage.apply(line, after.first().map_or(&[], Vec::as_slice));
            }
        }
    }
    let mut file = Vec::new();
    for ((plan, line), followers) in scenario.lines().iter().zip(&lines).zip(&followers) {
        if let Some(Large::Offset(start)) = plan.large
            && let Some(room) = (start as usize).checked_sub(file.len()).filter(|room| *room > 0)
        {
            file.extend(large::filler(room).into_bytes());
        }
        file.extend_from_slice(line);
        file.extend_from_slice(followers);
    }
    file
}

fn record(plan: &LinePlan, previous: Option<&str>, number: usize) -> String {
    let link = |id: Option<&str>| format!("\"parentUuid\":{},", id.map_or("null".to_owned(), quoted));
    let mut json = String::from("{");
    json += &match plan.parent {
        Link::Absent => String::new(),
        Link::Null => link(None),
        Link::Previous => link(previous),
        Link::To(which) => link(Some(id(which))),
    };
    for (flag, value) in &plan.flags {
        json += &format!("\"{}\":{value},", flag.what());
    }
    if !matches!(plan.kind, LineKind::Untyped { .. }) {
        json += &format!("\"type\":\"{}\",", plan.kind.name());
    }
    json += &body(plan, number);
    for extra in plan.extras.iter().map(|extra| extra.what()).filter(|extra| !clashes(plan.kind, extra)) {
        json += &format!("{extra},");
    }
    if let Some(Large::Members(count)) = plan.large {
        json += &large::members(count);
    }
    if let Some(which) = plan.uuid {
        json += &format!("\"uuid\":{},", quoted(id(which)));
    }
    if !plan.extras.contains(&Extra::WrongSession) {
        json += &format!("\"sessionId\":\"{}\",", session(plan.session));
    }
    json + &match plan.extras.contains(&Extra::WrongTypes) {
        true => "\"timestamp\":1767225600}".to_owned(),
        false => format!("\"timestamp\":\"2026-01-01T00:00:{:02}.000Z\"}}", number % 60),
    }
}

/// A member that nobody knows.
const NOVELTY: &str = r#""novelty":[1,{"type":"text"}],"#;

/// The members that belong to the kind, each with its comma.
fn body(plan: &LinePlan, number: usize) -> String {
    match plan.kind {
        LineKind::User { form } => form.filled(&content(plan)),
        LineKind::Assistant { form: AssistantForm::WithoutMessage, .. } => String::new(),
        LineKind::Assistant { form, words } => assistant(plan, number, form, words),
        LineKind::System { subtype, form, text } => {
            let words = form.filled(&text.token());
            match *subtype.what() {
                "" => format!("{words}\"level\":\"info\","),
                subtype => format!("\"subtype\":\"{subtype}\",{words}\"level\":\"info\",\"toolUseID\":\"toolu_1\","),
            }
        }
        LineKind::Attachment { form, text, call } => match *form.what() {
            "" => String::new(),
            form => format!("\"attachment\":{},", form.replace('$', &text.token()).replace('@', call_id(call))),
        },
        LineKind::HookResult { form, text, call } => {
            form.json().replace('@', &quoted(call_id(call))).replace('$', &text.token())
        }
        LineKind::Progress { form, call } => form.filled(&quoted(call_id(call))),
        LineKind::Tombstone { form, id: which } => {
            form.filled(&quoted(id(which))).replace('@', &plan.reply.to_string())
        }
        LineKind::ToolUseSummary => r#""summary":"a","precedingToolUseIds":["toolu_1"],"#.into(),
        LineKind::GroupedToolUse { form, call } => form.filled(&quoted(call_id(call))),
        LineKind::StreamEvent => r#""event":{"type":"ping"},"#.into(),
        LineKind::StreamRequestStart => String::new(),
        LineKind::Side { side: SideKind::FILE_HISTORY_SNAPSHOT } => {
            r#""messageId":"u1","snapshot":{"messageId":"u1","trackedFileBackups":{}},"isSnapshotUpdate":false,"#.into()
        }
        LineKind::Side { .. } => r#""operation":"enqueue","snapshot":{"messageId":"u1"},"#.into(),
        LineKind::Unknown => NOVELTY.into(),
        LineKind::Untyped { form } => form.json().to_owned() + NOVELTY,
    }
}

/// Whether the line has a member of the extra already, or one of another type.
pub(super) fn clashes(kind: LineKind, extra: &str) -> bool {
    let has = |name: &str| extra.contains(&format!("\"{name}\":"));
    match kind {
        LineKind::Progress { .. } | LineKind::System { .. } | LineKind::HookResult { .. } => {
            has("data") || has("toolUseID")
        }
        LineKind::ToolUseSummary => has("summary"),
        LineKind::Side { side: SideKind::FILE_HISTORY_SNAPSHOT } => has("messageId"),
        _ => false,
    }
}

fn assistant(plan: &LinePlan, number: usize, form: AssistantForm, error: Refusal) -> String {
    let LinePlan { reply, usage, .. } = *plan;
    let head = form
        .json()
        .replace('%', &format!("\"type\":\"message\",\"role\":\"assistant\",{}", usage.model(form)))
        .replace('@', &reply.to_string())
        .replace('&', &quoted(id(error.place())));
    let head = head.replace('$', &if form.says_words() { words(plan, error) } else { content(plan) });
    let usage = match form {
        AssistantForm::OddUsage => {
            format!(",\"usage\":{{\"input_tokens\":\"{reply}\",\"output_tokens\":1,\"service_tier\":null}}")
        }
        _ => usage.member(reply, number),
    };
    let stop = match form {
        AssistantForm::OddUsage => "7",
        AssistantForm::CutOff => "\"max_tokens\"",
        AssistantForm::Refused => "\"refusal\"",
        _ => "null",
    };
    format!("\"message\":{{{head}\"stop_reason\":{stop},\"stop_sequence\":null{usage}}},")
}

/// The words of an error: a string, one block, or the words cut into two blocks.
fn words(plan: &LinePlan, error: Refusal) -> String {
    let words = error.json();
    let one = |words: &str| format!("{{\"type\":\"text\",\"text\":{}}}", quoted(words));
    match (plan.plain, words.split_once(' ')) {
        (true, _) => quoted(words),
        (false, Some((first, rest))) if !plan.blocks.is_empty() => format!("[{},{}]", one(first), one(rest)),
        _ => format!("[{}]", one(words)),
    }
}

fn content(plan: &LinePlan) -> String {
    if plan.plain {
        return plan.string();
    }
    let mut blocks: Vec<String> = plan.blocks.iter().map(|plan| block(*plan)).collect();
    plan.grow(&mut blocks);
    format!("[{}]", blocks.join(","))
}

const IMAGE: &str = r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}"#;

const DOCUMENT: &str =
    r#"{"type":"document","title":"a","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}"#;

fn block(plan: BlockPlan) -> String {
    match plan {
        BlockPlan::Text { form, text } => form.filled(&text.token()),
        BlockPlan::ToolUse { form, call } => form.filled(&quoted(call_id(call))),
        BlockPlan::ToolResult { form, call } => form.filled(&quoted(call_id(call))),
        BlockPlan::Thinking { form, text } => form.filled(&text.token()),
        BlockPlan::RedactedThinking => r#"{"type":"redacted_thinking","data":"ZGF0YQ=="}"#.into(),
        BlockPlan::ServerToolUse { form, call } => form.filled(&quoted(server_call_id(call))),
        BlockPlan::ServerToolResult { form, call } => {
            let of_number = SERVER_RESULTS[usize::from(call) % SERVER_RESULTS.len()];
            form.filled(&quoted(server_call_id(call))).replace('@', of_number)
        }
        BlockPlan::Image => IMAGE.into(),
        BlockPlan::Document => DOCUMENT.into(),
        BlockPlan::Unknown { text } => {
            format!("{{\"type\":\"block_of_tomorrow\",\"payload\":{{\"text\":{}}}}}", text.token())
        }
        BlockPlan::Compaction => r#"{"type":"compaction","content":"What happened so far"}"#.into(),
        BlockPlan::Media { form } => form.json().into(),
        BlockPlan::Strange { form } => form.json().into(),
    }
}
