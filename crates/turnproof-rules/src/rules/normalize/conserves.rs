//! To *conserve* is to lose nothing that must be sent, and to send nothing that must go, nor twice.

use super::account::Standing;
use super::block::{in_words, is_thinking};
use super::item::Fate;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, Rule, Severity, Verdict, Violation};

pub(super) const CONSERVES: Rule = Rule {
    id: "normalize/conserves",
    title: "what must be sent is in the request once, and what must go is not",
    severity: Severity::Error,
    doc: "\
Each text that is not blank, each call and the result that answers it, each pair of a server tool's call and \
result, each image, document and block of an unknown type is in the request exactly once, in its role. What \
goes with its message (hidden, internal, withdrawn, refused by the API) or for itself (a later call of the \
same id, a second result, a result without a call, half of a server pair, a block that its role may not \
carry or that lacks a part) is not in it at all.

A text that is lost makes the model answer a question that nobody asked; one that comes twice is believed \
twice. Both happen where messages are merged: when an attachment meets a tool result, when a reply's lines \
are joined around a message that stands between them, when two messages of one user are made one. A rule \
on the form of the request sees nothing of it, and a normalizer that gives back nothing at all would pass.

Blocks are compared as they are sent: without the client's own members, with the input of a call as an \
object, without blank texts in a result. An id may be replaced where the API refuses it. The text that \
ends the request may have lost white space at its end.",
    example: concat!(
        r#"{"messages":[{"type":"user","message":{"role":"user","content":"a"}},"#,
        r#"{"type":"user","message":{"role":"user","content":"b"}}],"#,
        r#""request":{"Ok":[{"role":"user","content":[{"type":"text","text":"a"}]}]}}"#,
    )
    .as_bytes(),
    remedy: "Find the stage in which the named block is lost or doubled: trace the list through the stages, \
and look for the first one after which it is not there once.",
    sources: &["spec 6", "spec 7"],
    judge: Judge::NormalizeApi(conserves),
};

fn conserves(case: &ApiEvidence<'_>) -> Verdict {
    let Some(account) = case.account() else { return Verdict::NotApplicable(NO_REQUEST) };
    if account.expected.items.is_empty() {
        return Verdict::NotApplicable("the messages have no blocks");
    }
    let mut violations = Vec::new();
    for (item, is_found) in account.expected.items.iter().zip(&account.is_found) {
        if item.fate == Fate::Kept && !is_found && !is_thinking(&item.value) {
            let found = format!("{} of message {} is lost", in_words(&item.value), item.message);
            let expected = format!("the block as it is, once, in a turn of the {}", item.role.name());
            let place = place(item.message, item.block);
            violations.push(Violation::new(CONSERVES.id, place, found, expected));
        }
    }
    for output in &account.outputs {
        let Standing::Astray(index) = output.is else { continue };
        let item = &account.expected.items[index];
        let stands = format!("{} of message {} stands in turn", in_words(&item.value), item.message);
        let (found, expected) = match item.fate {
            Fate::Gone(why) => {
                (format!("{stands} {}", output.turn), format!("that it is not sent, because {why}"))
            }
            Fate::Kept => (
                format!("{stands} {} too, or in the wrong role", output.turn),
                format!("it once, in a turn of the {}", item.role.name()),
            ),
        };
        violations.push(Violation::new(CONSERVES.id, place(item.message, item.block), found, expected));
    }
    Verdict::from_violations(violations)
}
