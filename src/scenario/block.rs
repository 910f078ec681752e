//! *Blocks* as JSON.

use crate::message::SERVER_TOOL_RESULTS;

use super::line::BlockPlan;
use super::pool::{
    CLIENT_CALLS, CLIENT_RESULTS, Form, MEDIA, SERVER_CALLS, SERVER_RESULTS, STRANGE, TEXTS, THINKING,
    call_id, server_call_id, text,
};

const IMAGE: &str = concat!(
    r#"{"type":"image","source":{"type":"base64","media_type":"image/png","#,
    r#""data":"iVBORw0KGgo="}}"#
);

const DOCUMENT: &str = concat!(
    r#"{"type":"document","title":"a","source":{"type":"base64","#,
    r#""media_type":"application/pdf","data":"JVBERi0="}}"#
);

/// A block's JSON.
pub(super) fn block(plan: BlockPlan) -> String {
    let call = |which| format!("\"{}\"", call_id(which));
    let server_call = |which| format!("\"{}\"", server_call_id(which));
    match plan {
        BlockPlan::Text(which) => format!("{{\"type\":\"text\",\"text\":{}}}", text(which)),
        BlockPlan::ToolUse(which) => filled(CLIENT_CALLS, 0, &call(which)),
        BlockPlan::ToolResult(which) => filled(CLIENT_RESULTS, 0, &call(which)),
        BlockPlan::Thinking(which) => {
            format!("{{\"type\":\"thinking\",\"thinking\":{},\"signature\":\"sig\"}}", text(which))
        }
        BlockPlan::RedactedThinking => r#"{"type":"redacted_thinking","data":"ZGF0YQ=="}"#.into(),
        BlockPlan::ServerToolUse(which) => format!(
            "{{\"type\":\"server_tool_use\",\"id\":{},\"name\":\"web_search\",\"input\":{{}}}}",
            server_call(which)
        ),
        BlockPlan::ServerToolResult(which) => {
            let type_name = SERVER_TOOL_RESULTS[usize::from(which) % SERVER_TOOL_RESULTS.len()];
            format!("{{\"type\":\"{type_name}\",\"tool_use_id\":{},\"content\":[]}}", server_call(which))
        }
        BlockPlan::Image => IMAGE.into(),
        BlockPlan::Document => DOCUMENT.into(),
        BlockPlan::Unknown(which) => {
            format!("{{\"type\":\"block_of_tomorrow\",\"payload\":{{\"text\":{}}}}}", text(which))
        }
        BlockPlan::OddText(form, which) => filled(TEXTS, form, &text(which)),
        BlockPlan::OddCall(form, which) => filled(CLIENT_CALLS, form, &call(which)),
        BlockPlan::OddResult(form, which) => filled(CLIENT_RESULTS, form, &call(which)),
        BlockPlan::OddThinking(form, which) => filled(THINKING, form, &text(which)),
        BlockPlan::OddServerCall(form, which) => filled(SERVER_CALLS, form, &server_call(which)),
        BlockPlan::OddServerResult(form, which) => filled(SERVER_RESULTS, form, &server_call(which)),
        BlockPlan::OddMedia(form) => filled(MEDIA, form, ""),
        BlockPlan::Strange(form) => filled(STRANGE, form, ""),
    }
}

/// A form with what it stands around.
fn filled(forms: Form, form: u8, inside: &str) -> String {
    forms[usize::from(form) % forms.len()].replace('$', inside)
}
