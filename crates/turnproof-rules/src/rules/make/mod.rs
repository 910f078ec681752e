//! Rules on *factories*: what the message must be that a factory makes of its arguments, and what predicates must say
//! of it.
//!
//! The table ([`table`]) says which members each factory gives. Whatever else a message holds is the subject's own.

mod call;
mod identity;
mod predicate;
mod says;
mod table;

use super::{Applies, MakeEvidence, Place, Report, RuleEntry, applies, refusal};
use call::Called;
pub(crate) use call::WorkedOut;
use predicate::PREDICATES;
pub(super) use predicate::unanswered;

pub(super) const RULES: &[RuleEntry] = &[
    rule!("make/total", Make(total)),
    rule!("make/content-not-empty", Make(says::content_not_empty)),
    rule!("make/texts", Make(says::texts)),
    rule!("make/shape", Make(shape)),
    rule!("make/identity", Make(identity::identity)),
    rule!("make/usage", Make(usage)),
    rule!("make/placeholders", Make(says::placeholders)),
    rule!("make/predicates", Make(predicates)),
    rule!("make/deterministic", Make(identity::deterministic)),
];

fn total(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    let name = called.factory.name;
    match (called.missing, &case.answer) {
        (Some(missing), Ok(_)) => {
            let found = sentence!("`{name}` is called without `{missing}`, and makes a message", name, missing);
            report.whole("not-refused", found, "a refusal");
        }
        (None, Err(why)) => {
            let found = sentence!("`{name}` makes nothing, {refusal}", name, refusal = refusal(why));
            report.whole("refused", found, "a message");
        }
        (None, Ok(made)) if made.is_empty() && called.count > 0 => {
            let found = sentence!("it says nothing: `{name}` makes 0 messages", name);
            report.whole("says-nothing", found, sentence!("{count} messages", count = called.count));
        }
        (None, Ok(made)) if made.len() != called.count => {
            let found = sentence!("`{name}` makes {made} messages", name, made = made.len());
            report.whole("wrong-count", found, sentence!("{count} messages", count = called.count));
        }
        (None, Ok(_)) => {
            for (index, read) in called.read.iter().enumerate().filter(|(_, read)| !read.is_object()) {
                let found = sentence!("`{name}` gives {made}", name, made = read.to_string());
                report.add(Place::message(index), "no-object", found, "a message: a JSON object");
            }
        }
        (Some(_), Err(_)) => {}
    }
    Ok(())
}

fn shape(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    for (index, message) in called.messages() {
        for wrong in called.wrong_members(message) {
            report.add(Place::message(index), wrong.kind, wrong.found, wrong.expected);
        }
        says::given_content(called, index, message, report);
    }
    applies(!called.read.is_empty(), NOTHING_MADE)
}

/// Why a rule on messages does not apply.
const NOTHING_MADE: &str = "nothing is made";

fn usage(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called = case.called()?;
    applies(
        matches!(called.factory.name, "assistant" | "assistant_api_error"),
        "it is no synthetic assistant message",
    )?;
    for (index, message) in called.messages() {
        for wrong in call::synthetic_body(message) {
            report.add(Place::message(index), wrong.kind, wrong.found, wrong.expected);
        }
    }
    applies(!called.read.is_empty(), NOTHING_MADE)
}

fn predicates(case: &MakeEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let called: &Called = case.called()?;
    let Ok(made) = &case.answer else { return Err(NOTHING_MADE) };
    let mut judged = 0;
    for ((index, message), made) in called.messages().zip(made) {
        for (name, is_so) in PREDICATES {
            let Some(said) = made.predicates.get(*name) else { continue };
            let right = is_so(message);
            judged += 1;
            if *said != right {
                let message = super::alike::in_short(message);
                let found =
                    sentence!("`{name}` says {said} of {message}", name = *name, said = said.to_string(), message);
                let kind = if *said { "says-true" } else { "says-false" };
                report.add(Place::message(index), kind, found, sentence!("{right}", right = right.to_string()));
            }
        }
    }
    applies(judged > 0, "no predicate is asked")
}
