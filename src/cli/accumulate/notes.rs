//! *Notes* are what rules on replies find in a stream and the accumulator does not say.

use std::collections::BTreeSet;

use turnproof_rules::operation::{Reply, ReplyForm};
use turnproof_rules::rules::{Place, Rule, Severity, Violation, matching};

use crate::check::judge_reply;

/// What an input is that has no events: a whole message, or a reply of another API.
pub(super) fn no_stream(reply: &Reply) -> Option<&'static str> {
    match reply.form {
        ReplyForm::Message => Some("a whole message"),
        ReplyForm::Foreign(foreign) if reply.events.is_empty() => Some(foreign.describe()),
        _ => None,
    }
}

/// Reports what rules find, each with the place of its event, where nothing is said of the event yet: `said` has the
/// indexes of those of which something is. Gives whether a delta is lost.
pub(super) fn report(reply: Reply, places: &[String], said: &BTreeSet<usize>) -> bool {
    let rules = matching("reply/*");
    let mut is_lost = false;
    for part in reply.split() {
        judge_reply(&part, &rules, &mut |finding| {
            let Place::Event { number, .. } = finding.violation.place else { return };
            let Some(index) = (number as usize).checked_sub(1) else { return };
            let Some(place) = places.get(index).filter(|_| is_news(finding.rule, &finding.violation)) else { return };
            if said.contains(&index) {
                return;
            }
            let loses = finding.rule.id == "reply/deltas-fit";
            is_lost |= loses;
            let Violation { kind, found, .. } = &finding.violation;
            let lost = if loses { "; it is left out" } else { "" };
            eprintln!("turnproof: {place}: {kind}: {found}{lost} [{}]", finding.rule.id);
        });
    }
    is_lost
}

/// Whether the accumulator has not said it in other words.
fn is_news(rule: &Rule, violation: &Violation) -> bool {
    rule.severity > Severity::Info && !matches!(violation.kind, "unfinished" | "no-empty-line")
}
