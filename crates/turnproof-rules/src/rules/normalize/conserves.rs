//! To *conserve* is to lose nothing that must be sent, and to send nothing that must go, nor twice.

use super::account::Standing;
use super::block::{in_words, is_thinking};
use super::item::Fate;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, RuleEntry, Verdict, Violation};

pub(super) const CONSERVES: RuleEntry = rule!("normalize/conserves", Error, Judge::NormalizeApi(conserves));

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
            Fate::Gone(why) => (format!("{stands} {}", output.turn), format!("that it is not sent, because {why}")),
            Fate::Kept => (
                format!("{stands} {} too, or in the wrong role", output.turn),
                format!("it once, in a turn of the {}", item.role.name()),
            ),
        };
        violations.push(Violation::new(CONSERVES.id, place(item.message, item.block), found, expected));
    }
    Verdict::from_violations(violations)
}
