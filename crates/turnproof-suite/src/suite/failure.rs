//! A *failure* is one mistake or one way to crash, with the smallest case that was found.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::operation::Operation;
use crate::printable;
use crate::rules::{Place, Violation, find};

use super::regression::{Regression, RegressionError};

/// One [mistake](crate::rules::Mistake), or one way to crash at an operation, with the smallest case found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The rule, and the plan as it can be stored.
    pub regression: Regression,
    /// The violations that show it in the smallest case.
    pub violations: Vec<Violation>,
    /// Whether the subject broke the rule in this way when it was asked again.
    pub is_again: bool,
    /// How many smaller cases were tried, when there were more to try ([`Options::tries`](super::Options::tries)).
    pub cut_off: Option<usize>,
    /// What the subject was asked in the smallest case, in lines, where the transcript does not show it: the request that
    /// it checked, the steps of a recording, how a stream came, the inputs of a loop, or a factory's call.
    pub asked: Vec<String>,
    /// The stream that the subject was given in the smallest case, as [server-sent events](crate::fuzzing::stream_text).
    pub stream: Option<Vec<u8>>,
    /// What the subject itself said in the smallest case, in lines, where it is known.
    pub said: Vec<String>,
}

impl Failure {
    /// The operation at which the subject crashed, where that is what was found. It breaks no rule.
    pub fn crashed(&self) -> Option<Operation> {
        let rule = self.regression.is_crash().then(|| find(&self.regression.rule));
        rule.flatten().map(|rule| rule.operation())
    }

    /// Keeps the case in a folder, which is made where it is missing, and beside it its stream as `.sse`. Gives the
    /// files.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn save(&self, folder: &Path) -> Result<Vec<PathBuf>, RegressionError> {
        let mut paths = vec![self.regression.save(folder)?];
        if let Some(stream) = &self.stream {
            let path = folder.join(self.regression.file_name()).with_extension("sse");
            fs::write(&path, stream).map_err(|error| RegressionError::Io { path: path.clone(), error })?;
            paths.push(path);
        }
        Ok(paths)
    }
}

const SHOWN: usize = 3;

impl fmt::Display for Failure {
    /// Writes several lines, the last one with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Regression { rule, scenario, origin, .. } = &self.regression;
        let rule = find(rule);
        match self.crashed() {
            Some(operation) => write!(f, "crashed: {}", operation.name())?,
            None => write!(f, "broken: {}", self.regression.rule)?,
        }
        match origin {
            Some((seed, case)) => writeln!(f, " (from case {case} of seed {seed})")?,
            None => writeln!(f)?,
        }
        if let (None, Some(rule)) = (self.crashed(), rule) {
            writeln!(f, "  rule: {}", rule.title)?;
        }
        let in_words = |Violation { place, found, expected, .. }: &Violation| {
            let place = if *place == Place::Whole { String::new() } else { format!("{place}: ") };
            format!("{place}{found}; expected {expected}")
        };
        let mut violations: Vec<String> = self.violations.iter().map(in_words).collect();
        violations.dedup();
        for violation in violations.iter().take(SHOWN) {
            writeln!(f, "  {violation}")?;
        }
        if violations.len() > SHOWN {
            writeln!(f, "  and {} more", violations.len() - SHOWN)?;
        }
        if !self.is_again {
            writeln!(f, "  it was not so when the subject was asked again: it answers by chance, or remembers")?;
        }
        for line in self.asked.iter().chain(&self.said) {
            writeln!(f, "  {}", printable::line(line.as_bytes()))?;
        }
        if let Some(tries) = self.cut_off {
            writeln!(f, "  shrunk in {tries} tries, the most that are made; there may be a smaller case")?;
        }
        writeln!(f, "  plan: {}", serde_json::to_string(scenario).unwrap_or_default())?;
        // What was asked says all.
        if !self.asked.is_empty() && self.stream.is_none() {
            return Ok(());
        }
        let (shown, of_line): (_, fn(&[u8]) -> String) = match &self.stream {
            Some(stream) => (stream.clone(), printable::exact),
            None => (scenario.transcript(), printable::line),
        };
        let lines = shown.strip_suffix(b"\n").unwrap_or(&shown);
        for line in lines.split(|&byte| byte == b'\n') {
            writeln!(f, "  | {}", of_line(line))?;
        }
        Ok(())
    }
}
