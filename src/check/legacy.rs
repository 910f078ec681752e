//! *Legacy* is what older clients wrote and every reader takes: progress in the chain, a last line without LF, forks.

use crate::rules::Rule;
use crate::transcript::{Defect, DefectKind, Detail};

/// Rules of which each violation is legacy.
const RULES: [&str; 2] = ["chain/progress-not-parent", "chain/one-leaf"];

/// A rule of which some violations are legacy: those where the last line is whole.
const IN_PART: &str = DefectKind::Terminated.rule();

/// Whether some violations of the rule are legacy: what older clients wrote, and every reader takes.
pub fn has_legacy(rule: &Rule) -> bool {
    is_legacy(rule) || rule.id == IN_PART
}

/// Whether each violation of the rule is legacy.
pub(super) fn is_legacy(rule: &Rule) -> bool {
    RULES.contains(&rule.id)
}

/// Whether a defect is legacy: a last line without LF that is a whole record.
pub(super) fn is_legacy_defect(defect: &Defect) -> bool {
    defect.kind == DefectKind::Terminated && defect.detail == Detail::None
}
