//! *Context* is what a caller wants the model to know of the project; it goes in front of the first
//! turn.

use serde_json::Value;

use super::block::{Role, in_words, is_blank, text_of};
use super::item::Fate;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, Place, RuleEntry, Verdict, Violation};

pub(super) const CONTEXT: RuleEntry = rule!("normalize/context", Error, Judge::NormalizeApi(context));

fn context(case: &ApiEvidence<'_>) -> Verdict {
    let Some(context) = case.options.context.as_deref() else {
        return Verdict::NotApplicable("no context is given");
    };
    if is_blank(context) {
        return Verdict::NotApplicable("the context is blank");
    }
    let Some(account) = case.account() else { return Verdict::NotApplicable(NO_REQUEST) };
    if !account.expected.has_turns {
        let is_empty = case.request.as_ref().is_ok_and(|request| request.elements().is_empty());
        let found = "there is a turn though there is nothing to send";
        let violation = (!is_empty).then(|| Violation::new(CONTEXT.id, Place::Whole, found, "no turns"));
        return Verdict::from_violations(violation.into_iter().collect());
    }
    let says = |value: &Value| text_of(value) == Some(context);
    let mut violations = Vec::new();
    match account.outputs.first() {
        Some(first) if first.turn == 0 && first.is_text(Role::User, Some(context)) => {}
        first => {
            let found = first.map_or("no block at all".to_owned(), |first| in_words(&first.value));
            let found = format!("the request begins with {found}");
            violations.push(Violation::new(CONTEXT.id, place(0, Some(0)), found, "the context"));
        }
    }
    let kept = account.expected.items.iter().filter(|item| item.fate == Fate::Kept && says(&item.value)).count();
    let found = account.outputs.iter().filter(|output| says(&output.value)).count();
    if found != kept + 1 {
        let found = format!("the text of the context stands {found} times");
        let expected = format!("{} times: once as the context, {kept} times as said in messages", kept + 1);
        violations.push(Violation::new(CONTEXT.id, Place::Whole, found, expected));
    }
    Verdict::from_violations(violations)
}
