//! The report on a *mock*: a line for each request, the rules that it breaks with the words of the API, and the verdict on
//! all of them.

mod junit;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use turnproof_mock::{Exchange, Finding, Verdict};
use turnproof_rules::rules::{Rule, Severity};
use turnproof_suite::table::{count, size};

use super::excerpt::Excerpt;
use super::jsonl::{JsonLine, values};
use super::printer::{Format, Printed, Printer};
use super::screen::Screen;

pub use junit::mock_junit;

/// What the requests of a run came to.
#[derive(Clone, Debug, Default)]
pub struct MockTally {
    /// Requests.
    pub requests: u64,
    /// Requests with a body that was judged.
    pub judged: u64,
    /// Requests that the host would refuse.
    pub illegal: u64,
    /// Requests that say something otherwise than the one that they continue.
    pub otherwise: u64,
    /// What is wrong with how the program ended.
    pub at_end: u64,
    /// What was found, by the rule: where and what, the first ones.
    pub found: BTreeMap<&'static str, Vec<String>>,
    /// How often a rule was broken so that it counts.
    pub broken: BTreeMap<&'static str, u64>,
}

/// How many findings of a rule are kept.
const KEPT: usize = 10;

impl MockTally {
    /// Whether anything is wrong.
    pub const fn is_broken(&self) -> bool {
        self.illegal + self.otherwise + self.at_end > 0
    }

    /// What the requests came to, in a sentence.
    pub fn sentence(&self) -> String {
        let verdict = match (self.illegal, self.otherwise) {
            (0, 0) => "all legal".to_owned(),
            (illegal, 0) => format!("{} not legal", count(illegal)),
            (0, otherwise) => format!("{} with something lost or changed", count(otherwise)),
            (illegal, otherwise) => {
                format!("{} not legal, {} with something lost or changed", count(illegal), count(otherwise))
            }
        };
        let end = if self.at_end > 0 { "; it did not end well" } else { "" };
        format!("{}, {} judged: {verdict}{end}", size(self.requests, "request"), count(self.judged))
    }

    fn add(&mut self, exchange: &Exchange) {
        self.requests += 1;
        self.judged += u64::from(!exchange.verdicts.is_empty());
        self.illegal += u64::from(!exchange.is_legal());
        self.otherwise += u64::from(exchange.breaks_the_row());
        let place = format!("request {}", exchange.number);
        for finding in findings(exchange) {
            self.count(finding, &place);
        }
    }

    fn count(&mut self, finding: &Finding, place: &str) -> bool {
        let counts = finding.severity() == Severity::Error;
        if counts {
            let kept = self.found.entry(finding.rule.id).or_default();
            if kept.len() < KEPT {
                kept.push(format!("{place}: {}", in_words(finding)));
            }
            *self.broken.entry(finding.rule.id).or_default() += 1;
        }
        counts
    }
}

/// Prints what a mock sees, request by request. A method fails when something cannot be written.
pub struct MockReport<'a, W> {
    printer: Printer<'a, W>,
    sarif: Option<Printer<'a, Box<dyn Write>>>,
    tally: MockTally,
}

impl<'a, W: Write> MockReport<'a, W> {
    /// Writes to `out`, and as SARIF to `sarif`. `rules` are those that judge.
    pub fn new(
        out: W,
        format: Format,
        screen: Screen,
        sarif: Option<Box<dyn Write>>,
        rules: &'a [&'static Rule],
    ) -> Self {
        let sarif = sarif.map(|out| Printer::new(out, Format::Sarif, screen, 0, rules));
        Self { printer: Printer::new(out, format, screen, LIMIT, rules), sarif, tally: MockTally::default() }
    }

    /// Says where the mock listens.
    pub fn listens(&mut self, url: &str) -> io::Result<()> {
        match self.printer.format {
            Format::Json => self.printer.write(&JsonLine::new("listening").with("url", url).end())?,
            _ => self.printer.end_of_file(&format!("turnproof mock listens on {url}"))?,
        }
        self.printer.flush()
    }

    /// Answers a line of the control: it was taken, or what is wrong with it.
    pub fn controlled(&mut self, taken: &Result<(), String>) -> io::Result<()> {
        let line = match taken {
            Ok(()) => JsonLine::new("ready"),
            Err(error) => JsonLine::new("refused").with("error", error),
        };
        self.printer.write(&line.end())?;
        self.printer.flush()
    }

    /// Writes a request and what is wrong with it; it may be shown at the next flush.
    pub fn exchange(&mut self, exchange: &Exchange) -> io::Result<()> {
        self.tally.add(exchange);
        print(&mut self.printer, &name(exchange), exchange)?;
        if let Some(sarif) = &mut self.sarif {
            let name = name(exchange);
            findings(exchange).try_for_each(|finding| sarif.finding(&printed(&name, finding), String::new))?;
        }
        Ok(())
    }

    /// Shows what was written of exchanges until now.
    pub fn flush(&mut self) -> io::Result<()> {
        self.printer.flush()
    }

    /// Writes what is wrong with how the program ended.
    pub fn over(&mut self, findings: &[Finding]) -> io::Result<()> {
        for finding in findings {
            self.tally.at_end += u64::from(self.tally.count(finding, END));
            let printed = printed(END, finding);
            if is_shown(finding, self.printer.format) {
                self.printer.finding(&printed, || finding_line(None, finding))?;
            }
            self.sarif.as_mut().map_or(Ok(()), |sarif| sarif.finding(&printed, String::new))?;
        }
        self.printer.flush()
    }

    /// Ends the report, with the faults and steps that no request has got; gives what was counted.
    pub fn finish(mut self, never_played: &[String]) -> io::Result<MockTally> {
        if self.printer.format == Format::Human {
            self.printer.end_of_file(&self.tally.sentence())?;
            if !never_played.is_empty() {
                let names = names_of(never_played);
                self.printer.end_of_file(&format!("never played, since no request came for it: {names}"))?;
            }
        }
        let summary = JsonLine::new("summary")
            .with("requests", self.tally.requests)
            .with("judged", self.tally.judged)
            .with("illegal", self.tally.illegal)
            .with("otherwise", self.tally.otherwise)
            .with("at_end", self.tally.at_end)
            .with("never_played", never_played)
            .with("violations_by_rule", &self.tally.broken);
        self.printer.finish(summary)?;
        if let Some(sarif) = self.sarif {
            sarif.finish(JsonLine::new("summary"))?;
        }
        Ok(self.tally)
    }
}

/// How many names of what was never played people read.
const NAMED: usize = 10;

fn names_of(never_played: &[String]) -> String {
    let named = &never_played[..never_played.len().min(NAMED)];
    match never_played.len() - named.len() {
        0 => named.join(", "),
        more => format!("{}, and {more} more", named.join(", ")),
    }
}

/// Prints a request and what is wrong with it.
fn print<W: Write>(printer: &mut Printer<'_, W>, name: &str, exchange: &Exchange) -> io::Result<()> {
    match printer.format {
        Format::Json => printer.write(&exchange_line(exchange))?,
        _ => printer.end_of_file(&sentence(exchange))?,
    }
    let format = printer.format;
    findings(exchange).filter(|finding| is_shown(finding, format)).try_for_each(|finding| {
        printer.finding(&printed(name, finding), || finding_line(Some(exchange.number), finding))
    })
}

/// Whether a finding is printed. Notes are for programs: there is one in each request of some clients.
fn is_shown(finding: &Finding, format: Format) -> bool {
    finding.severity() > Severity::Info || format == Format::Json
}

/// What people read of a request that is not legal, or says something otherwise; nothing of others.
fn in_full(exchange: &Exchange) -> Option<String> {
    if exchange.is_legal() && !exchange.breaks_the_row() {
        return None;
    }
    let mut text = Vec::new();
    print(&mut Printer::new(&mut text, Format::Human, Screen::default(), LIMIT, &[]), &number(exchange), exchange)
        .ok()?;
    String::from_utf8(text).ok()
}

/// What a request is called.
fn name(exchange: &Exchange) -> String {
    let file = exchange.file.as_ref().map(|file| file.display().to_string());
    file.unwrap_or_else(|| number(exchange))
}

fn number(exchange: &Exchange) -> String {
    format!("request {}", exchange.number)
}

fn printed<'f>(name: &'f str, finding: &'f Finding) -> Printed<'f> {
    let Finding { rule, violation, excerpt } = finding;
    Printed { file: name, line: 1, rule, severity: finding.severity(), violation, excerpt }
}

/// Where something is that is wrong with how the program ended.
const END: &str = "the end";

/// How many findings of a rule are shown of a request.
const LIMIT: u64 = 3;

fn findings(exchange: &Exchange) -> impl Iterator<Item = &Finding> {
    let of_bodies = exchange.verdicts.iter().flat_map(|verdict| &verdict.findings);
    of_bodies.chain(exchange.continued.iter().flat_map(|continued| &continued.findings)).chain(&exchange.talk)
}

/// What a finding says, in one line.
fn in_words(finding: &Finding) -> String {
    let violation = &finding.violation;
    let error = violation.error.as_ref().map_or(String::new(), |error| format!("; the API answers: {error}"));
    format!("{}: {}{error}", violation.place, violation.found)
}

fn verdict(exchange: &Exchange) -> String {
    let refused = exchange.verdicts.iter().find(|verdict: &&Verdict| !verdict.is_legal());
    let refusal = refused.and_then(|verdict| Some((verdict, verdict.refusal.as_ref()?)));
    match refusal {
        // The rules that are broken follow, with the words.
        Some((verdict, _)) if !verdict.findings.is_empty() => "not legal".to_owned(),
        Some((_, refusal)) => format!("not legal: {}", Excerpt::whole(refusal.message.as_bytes())),
        None if exchange.breaks_the_row() => "legal, and something is lost or changed".to_owned(),
        None if exchange.verdicts.is_empty() => String::new(),
        None => "legal".to_owned(),
    }
}

fn sentence(exchange: &Exchange) -> String {
    let Exchange { number, line, model, turns, bytes, answer, notes, .. } = exchange;
    let line = Excerpt::whole(line.as_bytes());
    let mut parts = Vec::new();
    if *turns > 0 {
        let model = Excerpt::whole(model.as_bytes());
        parts.push(format!("{model}, {}, {}", size(*turns as u64, "turn"), size(*bytes, "byte")));
    }
    let verdict = verdict(exchange);
    if !verdict.is_empty() {
        parts.push(verdict);
    }
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    parts.push(format!("answered {answer}{notes}"));
    format!("{number} {line}: {}", parts.join("; "))
}

fn exchange_line(exchange: &Exchange) -> String {
    let file = exchange.file.as_ref().map(|file| file.display().to_string());
    let refusal = exchange.verdicts.iter().find_map(|verdict| verdict.refusal.as_ref());
    JsonLine::new("request")
        .with("number", exchange.number)
        .with("request", &exchange.line)
        .with("model", &exchange.model)
        .with("turns", exchange.turns)
        .with("bytes", exchange.bytes)
        .with("legal", (!exchange.verdicts.is_empty()).then_some(exchange.is_legal()))
        .with("error", refusal.map(|refusal| &refusal.message))
        .with("continues", exchange.continued.as_ref().map(|continued| continued.from))
        .with("status", exchange.status)
        .with("answer", &exchange.answer)
        .with("notes", &exchange.notes)
        .with("judging_us", exchange.judging.as_micros() as u64)
        .with("file", file)
        .with("lost", exchange.breaks_the_row())
        .with("report", in_full(exchange))
        .with("record", &exchange.record)
        .end()
}

fn finding_line(number: Option<u64>, finding: &Finding) -> String {
    let violation = &finding.violation;
    let values: Value = json!(values(violation.found.values().iter().chain(violation.expected.values())));
    JsonLine::new("violation")
        .with("number", number)
        .with("rule", finding.rule.id)
        .with("severity", finding.severity().name())
        .with("path", violation.place.to_string())
        .with("violation_kind", violation.kind)
        .with("found", violation.found.to_string())
        .with("expected", violation.expected.to_string())
        .with("values", values)
        .with("error", &violation.error)
        .with("excerpt", Excerpt::whole(&finding.excerpt))
        .end()
}
