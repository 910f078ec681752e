//! A *baseline* is what was found before, so that a check tells only what is new.
//!
//! It is a file of JSON Lines that people can read, compare and edit: a head, then what was found, sorted. A finding is
//! known by its file, its rule, the kind of its violation and the text that was marked. Lines move, so that no line counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Class, Finding, Judged};

/// What was found before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// How often each thing was found.
    findings: BTreeMap<Key, u64>,
    /// The sessions that were broken, by name.
    verdicts: BTreeMap<String, Class>,
}

/// By what a finding is known: file, rule, kind of violation, and the beginning of the text that was marked.
type Key = (String, String, String, String);

/// So many bytes of the marked text are kept.
const MARKED: usize = 80;

/// Why a text is no baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}; write a new one with --write-baseline")]
pub struct BaselineError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

/// The version of the form.
const VERSION: u64 = 2;

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "snake_case", deny_unknown_fields)]
enum Line {
    Baseline { version: u64 },
    Finding { file: String, rule: String, violation_kind: String, marked: String, count: u64 },
    Verdict { file: String, class: String },
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// The first line that is none of a baseline of this version.
    pub fn read(text: &str) -> Result<Self, BaselineError> {
        let mut baseline = Self::default();
        let mut lines = text.lines().enumerate();
        let wrong = |index: usize, problem: String| BaselineError { line: index + 1, problem };
        let read = |index: usize, line: &str| {
            serde_json::from_str::<Line>(line).map_err(|error| wrong(index, format!("no line of a baseline: {error}")))
        };
        let head = lines.next().ok_or_else(|| wrong(0, "the file is empty".into()))?;
        match read(head.0, head.1)? {
            Line::Baseline { version: VERSION } => {}
            Line::Baseline { version } => return Err(wrong(0, format!("its version is {version}, and not {VERSION}"))),
            _ => return Err(wrong(0, "it has no head".into())),
        }
        for (index, line) in lines {
            match read(index, line)? {
                Line::Baseline { .. } => return Err(wrong(index, "a second head".into())),
                Line::Finding { file, rule, violation_kind, marked, count } => {
                    *baseline.findings.entry((file, rule, violation_kind, marked)).or_default() += count;
                }
                Line::Verdict { file, class } => {
                    let known = Class::ALL.into_iter().find(|known| known.name() == class);
                    let class = known.ok_or_else(|| wrong(index, format!("there is no class `{class}`")))?;
                    baseline.verdicts.insert(file, class);
                }
            }
        }
        Ok(baseline)
    }

    /// The text of the baseline.
    pub fn to_text(&self) -> String {
        let head = [Line::Baseline { version: VERSION }].into_iter();
        let verdicts = self.verdicts.iter();
        let verdicts = verdicts.map(|(file, class)| Line::Verdict { file: file.clone(), class: class.name().into() });
        let findings = self.findings.iter().map(|((file, rule, kind, marked), &count)| Line::Finding {
            file: file.clone(),
            rule: rule.clone(),
            violation_kind: kind.clone(),
            marked: marked.clone(),
            count,
        });
        // Plain data can always be written.
        let line = |line: Line| serde_json::to_string(&line).unwrap_or_default() + "\n";
        head.chain(verdicts).chain(findings).map(line).collect()
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: &Finding<'_>) {
        *self.findings.entry(key(finding)).or_default() += 1;
    }

    /// Adds a session, where it is broken.
    pub fn add_verdict(&mut self, judged: &Judged) {
        if judged.verdict.class.is_broken() {
            self.verdicts.insert(judged.file.clone(), judged.verdict.class);
        }
    }

    /// Whether a finding is known. Each that was found before covers one.
    pub fn covers(&mut self, finding: &Finding<'_>) -> bool {
        match self.findings.get_mut(&key(finding)) {
            Some(left @ 1..) => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// Whether it is known that a session is broken, as badly as it is now.
    pub fn covers_verdict(&self, judged: &Judged) -> bool {
        self.verdicts.get(&judged.file).is_some_and(|known| *known <= judged.verdict.class)
    }

    /// How many broken sessions it has.
    pub fn verdicts(&self) -> u64 {
        self.verdicts.len() as u64
    }

    /// How many findings there are that cover nothing yet.
    pub fn left(&self) -> u64 {
        self.findings.values().sum()
    }
}

fn key(finding: &Finding<'_>) -> Key {
    let at = |byte: u64| (byte.saturating_sub(finding.text_start) as usize).min(finding.text.len());
    let (start, end) = (at(finding.start), at(finding.end));
    let marked = &finding.text[start..end.clamp(start, start + MARKED)];
    let marked = String::from_utf8_lossy(marked).into_owned();
    (finding.file.to_owned(), finding.rule.id.to_owned(), finding.kind.to_owned(), marked)
}
