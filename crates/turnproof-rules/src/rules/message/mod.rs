//! Rules on single *messages* as they lie in a transcript: who wrote them, when, with which content.
//!
//! What is odd in one record is found when its facts are gathered ([`flaw`]), so that a rule only says where.

mod flaw;
mod form;
mod reply;
mod summary;
#[cfg(feature = "pipelines")]
pub(super) mod written;

pub(super) use flaw::{Flaws, Part, flaws};

use super::facts::Facts;
use super::{Report, RuleEntry};

pub(super) const RULES: &[RuleEntry] = &[
    rule!("message/content-not-empty", Transcript(content_not_empty)),
    rule!("message/no-blank-text", Transcript(no_blank_text)),
    rule!("message/content-is-list", Transcript(content_is_list)),
    rule!("message/role-fits-type", Transcript(role_fits_type)),
    rule!("message/has-uuid", Transcript(has_uuid)),
    rule!("message/uuid-form", Transcript(uuid_form)),
    rule!("message/timestamp", Transcript(timestamp)),
    rule!("message/not-virtual", Transcript(not_virtual)),
    rule!("message/summary-follows-boundary", Transcript(summary::follows_boundary)),
    rule!("message/reply-agrees", Transcript(reply::agrees)),
    rule!("message/synthetic-usage", Transcript(synthetic_usage)),
];

/// A violation without values: its kind, what is found, and what is expected.
type Wrong = [&'static str; 3];

/// Reports each record that has the flaw.
fn add(facts: &Facts, report: &mut Report<'_>, flaw: Flaws, member: &'static str, [kind, found, expected]: Wrong) {
    for &(node, _) in facts.flaws.iter().filter(|(_, flaws)| flaws.has(flaw)) {
        report.add(facts.place(node as usize, member), kind, found, expected);
    }
}

fn content_not_empty(facts: &Facts, report: &mut Report<'_>) {
    for &(node, flaws) in &facts.flaws {
        let (kind, found) = match flaws {
            _ if flaws.has(Flaws::NO_CONTENT) => ("missing", "the message has no content"),
            _ if flaws.has(Flaws::EMPTY_TEXT) => ("empty-text", "the content is an empty string"),
            _ if flaws.has(Flaws::EMPTY_LIST) => ("empty-list", "the content is an empty list"),
            _ => continue,
        };
        let place = facts.place(node as usize, "message.content");
        report.add(place, kind, found, "content, or the text `(no content)` in its place");
    }
}

fn no_blank_text(facts: &Facts, report: &mut Report<'_>) {
    let expected = "a text with a visible character, or none at all";
    for &(node, part) in &facts.blanks {
        let (place, kind, found) = match part.block() {
            Some(block) => (facts.block_place(node, block), "blank-block", "the text of this block is blank"),
            None => (facts.place(node as usize, "message.content"), "blank-content", "the content is blank"),
        };
        report.add(place, kind, found, expected);
    }
}

fn content_is_list(facts: &Facts, report: &mut Report<'_>) {
    let wrong = ["text", "the content of an assistant message is a string", "a list of blocks"];
    add(facts, report, Flaws::TEXT_OF_ASSISTANT, "message.content", wrong);
}

fn role_fits_type(facts: &Facts, report: &mut Report<'_>) {
    let expected = "the same name in `type` and in `message.role`";
    let wrong = ["other-role", "the role is not the type of the record", expected];
    add(facts, report, Flaws::WRONG_ROLE, "message.role", wrong);
}

fn has_uuid(facts: &Facts, report: &mut Report<'_>) {
    add(facts, report, Flaws::NO_UUID, "", ["missing", "the message has no uuid", "a uuid of its own"]);
}

fn uuid_form(facts: &Facts, report: &mut Report<'_>) {
    let mut odd = facts.flaws.iter().filter(|(_, flaws)| flaws.has(Flaws::ODD_UUID));
    let Some(&(first, _)) = odd.next() else { return };
    let found = match odd.count() {
        0 => "the uuid does not have the form of one".into(),
        more => {
            let count = more + 1;
            sentence!("{count} uuids do not have the form of one, of which this is the first", count)
        }
    };
    let expected = "8, 4, 4, 4 and 12 hexadecimal digits, with dashes between";
    report.add(facts.place(first as usize, "uuid"), "wrong-form", found, expected);
}

fn timestamp(facts: &Facts, report: &mut Report<'_>) {
    let expected = "a time of RFC 3339, such as `2026-01-05T09:00:01.000Z`";
    for &(node, flaws) in &facts.flaws {
        let node = node as usize;
        if flaws.has(Flaws::NO_TIME) {
            report.add(facts.place(node, ""), "missing", "the message has no timestamp", expected);
        } else if flaws.has(Flaws::ODD_TIME) {
            let found = "the timestamp is no time of RFC 3339";
            report.add(facts.place(node, "timestamp"), "no-time", found, expected);
        }
    }
}

fn not_virtual(facts: &Facts, report: &mut Report<'_>) {
    let found = "a virtual message, which lives in memory alone";
    add(facts, report, Flaws::VIRTUAL, "isVirtual", ["virtual", found, "only messages that are to come back"]);
}

fn synthetic_usage(facts: &Facts, report: &mut Report<'_>) {
    let expected = "the usage of a message that no model made: every count is there, and zero";
    for &(node, flaws) in &facts.flaws {
        let (kind, found) = match flaws {
            _ if flaws.has(Flaws::NO_USAGE) => ("missing", "a message that no model made has no usage"),
            _ if flaws.has(Flaws::ODD_USAGE) => ("not-zero", "the usage of a message that no model made is not zero"),
            _ => continue,
        };
        report.add(facts.place(node as usize, "message.usage"), kind, found, expected);
    }
}
