//! To play a kept case *again* is to ask a library about it in a new process, and to see whether it breaks the rule.

use std::collections::BTreeMap;

use turnproof_suite::subject::program::Program;

use crate::ask::{Way, ask};
use crate::class::classify;
use crate::field::Field;
use crate::kept::Kept;

/// What came of a kept case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It breaks the rule in the same way.
    Breaks,
    /// It does something else, in words.
    Else(String),
}

/// Plays a kept case to a library.
pub(crate) fn again(program: &Program, kept: &Kept) -> Again {
    let Some(field) = Field::of(kept.operation) else { return Again::Else("no such operation".to_owned()) };
    let is_rule = |id: &str| id == kept.rule;
    let rules = field.rules.iter().copied().filter(|rule| is_rule(rule.id)).collect();
    let field = Field { operation: kept.operation, rules };
    let asked = ask(program, kept.operation, &kept.scenario, field.least_depth(&kept.rule));
    let findings = classify(&field, &kept.scenario, &asked, &mut BTreeMap::new());
    let of_class = || findings.iter().filter(|finding| finding.class == kept.class && is_rule(finding.rule));
    match (of_class().any(|finding| finding.kind == kept.kind), of_class().next(), &asked.way) {
        (true, ..) => Again::Breaks,
        (false, Some(other), _) => Again::Else(format!("it breaks the rule in another way: {}", other.found)),
        (false, None, Way::Output) => Again::Else("the rule holds".to_owned()),
        (false, None, Way::Refused(why)) => Again::Else(format!("it refuses the input: {why}")),
        (false, None, Way::Unsupported(why)) => Again::Else(format!("it says that it does not do this: {why}")),
        (false, None, Way::Withheld) => Again::Else("it is not asked, because of its reader of JSON".to_owned()),
        (false, None, Way::Crashed(crash)) => Again::Else(format!("it crashes: {}", crash.how)),
    }
}
