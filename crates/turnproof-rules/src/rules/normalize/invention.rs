//! An *invention* is a block of a request that the messages do not have.

use super::account::Standing;
use super::block::in_words;
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, RuleEntry, Verdict, Violation};

pub(super) const NO_INVENTION: RuleEntry = rule!("normalize/no-invention", Error, Judge::NormalizeApi(no_invention));

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
