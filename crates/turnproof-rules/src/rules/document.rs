//! A rule's *document* is a page of Markdown: a front matter, its title, what it means, what to do, and its sources.
//!
//! The page and the example lie in `rules/<family>/<name>.md` and `.jsonl`. So the path is the rule's id, and other
//! languages can use the examples as they are.

use super::front::{CountedIn, Front, History, PageError};
use super::known::known;
use super::{Judge, Rule};

/// A rule whose document has not been read.
pub(crate) struct RuleEntry {
    pub(crate) id: &'static str,
    pub(crate) judge: Judge,
    pub(crate) document: &'static str,
    pub(crate) example: &'static [u8],
}

/// The entry of a rule: its id, what it judges with which function, and the files that the id names.
macro_rules! rule {
    ($id:literal, $judged:ident($($judge:tt)+)) => {
        $crate::rules::RuleEntry {
            id: $id,
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
    ($id:literal, Reply, $judge:path) => {
        $crate::rules::Judge::Reply(|reply, sink| $judge(reply, &mut $crate::rules::Report::new($id, sink)))
    };
    ($id:literal, Requests, $judge:path) => {
        $crate::rules::Judge::Requests(|pair, sink| $judge(pair, &mut $crate::rules::Report::new($id, sink)))
    };
    ($id:literal, Talk, $judge:path) => {
        $crate::rules::Judge::Talk(|moment, sink| $judge(moment, &mut $crate::rules::Report::new($id, sink)))
    };
    ($id:literal, $operation:ident, |$case:ident, $report:ident| $judged:expr) => {
        $crate::rules::Judge::$operation(|$case| $crate::rules::Report::verdict($id, |$report| $judged))
    };
    ($id:literal, $operation:ident, $judge:path) => {
        $crate::rules::Judge::$operation(|case| $crate::rules::Report::verdict($id, |report| $judge(case, report)))
    };
}

pub(crate) use {judge, rule};

impl Rule {
    /// Reads the page of a rule.
    ///
    /// # Errors
    /// A front matter that lacks something, or says something that nobody reads.
    pub fn read(id: &'static str, page: &'static str, example: &'static [u8], judge: Judge) -> Result<Self, PageError> {
        let (mut front, page) = Front::read(format!("rules/{id}"), page)?;
        let (title, rest) = page.trim_start_matches('\n').split_once('\n').unwrap_or((page, ""));
        let (doc, rest) = rest.split_once("\n## Remedy\n").unwrap_or((rest, ""));
        let (remedy, sources) = rest.split_once("\n## Sources\n").unwrap_or((rest, ""));
        let sources: Vec<&'static str> = sources.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        front.must_say("operation", judge.name())?;
        let mut rule = Self {
            id,
            title: title.trim_start_matches("# "),
            severity: front.word("severity")?.ok_or_else(|| front.missing("severity"))?,
            audience: None,
            history: History::Any,
            distance: USUAL_DISTANCE,
            harm: None,
            counted_in: CountedIn::Output,
            legacy: front.word("legacy")?,
            repair: front.word("repair")?,
            refused_as: front.ids("refused-as"),
            fixed_by_client: front.ids("fixed-by-client"),
            hosts: known(front.text("recorded"), front.text("documented"))
                .ok_or_else(|| front.wrong("`recorded` is `HOST WHEN, …` and `documented` is `HOST, …`"))?
                .leak(),
            consequence: front.text("consequence"),
            errors: front.errors()?,
            errors_of: front.ids("errors-of"),
            doc: unwrapped(doc).leak(),
            example,
            remedy: unwrapped(remedy).leak(),
            sources: sources.leak(),
            judge,
        };
        if judge.asks_subjects() {
            rule.audience = Some(front.word("audience")?.ok_or_else(|| front.missing("audience"))?);
            rule.distance = front.number("distance")?.ok_or_else(|| front.missing("distance"))?;
            rule.history = front.word("history")?.unwrap_or(History::Any);
            rule.harm = front.word("harm")?;
            rule.counted_in = front.word("list")?.unwrap_or(CountedIn::Output);
        }
        front.end()?;
        Ok(rule)
    }
}

/// How far most rules are from the mistakes that break them.
pub(super) const USUAL_DISTANCE: u8 = 3;

/// Paragraphs, each on one line, with a blank line between.
pub(crate) fn unwrapped(text: &str) -> String {
    let one_line = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let paragraphs = text.split("\n\n").map(one_line).filter(|paragraph| !paragraph.is_empty());
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
