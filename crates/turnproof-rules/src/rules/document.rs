//! A rule's *document* is a page of Markdown: its title, what it means, what to do, and where it comes from.
//!
//! The page and the example lie in `rules/<family>/<name>.md` and `.jsonl`. So the path is the rule's id, and other
//! languages can use the examples as they are.

use super::{Judge, Rule, Severity};

/// A rule whose document has not been read.
pub(crate) struct RuleEntry {
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    pub(crate) judge: Judge,
    pub(crate) document: &'static str,
    pub(crate) example: &'static [u8],
}

/// The entry of a rule: its id, its severity, what it judges with which function, and the files that the id names.
macro_rules! rule {
    ($id:literal, $severity:ident, $judged:ident($($judge:tt)+)) => {
        $crate::rules::RuleEntry {
            id: $id,
            severity: $crate::rules::Severity::$severity,
            judge: $crate::rules::judge!($id, $judged, $($judge)+),
            document: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/", $id, ".md")),
            example: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/", $id, ".jsonl")),
        }
    };
}

/// The function of a rule, which gets a report in place of a sink or of a list of violations. `Structure` judges the
/// structure of a request alone; `Request` depends on sizes, on the caller or on the model.
macro_rules! judge {
    ($id:literal, Transcript, $judge:path) => {
        $crate::rules::Judge::Transcript(|facts, sink| $judge(facts, &mut $crate::rules::Report::new($id, sink)))
    };
    ($id:literal, Structure, $judge:path) => {
        $crate::rules::Judge::Request {
            structural: true,
            judge: |request, host, sink| $judge(request, host, &mut $crate::rules::Report::new($id, sink)),
        }
    };
    ($id:literal, Request, $judge:path) => {
        $crate::rules::Judge::Request {
            structural: false,
            judge: |request, host, sink| $judge(request, host, &mut $crate::rules::Report::new($id, sink)),
        }
    };
    ($id:literal, $operation:ident, |$case:ident, $report:ident| $judged:expr) => {
        $crate::rules::Judge::$operation(|$case| $crate::rules::Report::verdict($id, |$report| $judged))
    };
    ($id:literal, $operation:ident, $judge:path) => {
        $crate::rules::Judge::$operation(|case| $crate::rules::Report::verdict($id, |report| $judge(case, report)))
    };
}

pub(crate) use {judge, rule};

impl RuleEntry {
    /// The rule with its document read. Joined texts are never freed: a catalogue is read once.
    pub(super) fn read(&self) -> Rule {
        let (title, rest) = self.document.split_once('\n').unwrap_or((self.document, ""));
        let (doc, rest) = rest.split_once("\n## Remedy\n").unwrap_or((rest, ""));
        let (remedy, sources) = rest.split_once("\n## Sources\n").unwrap_or((rest, ""));
        let sources: Vec<&'static str> = sources.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        Rule {
            id: self.id,
            title: title.trim_start_matches("# "),
            severity: self.severity,
            doc: unwrapped(doc).leak(),
            example: self.example,
            remedy: unwrapped(remedy).leak(),
            sources: sources.leak(),
            judge: self.judge,
        }
    }
}

/// Paragraphs, each on one line, with a blank line between.
fn unwrapped(text: &str) -> String {
    let one_line = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let paragraphs = text.split("\n\n").map(one_line).filter(|paragraph| !paragraph.is_empty());
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
