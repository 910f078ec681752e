//! The report on a *client*: what each case has come to, what the client does wrong, and the smallest case of each.

use std::io::{self, Write};
use std::path::PathBuf;

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};
use turnproof_clients::{Breach, Client, Deck, Found, Options, Outcome, Played, Report};
use turnproof_suite::table::{count, size, table};

use super::excerpt::Excerpt;
use super::jsonl::JsonLine;
use super::run::junit::legible;

/// Prints what a client comes to. A method fails when something cannot be written.
pub struct ClientReport<W> {
    out: W,
    is_json: bool,
}

impl<W: Write> ClientReport<W> {
    /// Writes to `out`: as JSON Lines, or for people.
    pub const fn new(out: W, is_json: bool) -> Self {
        Self { out, is_json }
    }

    /// Writes what a case has come to. People read the table alone.
    pub fn case(&mut self, played: &Played) -> io::Result<()> {
        if !self.is_json {
            return Ok(());
        }
        let keys: Vec<String> = played.breaches.iter().map(name).collect();
        let line =
            JsonLine::new("case").with("case", played.number).with("outcome", played.outcome).with("found", keys);
        self.out.write_all(line.end().as_bytes())
    }

    /// Writes what the client does wrong, and ends. `files` are those in which the smallest cases are kept.
    pub fn finish<D: Deck>(
        mut self,
        deck: &D,
        options: &Options,
        report: &Report<D::Case>,
        files: &[Option<PathBuf>],
    ) -> io::Result<()> {
        let files = files.iter().map(|file| file.as_ref().map(|file| file.display().to_string()));
        match self.is_json {
            true => self.lines(deck, options, report, files),
            false => self.page(deck, options, report, files),
        }
    }

    fn lines<D: Deck>(
        &mut self,
        deck: &D,
        options: &Options,
        report: &Report<D::Case>,
        files: impl Iterator<Item = Option<String>>,
    ) -> io::Result<()> {
        for (found, file) in report.found.iter().zip(files) {
            let line = found_line("breach", &found.kept.breach)
                .with("seen", found.seen)
                .with("known", found.is_known)
                .with("origin", found.kept.origin)
                .with("case", &found.kept.case)
                .with("file", file);
            self.out.write_all(line.end().as_bytes())?;
        }
        for breach in &report.unconfirmed {
            self.out.write_all(found_line("unconfirmed", breach).end().as_bytes())?;
        }
        let line = JsonLine::new("summary")
            .with("client", deck.client().title())
            .with("seed", options.seed)
            .with("cases", report.cases)
            .with("replayed", report.replayed)
            .with("outcomes", &report.outcomes)
            .with("breaches", report.found.len())
            .with("stopped", report.is_stopped);
        self.out.write_all(line.end().as_bytes())
    }

    fn page<D: Deck>(
        &mut self,
        deck: &D,
        options: &Options,
        report: &Report<D::Case>,
        files: impl Iterator<Item = Option<String>>,
    ) -> io::Result<()> {
        let Options { seed, .. } = options;
        let (cases, kept) = (size(report.cases, "case"), size(report.replayed, "stored case"));
        writeln!(self.out, "client {}, seed {seed}, {cases}, {kept}\n", deck.client().title())?;
        let of = |outcome: &Outcome| report.outcomes.get(outcome).copied().unwrap_or(0);
        let rows = Outcome::ALL.iter().map(|outcome| [outcome.words().to_owned(), count(of(outcome))]);
        write!(self.out, "{}", table(["outcome", ">cases"], rows))?;
        for (found, file) in report.found.iter().zip(files) {
            self.found(deck, found)?;
            file.map_or(Ok(()), |file| writeln!(self.out, "  kept as {file}"))?;
        }
        for breach in &report.unconfirmed {
            writeln!(self.out, "\nnot confirmed: {}: a second run of the case did not show it", name(breach))?;
        }
        match (report.is_stopped, report.found.len() as u64) {
            (true, _) => writeln!(self.out, "\nstopped: this was judged until then"),
            (false, 0) => writeln!(self.out, "\nnothing is wrong"),
            (false, found) => writeln!(self.out, "\n{} found, each confirmed by a second run", size(found, "problem")),
        }
    }

    fn found<D: Deck>(&mut self, deck: &D, found: &Found<D::Case>) -> io::Result<()> {
        let breach = &found.kept.breach;
        writeln!(self.out, "\n{}", name(breach))?;
        writeln!(self.out, "  {}", Excerpt::whole(breach.found.as_bytes()))?;
        if let Some(error) = &breach.error {
            writeln!(self.out, "  the API answers: {}", Excerpt::whole(error.as_bytes()))?;
        }
        if breach.for_ever {
            writeln!(self.out, "  the prompts after it are refused, too")?;
        }
        let from = match (found.is_known, found.kept.origin) {
            (true, _) => "a stored case".to_owned(),
            (false, Some((seed, case))) => format!("case {} of seed {seed}", count(case)),
            (false, None) => "a situation".to_owned(),
        };
        let seen = size(found.seen, "case");
        writeln!(self.out, "  shown by {seen}; the smallest, of {from}: {}", deck.size(&found.kept.case))?;
        deck.text(&found.kept.case).lines().try_for_each(|line| writeln!(self.out, "    {line}"))
    }
}

/// What a breach is called: the outcome, what was damaged, the rule and the kind.
fn name(breach: &Breach) -> String {
    let key = &breach.key;
    let damage = if key.damage.is_empty() { String::new() } else { format!(" after {}", key.damage) };
    format!("{}{damage}: {} ({})", key.outcome.words(), key.rule, key.kind)
}

fn found_line(kind: &'static str, breach: &Breach) -> JsonLine {
    let key = &breach.key;
    JsonLine::new(kind)
        .with("outcome", key.outcome)
        .with("rule", &key.rule)
        .with("violation_kind", &key.kind)
        .with("damage", (!key.damage.is_empty()).then_some(&key.damage))
        .with("at", (!key.at.is_empty()).then_some(&key.at))
        .with("found", &breach.found)
        .with("error", &breach.error)
        .with("for_ever", breach.for_ever)
}

/// `junit.xml`: a test that fails for each thing that a client does wrong, and one for all that is right. It fails when
/// the XML cannot be written.
pub fn client_junit<C>(client: &Client, report: &Report<C>) -> Result<String, quick_junit::SerializeError> {
    let mut xml = Xml::new("turnproof test --client");
    let mut suite = TestSuite::new(client.title());
    let right = report.outcomes.get(&Outcome::Right).copied().unwrap_or(0);
    let mut test = TestCase::new(format!("{} right", size(right, "case")), TestCaseStatus::success());
    test.set_classname(client.name.as_str());
    suite.add_test_case(test);
    for found in &report.found {
        let breach = &found.kept.breach;
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(breach.key.rule.as_str()).set_message(legible(&breach.found));
        let mut test = TestCase::new(legible(&name(breach)), status);
        test.set_classname(client.name.as_str());
        suite.add_test_case(test);
    }
    xml.add_test_suite(suite);
    xml.to_string()
}
