//! *context_management* names edits that the host makes before the model reads the conversation.

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report};

/// The edits that the API was seen to take, without their dates.
const EDITS: [&str; 3] = ["clear_tool_uses", "clear_thinking", "compact"];

pub(super) fn context_management(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(management) = members_of(request).and_then(|body| given(body, "context_management")) else { return };
    if !management.is_object() {
        return wrong_type("context_management", "an object", report);
    }
    let kind = request.body.pointer("/thinking/type").and_then(Value::as_str);
    for edit in list(management, "edits") {
        let name = text(edit, "type").unwrap_or_default();
        let base = name.rsplit_once('_').map_or(name, |(base, _)| base);
        if !EDITS.contains(&base) {
            let found = sentence!("an edit of the type {name:?}", name);
            let error = format!(
                "context_management.edits: Input tag '{name}' found using 'type' does not match any of the expected tags"
            );
            report.warn(Place::Whole, "unknown-type", found, "an edit that the API was seen to take", error);
        }
        if base == "clear_thinking" && matches!(kind, None | Some("disabled")) {
            let error = format!("{name} strategy requires thinking to be enabled");
            let found = "thinking is to be cleared, and it is not on";
            report.predict(Place::Whole, "no-thinking", found, "thinking that is enabled or adaptive", error);
        }
    }
}
