//! The report on *recordings*: what hosts did against what the rules say, as a table; then where the two disagree.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::check::{ExchangeVerdict, FileVerdict, Outcome, RecordingTally, RequestVerdict, Told};
use turnproof_rules::rules::Severity;

use super::jsonl::JsonLine;
use super::printer::Format;
use super::screen::Screen;
use super::table::table_within;
use turnproof_suite::table::{count, size};

/// Prints what recordings came to.
pub struct RecordingReport<W> {
    out: W,
    format: Format,
    screen: Screen,
    limit: u64,
}

/// Where an exchange and the rules disagree, or could not be compared.
struct Disagreement<'a> {
    file: &'a str,
    exchange: &'a ExchangeVerdict,
    kind: Kind,
    /// What is said of it, each on a line.
    lines: Vec<String>,
    /// The rules that are broken.
    rules: Vec<&'static str>,
}

/// The kinds of disagreement, each a section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    AcceptedNotLegal,
    Reply,
    RefusedLegal,
    OtherWords,
    SetAside,
    NotJudged,
}

impl Kind {
    const ALL: [Self; 6] =
        [Self::AcceptedNotLegal, Self::Reply, Self::RefusedLegal, Self::OtherWords, Self::SetAside, Self::NotJudged];

    fn name(self) -> &'static str {
        match self {
            Self::AcceptedNotLegal => "accepted-not-legal",
            Self::Reply => "reply",
            Self::RefusedLegal => "refused-legal",
            Self::OtherWords => "other-words",
            Self::SetAside => "set-aside",
            Self::NotJudged => "not-judged",
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::AcceptedNotLegal => "Accepted, and called not legal",
            Self::Reply => "Replies that break a rule",
            Self::RefusedLegal => "Refused, and called legal",
            Self::OtherWords => "Refused, and called not legal in other words",
            Self::SetAside => "Set aside",
            Self::NotJudged => "Not judged",
        }
    }
}

impl<W: Write> RecordingReport<W> {
    /// Writes to `out`. Shows people at most `limit` exchanges of a section (0: all).
    pub fn new(out: W, format: Format, screen: Screen, limit: u64) -> Self {
        Self { out, format, screen, limit }
    }

    /// Writes the report on files.
    /// It fails when it cannot be written.
    pub fn write(mut self, files: &[FileVerdict], tally: &RecordingTally) -> io::Result<()> {
        let exchanges = files.iter().flat_map(|file| file.exchanges.iter().map(|one| (file.file.as_str(), one)));
        let found: Vec<_> = exchanges.flat_map(|(file, one)| disagreements(file, one)).collect();
        match self.format {
            Format::Json => self.lines(&found, tally)?,
            _ => self.page(&found, tally)?,
        }
        self.out.flush()
    }

    fn page(&mut self, found: &[Disagreement<'_>], tally: &RecordingTally) -> io::Result<()> {
        let head = format!(
            "{} in {}; left alone: {}, {}",
            size(tally.exchanges, "exchange") + " with the Messages API",
            size(tally.files, "recording"),
            size(tally.others, "other exchange"),
            size(tally.other_files, "other file"),
        );
        let mut text = self.screen.wrap(&head, 2);
        if tally.exchanges > 0 {
            text += "\n";
            text += &confusion(tally, self.screen.columns);
            text += &self.screen.wrap(&counts(tally), 2);
        }
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::SetAside) {
            text += &self.section(kind, found);
        }
        text.extend(set_aside(found).map(|line| format!("\n{}", self.screen.wrap(&line, 2))));
        self.out.write_all(text.as_bytes())
    }

    fn section(&self, kind: Kind, found: &[Disagreement<'_>]) -> String {
        let of_kind: Vec<_> = found.iter().filter(|one| one.kind == kind).collect();
        if of_kind.is_empty() {
            return String::new();
        }
        let most = if self.limit == 0 { of_kind.len() } else { self.limit as usize };
        let mut text = format!("\n{}: {}\n", kind.heading(), count(of_kind.len() as u64));
        for one in of_kind.iter().take(most) {
            let status = one.exchange.status.map_or_else(|| "no status".to_owned(), |status| status.to_string());
            text += &self
                .screen
                .wrap(&format!("  {}#{} ({}, {status})", one.file, one.exchange.number, one.exchange.row), 4);
            text.extend(one.lines.iter().map(|line| self.screen.wrap(&format!("    {line}"), 6)));
        }
        if let more @ 1.. = of_kind.len().saturating_sub(most) {
            text += &format!("  … and {} more (--limit 0 shows all)\n", count(more as u64));
        }
        text
    }

    fn lines(&mut self, found: &[Disagreement<'_>], tally: &RecordingTally) -> io::Result<()> {
        for one in found {
            let line = JsonLine::new("disagreement")
                .with("is", one.kind.name())
                .with("file", one.file)
                .with("number", one.exchange.number)
                .with("host", &one.exchange.row)
                .with("profile", one.exchange.host.name())
                .with("status", one.exchange.status)
                .with("rules", &one.rules)
                .with("words", &one.exchange.words)
                .with("not_in_body", one.exchange.not_in_body)
                .with("says", &one.lines);
            self.out.write_all(line.end().as_bytes())?;
        }
        for ((host, outcome), counts) in &tally.requests {
            let line = JsonLine::new("count")
                .with("host", host)
                .with("outcome", outcome.name())
                .with("legal", counts.legal)
                .with("warned", counts.warned)
                .with("not_legal", counts.not_legal)
                .with("not_judged", counts.not_judged);
            self.out.write_all(line.end().as_bytes())?;
        }
        let summary = JsonLine::new("summary")
            .with("recordings", tally.files)
            .with("exchanges", tally.exchanges)
            .with("other_exchanges", tally.others)
            .with("other_files", tally.other_files)
            .with("unreadable", tally.unreadable)
            .with("same_words", tally.same_words)
            .with("replies", tally.replies)
            .with("broken_replies", tally.broken_replies)
            .with("replies_not_judged", tally.replies_not_judged)
            .with("set_aside", tally.set_aside);
        self.out.write_all(summary.end().as_bytes())
    }
}

/// The table: a row for each host and what it did, a column for each thing that the rules say.
fn confusion(tally: &RecordingTally, columns: Option<usize>) -> String {
    let headings = ["host", "answer", ">legal", ">warned", ">not legal", ">not judged"];
    let rows = tally.requests.iter().map(|((host, outcome), counts)| {
        let numbers = [counts.legal, counts.warned, counts.not_legal, counts.not_judged].map(count);
        let [legal, warned, not_legal, not_judged] = numbers;
        [host.clone(), outcome.name().to_owned(), legal, warned, not_legal, not_judged]
    });
    table_within(columns, headings, rows)
}

fn counts(tally: &RecordingTally) -> String {
    let refused = tally.of(Outcome::Refused).not_legal;
    let words = match refused {
        0 => String::new(),
        _ => format!(
            "{} of {} refused requests that are not legal have the recorded words. ",
            count(tally.same_words),
            count(refused)
        ),
    };
    let replies = size(tally.replies, "reply").replace("replys", "replies");
    let broken = match tally.broken_replies {
        0 => "no rule is broken".to_owned(),
        broken => format!("{} broken", count(broken)),
    };
    format!("{words}{replies} judged: {broken}; {} not judged.", count(tally.replies_not_judged))
}

/// What was set aside, by rule, on a line.
fn set_aside(found: &[Disagreement<'_>]) -> Option<String> {
    let mut rules: BTreeMap<&str, u64> = BTreeMap::new();
    for rule in found.iter().filter(|one| one.kind == Kind::SetAside).flat_map(|one| &one.rules) {
        *rules.entry(rule).or_default() += 1;
    }
    if rules.is_empty() {
        return None;
    }
    let rules: Vec<String> = rules.into_iter().map(|(rule, times)| format!("{rule} {}", count(times))).collect();
    Some(format!("Set aside, since a recorder replaced the values: {}", rules.join(", ")))
}

/// All that is to be said of an exchange.
fn disagreements<'a>(file: &'a str, exchange: &'a ExchangeVerdict) -> Vec<Disagreement<'a>> {
    let mut found = Vec::new();
    let mut add = |kind, lines: Vec<String>, findings: &[Told]| {
        let rules = findings.iter().map(|finding| finding.rule.id).collect();
        found.push(Disagreement { file, exchange, kind, lines, rules });
    };
    let recorded = || format!("recorded: {}", shorten(exchange.words.as_deref().unwrap_or("no words")));
    match (exchange.outcome, &exchange.request) {
        (Outcome::Accepted, RequestVerdict::NotLegal(findings)) => {
            let errors: Vec<_> =
                findings.iter().filter(|finding| finding.severity == Severity::Error).cloned().collect();
            add(Kind::AcceptedNotLegal, errors.iter().map(line).collect(), &errors);
        }
        (Outcome::Refused, RequestVerdict::NotLegal(findings)) if !exchange.has_words => {
            add(Kind::OtherWords, std::iter::once(recorded()).chain(findings.iter().map(line)).collect(), findings);
        }
        (Outcome::Refused, RequestVerdict::Legal(findings)) => {
            let reason = match exchange.not_in_body {
                Some(reason) => format!("names what a body does not show: {reason}"),
                None => "names nothing outside of the body: no rule sees it".to_owned(),
            };
            let warned = findings.iter().map(|finding| format!("warned: {}", line(finding)));
            add(Kind::RefusedLegal, [recorded(), reason].into_iter().chain(warned).collect(), findings);
        }
        (_, RequestVerdict::NotJudged(why)) => add(Kind::NotJudged, vec![format!("the request: {why}")], &[]),
        _ => {}
    }
    let broken: Vec<_> = exchange.reply.iter().filter(|finding| finding.severity > Severity::Info).cloned().collect();
    if !broken.is_empty() {
        add(Kind::Reply, broken.iter().map(line).collect(), &broken);
    }
    if !exchange.set_aside.is_empty() {
        add(Kind::SetAside, exchange.set_aside.iter().map(line).collect(), &exchange.set_aside);
    }
    found
}

/// A finding on a line.
fn line(finding: &Told) -> String {
    let violation = &finding.violation;
    let error = violation.error.as_ref().map_or(String::new(), |error| format!("; the API answers: {error}"));
    shorten(&format!("{} at {}: {}{error}", finding.rule.id, violation.place, violation.found))
}

/// The beginning of a text, on one line.
fn shorten(text: &str) -> String {
    const MOST: usize = 400;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
