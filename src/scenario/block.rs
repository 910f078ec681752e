//! *Blocks* as JSON.

use crate::message::SERVER_TOOL_RESULTS;

use super::choice::Form;
use super::line::BlockPlan;
use super::pool::{call_id, quoted, server_call_id};

const IMAGE: &str =
    concat!(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","#, r#""data":"iVBORw0KGgo="}}"#);

const DOCUMENT: &str = concat!(
    r#"{"type":"document","title":"a","source":{"type":"base64","#,
    r#""media_type":"application/pdf","data":"JVBERi0="}}"#
);

/// A block's JSON.
pub(super) fn block(plan: BlockPlan) -> String {
    match plan {
        BlockPlan::Text { form, text } => form.filled(&text.token()),
        BlockPlan::ToolUse { form, call } => form.filled(&quoted(call_id(call))),
        BlockPlan::ToolResult { form, call } => form.filled(&quoted(call_id(call))),
        BlockPlan::Thinking { form, text } => form.filled(&text.token()),
        BlockPlan::RedactedThinking => r#"{"type":"redacted_thinking","data":"ZGF0YQ=="}"#.into(),
        BlockPlan::ServerToolUse { form, call } => form.filled(&quoted(server_call_id(call))),
        BlockPlan::ServerToolResult { form, call } => {
            form.filled(&quoted(server_call_id(call))).replace('@', type_of_number(call))
        }
        BlockPlan::Image => IMAGE.into(),
        BlockPlan::Document => DOCUMENT.into(),
        BlockPlan::Unknown { text } => {
            format!("{{\"type\":\"block_of_tomorrow\",\"payload\":{{\"text\":{}}}}}", text.token())
        }
        BlockPlan::Media { form } => form.json().into(),
        BlockPlan::Strange { form } => form.json().into(),
    }
}

/// The type of a server's result of the form `OfNumber`, by the number of its call.
fn type_of_number(call: u8) -> &'static str {
    SERVER_TOOL_RESULTS[usize::from(call) % SERVER_TOOL_RESULTS.len()]
}
