//! *Naming* is what a subject says of a file beside what it reads: which rule a piece breaks, why a range is rejected,
//! notes. A reader of somebody else has names of its own, and is judged by what it *reads* alone.

use super::{Violation, resume, wire};

/// Whether a violation is about names alone: what was read is as it should be, and it is called otherwise, or nothing is
/// said of it.
///
/// ```
/// use turnproof_rules::operation::{Parsed, Reading};
/// use turnproof_rules::rules::{Evidence, Judge, Verdict, find, is_of_naming, right_reading};
///
/// let bytes = b"{\"uuid\":\"u1\"}\n\0\0\0\n".to_vec();
/// let Some(Judge::Parse(judge)) = find("wire/no-nul").map(|rule| rule.judge) else { panic!("a rule on readers") };
/// let violations = |parsed: Parsed| match judge(&Evidence::new(&Reading { bytes: bytes.clone(), parsed, again: None })) {
///     Verdict::Broken(violations) => violations,
///     _ => Vec::new(),
/// };
/// let silent = violations(Parsed { reports: Some(Vec::new()), ..right_reading(&bytes) });
/// assert!(!silent.is_empty() && silent.iter().all(is_of_naming));
/// ```
pub fn is_of_naming(violation: &Violation) -> bool {
    match violation.rule.split('/').next() {
        Some("wire") => wire::NAMING.contains(&violation.kind),
        Some("resume") => violation.kind == resume::NO_NOTE,
        _ => false,
    }
}
