//! A failure as *text*: the rule, what is wrong and where, the plan and its transcript.

use std::fmt;

use crate::printable;
use crate::rules::{Place, Violation, find};

use super::regression::Regression;
use super::run::Failure;

/// How many violations are shown.
const SHOWN: usize = 3;

impl fmt::Display for Failure {
    /// Writes several lines, the last one with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Regression { rule, scenario, origin, .. } = &self.regression;
        match origin {
            Some((seed, case)) => writeln!(f, "broken: {rule} (from case {case} of seed {seed})")?,
            None => writeln!(f, "broken: {rule}")?,
        }
        if let Some(rule) = find(rule) {
            writeln!(f, "  rule: {}", rule.title)?;
        }
        for violation in self.violations.iter().take(SHOWN) {
            write_violation(f, violation)?;
        }
        if self.violations.len() > SHOWN {
            writeln!(f, "  and {} more", self.violations.len() - SHOWN)?;
        }
        writeln!(f, "  plan: {}", serde_json::to_string(scenario).unwrap_or_default())?;
        let transcript = scenario.transcript();
        let lines = transcript.strip_suffix(b"\n").unwrap_or(&transcript);
        for line in lines.split(|&byte| byte == b'\n') {
            writeln!(f, "  | {}", printable::line(line))?;
        }
        Ok(())
    }
}

fn write_violation(f: &mut fmt::Formatter<'_>, violation: &Violation) -> fmt::Result {
    match violation.place {
        Place::Whole => write!(f, "  ")?,
        place => write!(f, "  {place}: ")?,
    }
    writeln!(f, "{}; expected {}", violation.found, violation.expected)
}
