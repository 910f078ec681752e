//! *Attachments* on a page: what the client sent beside the conversation. A run of them is one row, folded; what a hook
//! said of a call is beside the call.

use maud::{Markup, html};
use turnproof_reference::transcript::Record;
use turnproof_rules::operation::Value;
use turnproof_suite::table::count;

use super::parts::Part;
use super::row::{Rows, read};
use crate::report::html::message::{self, BLOCKS, Look, class, members, string, without};
use crate::report::html::text::{Shown, glance, within, words};

/// So many sorts of attachments are named for a run of them.
const NAMED: usize = 12;

/// So many bytes of the members of an attachment are shown.
const OF_MEMBERS: usize = 1_200;

impl Rows<'_> {
    /// What is shown of a part: a row for each record, and one for each run of attachments.
    pub(super) fn list(&self, part: &Part, shown: &[Shown]) -> Markup {
        let attached = |shown: &Shown| match shown {
            Shown::Element(place) => is_attachment(&self.transcript.record(part.records[*place])),
            Shown::Gap { .. } => false,
        };
        html! {
            @for run in shown.chunk_by(|one, next| attached(one) && attached(next)) {
                @match run[0] {
                    Shown::Gap { from, to } => (self.gap(part, from, to)),
                    Shown::Element(_) if attached(&run[0]) => (self.reminders(part, run)),
                    Shown::Element(place) => (self.row(part, place)),
                }
            }
        }
    }

    /// A run of attachments. It is open where something is wrong with one of them.
    fn reminders(&self, part: &Part, run: &[Shown]) -> Markup {
        let place = |shown: &Shown| match shown {
            Shown::Element(place) if !self.hooked.borrow().contains(&part.records[*place]) => Some(*place),
            _ => None,
        };
        let places: Vec<usize> = run.iter().filter_map(place).collect();
        if places.is_empty() {
            return html! {};
        }
        let is_marked = places.iter().any(|place| self.is_marked(part.records[*place]));
        let [sent, noted] = self.sorts(part, &places);
        html! {
            li.reminders { details.aside open[is_marked] {
                summary {
                    @if !sent.is_empty() { "what the model was sent: " (names(&sent)) }
                    @if !sent.is_empty() && !noted.is_empty() { "; " }
                    @if !noted.is_empty() { "noted: " (names(&noted)) }
                }
                ol.rows { @for place in &places { (self.row(part, *place)) } }
            } }
        }
    }

    /// The sorts of attachments: those whose text was sent as it is written here, and others.
    fn sorts(&self, part: &Part, places: &[usize]) -> [Vec<String>; 2] {
        let mut sorts = [Vec::new(), Vec::new()];
        for place in places {
            let value = read(&self.transcript.record(part.records[*place]));
            let sort = value.get("attachment").and_then(|attachment| string(attachment, "type")).unwrap_or("no type");
            let of_sort = &mut sorts[usize::from(rendered(&value).is_empty())];
            if !of_sort.iter().any(|other| other == sort) {
                of_sort.push(sort.to_owned());
            }
        }
        sorts
    }

    /// What hooks said of a call, each beside it once.
    pub(super) fn hooks(&self, call: &str, most: usize) -> Markup {
        html! {
            @for &at in self.hooks.get(call).into_iter().flatten() {
                @if self.hooked.borrow_mut().insert(at) { (self.hook(at, most)) }
            }
        }
    }

    fn hook(&self, at: usize, most: usize) -> Markup {
        let record = self.transcript.record(at);
        let (value, noted) = (read(&record), self.noted(&record));
        let anchor = self.anchor(record.line);
        let attachment = value.get("attachment").unwrap_or(&Value::Null);
        let stops = if is_stop(attachment) { " stops" } else { "" };
        let class = format!("block hook{stops}{}", if noted.is_empty() { "" } else { " marked" });
        html! {
            div class=(class) id=[&anchor] {
                p.line-of { "line " (record.line) }
                (said_by_hook(attachment, most))
                (sent(&value, self.look(most)))
                (self.notes(noted))
            }
        }
    }
}

fn names(sorts: &[String]) -> Markup {
    html! {
        @for (at, sort) in sorts.iter().take(NAMED).enumerate() { @if at > 0 { ", " } (glance(sort)) }
        @if sorts.len() > NAMED { " and " (count((sorts.len() - NAMED) as u64)) " more" }
    }
}

pub(super) fn is_attachment(record: &Record<'_>) -> bool {
    record.type_name() == "attachment"
}

/// The call that an attachment of a hook is about, where it is about one.
pub(super) fn hook_of(value: &Value) -> Option<&str> {
    let attachment = value.get("attachment")?;
    string(attachment, "type").filter(|sort| sort.starts_with("hook_"))?;
    string(attachment, "toolUseID")
}

/// What was sent for an attachment, word for word.
pub(super) fn rendered(value: &Value) -> &[Value] {
    value.get("rendered").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// An attachment: what was sent for it, and its members, which are folded where its text was sent.
pub(super) fn attachment(value: &Value, look: Look<'_>) -> Option<Markup> {
    let attachment = value.get("attachment").filter(|attachment| attachment.is_object())?;
    let is_hook = string(attachment, "type").is_some_and(|sort| sort.starts_with("hook_"));
    if rendered(value).is_empty() && !is_hook {
        return None;
    }
    let members = Value::Object(without(attachment, &["type"])).to_string();
    Some(html! {
        @if is_hook { (said_by_hook(attachment, look.most)) }
        (sent(value, look))
        @if !is_hook {
            details.members { summary { "members" } p.rest { (within(members.as_bytes(), look.most.min(OF_MEMBERS))) } }
        }
    })
}

/// What was sent for an attachment, and as whose words.
fn sent(value: &Value, look: Look<'_>) -> Markup {
    let rendered = rendered(value);
    let role = string(value, "renderedRole").unwrap_or("user");
    html! {
        @if !rendered.is_empty() { p.tag { "sent as " (glance(role)) } }
        @for text in rendered.iter().take(BLOCKS) {
            @for block in message::blocks(text).iter().take(BLOCKS) {
                div class={ "block " (class(block)) } { (message::block(block, look)) }
            }
        }
        @if rendered.len() > BLOCKS { p.cut { "… " (count((rendered.len() - BLOCKS) as u64)) " more texts left out" } }
    }
}

/// Whether a hook kept something from happening.
fn is_stop(attachment: &Value) -> bool {
    matches!(string(attachment, "type"), Some("hook_blocking_error" | "hook_stopped_continuation"))
}

/// Which hook it was, and how it ended.
pub(super) fn hook_ended(attachment: &Value) -> (&str, &str) {
    let hook = ["hookName", "hookEvent", "type"].iter().find_map(|name| string(attachment, name));
    let ended = match string(attachment, "type") {
        Some("hook_success") => "ran",
        Some("hook_blocking_error") => "blocked",
        Some("hook_stopped_continuation") => "ended the turn",
        Some("hook_non_blocking_error") => "failed and did not block",
        Some("hook_additional_context") => "added context",
        Some(other) => other,
        None => "no type",
    };
    (hook.unwrap_or_default(), ended)
}

/// What a hook said: which one it was, how it ended, and its words.
fn said_by_hook(attachment: &Value, most: usize) -> Markup {
    let (hook, ended) = hook_ended(attachment);
    let number = |name: &str| attachment.get(name).filter(|value| value.is_number()).map(Value::to_string);
    let named = ["type", "hookName", "hookEvent", "toolUseID", "exitCode", "durationMs"];
    let mut rest = without(attachment, &named);
    // What blocked is an object of words and a command.
    if let Some(error) = attachment.get("blockingError").filter(|error| error.is_object()) {
        rest = without(error, &[]);
    }
    rest.retain(|_, member| member.as_str() != Some("") && !member.is_null());
    html! {
        p.tag {
            b { "hook " (glance(hook)) }
            span.flag { (glance(ended)) }
            @if let Some(code) = number("exitCode") { span { "exit code " (glance(&code)) } }
            @if let Some(time) = number("durationMs") { span { (glance(&time)) " ms" } }
        }
        @if !rest.is_empty() { (members(&Value::Object(rest), most)) }
    }
}

/// The members of a decision that say why it is so.
const WHY: [&str; 4] = ["source", "reasonType", "reasonCode", "ruleSource"];

/// Whether a call was denied, and the words for that, as the record of its result says.
pub(super) fn decided(value: &Value) -> Option<(bool, String)> {
    let denied = string(value, "toolDenialKind");
    let decision = value.get("permissionDecision").filter(|decision| decision.is_object());
    let of = |name: &str| decision.and_then(|decision| string(decision, name));
    let why: Vec<&str> = WHY.iter().filter_map(|name| of(name)).collect();
    // What a later one begins with says nothing more.
    let is_new = |at: &usize| !why[at + 1..].iter().any(|later| later.split(':').next() == Some(why[*at]));
    let why: Vec<&str> = (0..why.len()).filter(is_new).map(|at| why[at]).collect();
    let is_denied = denied.is_some() || of("decision") == Some("reject");
    if denied.is_none() && decision.is_none() {
        return None;
    }
    let what = if is_denied { "denied" } else { "allowed" };
    let kind = denied.map(|denied| format!(": {denied}")).unwrap_or_default();
    let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join(", ")) };
    Some((is_denied, format!("{what}{kind}{why}")))
}

/// Who allowed or refused a call.
pub(super) fn decision(value: &Value) -> Markup {
    html! {
        @if let Some((is_denied, says)) = decided(value) {
            p class=(if is_denied { "decision denied" } else { "decision" }) { (words(&says)) }
        }
    }
}
