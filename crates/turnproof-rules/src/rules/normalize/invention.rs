//! An *invention* is a block of a request that the messages do not have.

use super::account::Standing;
use super::block::in_words;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, Rule, Severity, Verdict, Violation};

pub(super) const NO_INVENTION: Rule = Rule {
    id: "normalize/no-invention",
    title: "a request holds nothing that the messages do not have, but for what repairs need",
    severity: Severity::Error,
    doc: "\
What is in a request and not in the messages was said by nobody. Five things alone may be new: the \
placeholder result of a call that has none, word for word and marked as an error; the text `(no content)` in \
a turn that would be empty otherwise, or that goes before an assistant's first turn; an id in place of one \
that the API refuses, the same in call and result, and no other call's; the object around a call's input \
that is none; and the context that the caller gives.

Inventions are seldom meant: a result that was joined with its neighbour, a text that was cut, two texts \
glued without a line between them, an id that was changed in the call and not in the result. The model reads \
them as said. A block that the messages do have but that must not be sent, or not twice, is for \
`normalize/conserves` to tell; changed thinking is for `thinking/unmodified`.",
    example: concat!(
        r#"{"messages":[{"type":"user","message":{"role":"user","content":"a"}}],"#,
        r#""request":{"Ok":[{"role":"user","content":[{"type":"text","text":"a"},"#,
        r#"{"type":"text","text":"Continue."}]}]}}"#,
    )
    .as_bytes(),
    remedy: "Send the block as the messages have it, or leave it out. If it is a repair, make it one of the \
five that are known.",
    sources: &["spec 6", "spec 2.2"],
    judge: Judge::NormalizeApi(no_invention),
};

fn no_invention(case: &ApiEvidence<'_>) -> Verdict {
    let Some(account) = case.account() else { return Verdict::NotApplicable(NO_REQUEST) };
    if account.outputs.is_empty() {
        return Verdict::NotApplicable("the request has no blocks");
    }
    let invented = account.outputs.iter().filter(|output| output.is == Standing::New).map(|output| {
        let found = format!("{} is in no message that is sent", in_words(&output.value));
        let expected = "a block of the messages, a placeholder, `(no content)`, or the context";
        Violation::new(NO_INVENTION.id, place(output.turn, Some(output.block)), found, expected)
    });
    let clashes = account.clashes.iter().filter_map(|&index| account.outputs.get(index)).map(|output| {
        let found = format!("{} has a new id that another call has", in_words(&output.value));
        let place = place(output.turn, Some(output.block));
        Violation::new(NO_INVENTION.id, place, found, "a new id that no other call has")
    });
    Verdict::from_violations(invented.chain(clashes).collect())
}
