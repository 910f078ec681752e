//! *Every client* of the Messages API must keep some of the rules on requests, whatever it is made for (SPEC 10.4.2).
//!
//! What is sent must be legal. How a broken history is mended is a client's own affair: so rules that compare the
//! request with the history are asked of plain dialogues that are legal as they are.

use crate::rules::{CATALOGUE, Rule};
use crate::scenario::plain::{is_in_order, is_legal};
use crate::scenario::{Profile, Scenario};

use super::conformance::judges;

/// The name of the set on the command line.
pub const NAME: &str = "every-client";

/// The families whose rules are asked of any history.
const FAMILIES: [&str; 4] = ["api", "pairing", "thinking", "check"];

/// Further rules that are asked of any history.
const OF_ANY: [&str; 2] = ["normalize/deterministic", "normalize/pure"];

/// Rules that are asked of legal histories alone.
const OF_LEGAL: [&str; 5] =
    ["normalize/total", "normalize/conserves", "normalize/no-invention", ORDER, "thinking/unmodified"];

/// The rule that is asked where the results of a legal history come in the order of the calls.
const ORDER: &str = "normalize/keeps-order";

/// Rules of these families that are not asked: hosts join neighbours of one role.
const LEFT_OUT: [&str; 1] = ["api/alternation"];

/// The rules that every client must keep.
pub fn rules() -> Vec<&'static Rule> {
    let is_of_set = |rule: &&Rule| {
        let is_named = OF_ANY.contains(&rule.id) || OF_LEGAL.contains(&rule.id);
        is_named || FAMILIES.contains(&rule.family()) && !LEFT_OUT.contains(&rule.id)
    };
    CATALOGUE.iter().copied().filter(|rule| judges(rule)).filter(is_of_set).collect()
}

/// Whether every client must keep a rule with this case. Of cases that are no plain dialogues nothing is known.
pub(super) fn asks(rule: &Rule, scenario: &Scenario) -> bool {
    let is_as_it_came = || scenario.profile == Profile::Plain && is_legal(&scenario.turns);
    !OF_LEGAL.contains(&rule.id) || is_as_it_came() && (rule.id != ORDER || is_in_order(&scenario.turns))
}

/// Why a rule is not asked of a case.
pub(super) const NOT_ASKED: &str = "the history is not legal as it is, so clients may mend it as they like";

/// Whether a smaller case may stand for a larger one: a legal history stays legal, and its results in their order.
pub(super) fn may_stand_for(smaller: &Scenario, larger: &Scenario) -> bool {
    let keeps = |of: fn(&[crate::scenario::TurnPlan]) -> bool| of(&smaller.turns) || !of(&larger.turns);
    larger.profile != Profile::Plain || keeps(is_legal) && keeps(is_in_order)
}
