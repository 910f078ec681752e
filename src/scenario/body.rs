//! The *body* of a record: the members that its kind has beside those of every record.

use crate::message::constants::SYNTHETIC_MODEL;

use super::block::block;
use super::choice::{Choice, Form};
use super::line::{
    AssistantForm, HookResultForm, LineKind, LinePlan, ProgressForm, SystemForm, TombstoneForm, UserForm,
};
use super::pool::{AttachmentForm, PoolText, Refusal, Subtype, call_id, id, quoted};

/// The members that belong to the kind, each with its comma.
pub(super) fn body(plan: &LinePlan) -> String {
    match plan.kind {
        LineKind::User { form } => user(plan, form),
        LineKind::Assistant { form, words } => assistant(plan, form, words),
        LineKind::System { subtype, form, text } => system(subtype, form, text),
        LineKind::Attachment { form, text, call } => attachment(form, text, call),
        LineKind::HookResult { form, text, call } => hook_result(form, text, call),
        LineKind::Progress { form, call } => progress(form, call),
        LineKind::Tombstone { form, id } => tombstone(form, id),
        LineKind::ToolUseSummary => r#""summary":"a","precedingToolUseIds":["toolu_1"],"#.into(),
        LineKind::GroupedToolUse => r#""toolName":"Bash","messages":[],"results":[],"#.into(),
        LineKind::StreamEvent => r#""event":{"type":"ping"},"#.into(),
        LineKind::StreamRequestStart => String::new(),
        LineKind::Side { .. } => r#""operation":"enqueue","snapshot":{"messageId":"u1"},"#.into(),
        LineKind::Unknown | LineKind::Untyped => r#""novelty":[1,{"type":"text"}],"#.into(),
    }
}

/// Whether the line has a member of the extra's already, or one of another type.
pub(super) fn clashes(kind: LineKind, extra: &str) -> bool {
    let has = |name: &str| extra.contains(&format!("\"{name}\":"));
    match kind {
        LineKind::Progress { .. } | LineKind::System { .. } | LineKind::HookResult { .. } => {
            has("data") || has("toolUseID")
        }
        LineKind::ToolUseSummary | LineKind::Side { .. } => has("summary") || has("leafUuid"),
        _ => false,
    }
}

fn user(plan: &LinePlan, form: UserForm) -> String {
    let message = |rest: &str| format!("\"message\":{{\"role\":\"user\",\"content\":{}}},{rest}", content(plan));
    match form {
        UserForm::Usual => message(""),
        UserForm::WithoutContent => r#""message":{"role":"user"},"#.into(),
        UserForm::NullContent => r#""message":{"role":"user","content":null},"#.into(),
        UserForm::WithoutMessage => String::new(),
        UserForm::EmptyMessage => r#""message":{},"#.into(),
        UserForm::OnePaste => message(r#""imagePasteIds":[1],"#),
        UserForm::ThreePastes => message(r#""imagePasteIds":[1,2,3],"#),
        UserForm::NoPastes => message(r#""imagePasteIds":[],"#),
        UserForm::OddPastes => message(r#""imagePasteIds":["a",null,{"id":1}],"#),
    }
}

fn assistant(plan: &LinePlan, form: AssistantForm, error: Refusal) -> String {
    let content = match form {
        AssistantForm::WithoutMessage => return String::new(),
        AssistantForm::WithoutContent => String::new(),
        AssistantForm::NullContent => "\"content\":null,".into(),
        AssistantForm::Synthetic | AssistantForm::WordsAlone => {
            format!("\"content\":{},", words(plan, error))
        }
        _ => format!("\"content\":{},", content(plan)),
    };
    let reply = plan.reply;
    let reply_id = match form {
        AssistantForm::WithoutId => String::new(),
        AssistantForm::EmptyId => "\"id\":\"\",".into(),
        AssistantForm::NullId => "\"id\":null,".into(),
        AssistantForm::Synthetic => format!("\"id\":{},", quoted(id(error.place()))),
        _ => format!("\"id\":\"msg_{reply}\","),
    };
    let model = if form == AssistantForm::Synthetic { SYNTHETIC_MODEL } else { "m" };
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
fn words(plan: &LinePlan, error: Refusal) -> String {
    let words = error.json();
    let one = |words: &str| format!("{{\"type\":\"text\",\"text\":{}}}", quoted(words));
    match (plan.plain, words.split_once(' ')) {
        (true, _) => quoted(words),
        (false, Some((first, rest))) if !plan.blocks.is_empty() => format!("[{},{}]", one(first), one(rest)),
        _ => format!("[{}]", one(words)),
    }
}

fn system(subtype: Subtype, form: SystemForm, text: PoolText) -> String {
    let text = || text.token();
    let words = match form {
        SystemForm::Usual => "\"content\":\"a\",".into(),
        SystemForm::Content => format!("\"content\":{},", text()),
        SystemForm::OldName => format!("\"message\":{},", text()),
        SystemForm::WithoutText => String::new(),
        SystemForm::BlankContent => format!("\"content\":\" \",\"message\":{},", text()),
        SystemForm::NullContent => format!("\"content\":null,\"message\":{},", text()),
        SystemForm::EmptyContent => "\"content\":\"\",".into(),
    };
    match *subtype.what() {
        "" => format!("{words}\"level\":\"info\","),
        subtype => format!("\"subtype\":\"{subtype}\",{words}\"level\":\"info\",\"toolUseID\":\"toolu_1\","),
    }
}

fn attachment(form: AttachmentForm, text: PoolText, call: u8) -> String {
    match *form.what() {
        "" => String::new(),
        form => format!("\"attachment\":{},", form.replace('$', &text.token()).replace('@', call_id(call))),
    }
}

/// The events that hooks of calls may be about, in the order of their forms.
const HOOK_EVENTS: [&str; 5] = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart"];

fn hook_result(form: HookResultForm, text: PoolText, call: u8) -> String {
    match form {
        HookResultForm::WithoutEvent => r#""toolUseID":"toolu_1","content":"a","#.into(),
        HookResultForm::WithoutCall => r#""hookEvent":"PreToolUse","content":["a"],"#.into(),
        HookResultForm::NullCall => r#""toolUseID":null,"hookEvent":"PostToolUse","#.into(),
        of_event => format!(
            "\"toolUseID\":{},\"hookEvent\":\"{}\",\"hookName\":\"h\",\"content\":{},",
            quoted(call_id(call)),
            HOOK_EVENTS[of_event as usize - 1],
            text.token(),
        ),
    }
}

fn progress(form: ProgressForm, call: u8) -> String {
    let call = quoted(call_id(call));
    match form {
        ProgressForm::OfATool => {
            r#""toolUseID":"toolu_1","parentToolUseID":"toolu_1","data":{"type":"bash_progress"},"#.into()
        }
        ProgressForm::WithoutCall => r#""data":{"type":"hook_progress","hookEvent":"PreToolUse"},"#.into(),
        ProgressForm::WithoutEvent => {
            format!("\"toolUseID\":{call},\"data\":{{\"type\":\"hook_progress\"}},")
        }
        ProgressForm::OldName => {
            format!("\"toolUseID\":{call},\"progress\":{{\"type\":\"agent_progress\"}},")
        }
        ProgressForm::WithoutData => String::new(),
        of_event => format!(
            "\"toolUseID\":{call},\"parentToolUseID\":{call},\"data\":{{\"type\":\"hook_progress\",\
             \"hookEvent\":\"{}\",\"hookName\":\"h\"}},",
            HOOK_EVENTS[of_event as usize - 1],
        ),
    }
}

fn tombstone(form: TombstoneForm, which: u8) -> String {
    match form {
        TombstoneForm::OfU1 => r#""message":{"type":"assistant","uuid":"u1"},"#.into(),
        TombstoneForm::OfId => {
            format!("\"message\":{{\"type\":\"assistant\",\"uuid\":{}}},", quoted(id(which)))
        }
        TombstoneForm::WithoutId => r#""message":{"type":"assistant"},"#.into(),
        TombstoneForm::NumberId => r#""message":{"type":"assistant","uuid":1},"#.into(),
        TombstoneForm::WithoutMessage => String::new(),
        TombstoneForm::NullMessage => r#""message":null,"#.into(),
    }
}

fn content(plan: &LinePlan) -> String {
    if plan.plain {
        return plan.first_text().token();
    }
    let blocks: Vec<String> = plan.blocks.iter().map(|plan| block(*plan)).collect();
    format!("[{}]", blocks.join(","))
}
