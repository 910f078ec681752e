//! `turnproof check` on *sessions*: what is asked, the report, the baseline, and how it ends.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::check::{Baseline, CheckError, Finding, InputError, Judged, Options, Sink, Tally, check};
use crate::report::{Format, GitHub, Human, JsonLines, Overview, Sarif, Statistics, count, size};
use turnproof_rules::rules::{Rule, Severity};

use super::{Arguments, exit, names_no_session, rules_asked};
use crate::cli::progress::Progress;
use crate::cli::sessions::Sessions;
use crate::cli::settings::CheckSettings;
use crate::cli::{Exit, Failure, baseline_text, screen, stdout};

/// What is asked: by the call, and else by the settings.
pub(super) struct Asked {
    /// What was named, as it was named.
    pub(super) paths: Vec<String>,
    options: Options,
    rules_on_files: Vec<&'static Rule>,
    format: Format,
    limit: Option<u64>,
    fail_on: Severity,
    is_quiet: bool,
    statistics: bool,
    baseline: Option<PathBuf>,
    write_baseline: bool,
}

impl Asked {
    pub(super) fn of(arguments: &Arguments, settings: CheckSettings) -> Result<Self, Failure> {
        let one_of = |called: &[String], set: Vec<String>| if called.is_empty() { set } else { called.to_vec() };
        let select = one_of(&arguments.select, settings.select);
        let rules = rules_asked(&select, &one_of(&arguments.ignore, settings.ignore))?;
        if rules.is_empty() {
            return Err(Failure::Usage("no rule is left: --ignore takes out all that --select chooses".into()));
        }
        // Who names such a rule wants to see it.
        let is_named =
            |rule: &&Rule| rule.legacy.is_some() && select.iter().any(|glob| glob.split(',').any(|id| id == rule.id));
        let legacy = arguments.legacy || settings.legacy || rules.iter().any(|rule| is_named(&&**rule));
        let baseline = arguments.baseline.clone().or(settings.baseline);
        if arguments.write_baseline && baseline.is_none() {
            return Err(Failure::Usage("--write-baseline needs a file: say --baseline FILE".into()));
        }
        if arguments.statistics && !matches!(arguments.format, Format::Human | Format::Json) {
            return Err(Failure::Usage("statistics have no such format: say --format human or json".into()));
        }
        Ok(Self {
            paths: arguments.paths.iter().map(|path| path.display().to_string()).collect(),
            rules_on_files: rules.iter().copied().filter(|rule| rule.consequence.is_some()).collect(),
            // Who selects rules asks for no verdict.
            options: Options {
                rules,
                threads: arguments.threads,
                legacy,
                verdicts: select.is_empty(),
                longest_line: arguments.max_line,
                ..Options::default()
            },
            format: arguments.format,
            limit: arguments.limit.or(settings.limit),
            fail_on: arguments.fail_on.or(settings.fail_on).unwrap_or(Severity::Error),
            is_quiet: arguments.quiet,
            statistics: arguments.statistics,
            baseline,
            write_baseline: arguments.write_baseline,
        })
    }

    fn report(&self, is_single: bool) -> Box<dyn Sink + Send + '_> {
        let (out, screen) = (stdout(), screen());
        match (self.format, self.limit) {
            _ if self.statistics => Box::new(Statistics::new(out, screen, self.format)),
            (Format::Human, None) => {
                let overview = Overview::new(out, screen, is_single).quiet(self.is_quiet);
                match self.options.verdicts {
                    true => Box::new(overview.with_verdicts(&self.paths)),
                    false => Box::new(overview),
                }
            }
            (Format::Human, Some(limit)) => {
                Box::new(Human::new(out, screen, limit).quiet(self.is_quiet).with_paths(&self.paths))
            }
            (Format::Json, _) => Box::new(JsonLines::new(out)),
            (Format::Github, _) => Box::new(GitHub::new(out)),
            (Format::Sarif, _) => Box::new(Sarif::new(out, &self.rules_on_files, self.options.verdicts)),
        }
    }
}

pub(super) fn run(sessions: Sessions, asked: &Asked) -> Result<Exit, Failure> {
    let Sessions { mut inputs, unreadable } = sessions;
    if let Some(baseline) = asked.baseline.as_ref().and_then(|path| path.canonicalize().ok()) {
        inputs.retain(|input| input.path.canonicalize().map_or(true, |path| path != baseline));
    }
    let known = asked.baseline.as_deref().filter(|_| !asked.write_baseline).map(read_baseline).transpose()?.flatten();
    let progress = Progress::new(inputs.iter().map(|input| input.size).sum());
    let written = (asked.baseline.is_some() && known.is_none()).then(Baseline::default);
    let mut watched = Watched {
        report: asked.report(inputs.len() == 1),
        progress: &progress,
        judged: Vec::new(),
        known,
        known_counts: BTreeMap::new(),
        written,
    };
    let mut tally = check(&inputs, &asked.options, &mut watched).map_err(|error| match error {
        CheckError::Sink(error) => Failure::Output(error),
        CheckError::Threads(error) => Failure::Internal(error.to_string()),
    })?;
    progress.finish();
    tally.unreadable += unreadable;
    forget(&mut tally, &watched.known_counts);
    watched.judged.sort_by_key(|judged| judged.verdict.class);
    let judged = watched.judged;
    watched.report.finish(&tally, &judged)?;
    if let (Some(mut written), Some(path)) = (watched.written, &asked.baseline) {
        judged.iter().for_each(|judged| written.add_verdict(judged));
        return write_baseline(path, &written, tally.unreadable);
    }
    if let (Some(known), Some(path)) = (&watched.known, &asked.baseline) {
        tell_known(path, watched.known_counts.values().sum(), known.left(), &judged);
    }
    let is_broken = judged.iter().any(Judged::is_broken);
    Ok(match exit(tally.unreadable, &tally.violations, asked.fail_on) {
        Exit::Held if is_broken => Exit::Broken,
        Exit::Held if names_no_session(&judged, &asked.paths) => Exit::Usage,
        exit => exit,
    })
}

/// Takes what was known out of the counts.
fn forget(tally: &mut Tally, known: &BTreeMap<&'static str, u64>) {
    for (rule, known) in known {
        if let Some(count) = tally.violations.get_mut(rule) {
            *count = count.saturating_sub(*known);
        }
    }
    tally.violations.retain(|_, count| *count > 0);
}

/// The baseline in a file; `None` where there is no such file.
fn read_baseline(path: &Path) -> Result<Option<Baseline>, Failure> {
    let wrong = |error| Failure::Usage(format!("{}: {error}", path.display()));
    baseline_text(path)?.map(|text| Baseline::read(&text).map_err(wrong)).transpose()
}

fn write_baseline(path: &Path, baseline: &Baseline, unreadable: u64) -> Result<Exit, Failure> {
    fs::write(path, baseline.to_text())
        .map_err(|error| Failure::Usage(format!("cannot write the baseline {}: {error}", path.display())))?;
    let findings = size(baseline.left(), "finding");
    eprintln!("turnproof: {findings} and {} are the baseline now: {}", broken(baseline.verdicts()), path.display());
    Ok(if unreadable == 0 { Exit::Held } else { Exit::Usage })
}

fn tell_known(path: &Path, known: u64, left: u64, judged: &[Judged]) {
    let sessions = judged.iter().filter(|judged| judged.is_known).count() as u64;
    eprintln!("turnproof: {} and {} were known: {}", size(known, "finding"), broken(sessions), path.display());
    if left > 0 {
        eprintln!("turnproof: {} of the baseline are gone; --write-baseline takes them out", count(left));
    }
}

fn broken(sessions: u64) -> String {
    size(sessions, "broken session")
}

/// A report with a bar of progress beside it, and with unreadable inputs named on standard error.
struct Watched<'a> {
    report: Box<dyn Sink + Send + 'a>,
    progress: &'a Progress,
    /// The verdicts, in the order of the files.
    judged: Vec<Judged>,
    /// What was known before.
    known: Option<Baseline>,
    /// The findings that were known, by rule.
    known_counts: BTreeMap<&'static str, u64>,
    /// What is found, to be written.
    written: Option<Baseline>,
}

impl Watched<'_> {
    /// Whether all findings are looked at, and not only those that are shown.
    fn takes_all(&self) -> bool {
        self.known.is_some() || self.written.is_some()
    }
}

impl Sink for Watched<'_> {
    fn wants(&mut self, file: &str, rule: &Rule) -> bool {
        self.takes_all() || self.report.wants(file, rule)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        if let Some(written) = &mut self.written {
            written.add(finding);
        }
        if self.known.as_mut().is_some_and(|known| known.covers(finding)) {
            *self.known_counts.entry(finding.rule.id).or_default() += 1;
            return Ok(());
        }
        if self.takes_all() && !self.report.wants(finding.file, finding.rule) {
            return Ok(());
        }
        self.progress.suspend(|| self.report.finding(finding))
    }

    fn end_of_file(&mut self, judged: Option<&Judged>) -> io::Result<()> {
        let mut judged = judged.cloned();
        if let (Some(judged), Some(known)) = (&mut judged, &self.known) {
            judged.is_known = known.covers_verdict(judged);
        }
        self.progress.suspend(|| self.report.end_of_file(judged.as_ref()))?;
        self.judged.extend(judged);
        Ok(())
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        self.progress.suspend(|| {
            let reported = self.report.unreadable(error);
            // A closed standard error has no reader.
            let _ = writeln!(io::stderr(), "turnproof: {error}");
            reported
        })
    }

    fn progress(&mut self, bytes: u64) {
        self.progress.add(bytes);
    }
}
