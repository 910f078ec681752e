//! *Context* is what a caller wants the model to know of the project; it goes in front of the first
//! turn.

use serde_json::Value;

use super::block::{Role, in_words, is_blank, text_of};
use super::item::Fate;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, Place, Rule, Severity, Verdict, Violation};

pub(super) const CONTEXT: Rule = Rule {
    id: "normalize/context",
    title: "the context stands once, as the first text of the first turn",
    severity: Severity::Error,
    doc: "\
A context that the caller gives is a text block in front of the first user turn: once, whole, and nowhere \
else. It makes no turn of its own: without messages to send there is nothing that it could explain, and \
the request stays empty.

In front it is part of the beginning that a prompt cache knows. At the end, or in each turn, it is paid for \
again with every request, and it reads as if the user had said it now. A context that is lost leaves the \
model without the project's rules, and nothing in the request shows that.",
    example: concat!(
        r#"{"messages":[{"type":"user","message":{"role":"user","content":"a"}}],"#,
        r#""options":{"context":"The project is a crate."},"#,
        r#""request":{"Ok":[{"role":"user","content":[{"type":"text","text":"a"},"#,
        r#"{"type":"text","text":"The project is a crate."}]}]}}"#,
    )
    .as_bytes(),
    remedy: "Put the context in front as the last stage, when the first turn is known.",
    sources: &["spec 6"],
    judge: Judge::NormalizeApi(context),
};

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
    let kept =
        account.expected.items.iter().filter(|item| item.fate == Fate::Kept && says(&item.value)).count();
    let found = account.outputs.iter().filter(|output| says(&output.value)).count();
    if found != kept + 1 {
        let found = format!("the text of the context stands {found} times");
        let expected = format!("{} times: once as the context, {kept} times as said in messages", kept + 1);
        violations.push(Violation::new(CONTEXT.id, Place::Whole, found, expected));
    }
    Verdict::from_violations(violations)
}
