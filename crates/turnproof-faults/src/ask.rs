//! To *ask* is to play cases to subjects for which no rule is named, and to print which rules they break.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use indicatif::ProgressBar;
use turnproof::report::table;
use turnproof::rules::glob_matches;
use turnproof_faults::unread::trial::{Convicted, Trial};
use turnproof_faults::unread::{Unread, faults, harmless};

/// What is asked, and of whom.
pub(super) struct Asked<'a> {
    /// Only those whose id matches one of these; all when there is none.
    pub globs: &'a [String],
    /// How hard to try.
    pub trial: Trial,
}

/// Plays unread faults, and says which rules convict them.
pub(super) fn unread(asked: &Asked<'_>) -> io::Result<ExitCode> {
    let asked_of: Vec<_> = matching(faults(), asked.globs).into_iter().filter(|one| one.withdrawn.is_none()).collect();
    let convicted = play(&asked_of, asked.trial);
    let rows = asked_of.iter().zip(&convicted).map(|(fault, rules)| {
        let cases = rules.values().map(|broken| broken.cases).min().map(|cases| cases.to_string());
        let names = rules.keys().copied().collect::<Vec<_>>().join(" ");
        [fault.id.to_owned(), cases.unwrap_or_else(|| "-".to_owned()), names]
    });
    let mut out = io::stdout().lock();
    writeln!(out, "{}", table(["unread fault", ">cases", "rules broken in that case"], rows))?;
    let mut by_operation: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for (fault, rules) in asked_of.iter().zip(&convicted) {
        let within = |most| usize::from(rules.values().any(|broken| broken.cases <= most));
        for name in [fault.operation(), "together"] {
            let counts = by_operation.entry(name).or_default();
            *counts = [counts[0] + 1, counts[1] + within(1_000), counts[2] + within(10_000)];
        }
    }
    let rows = by_operation
        .into_iter()
        .map(|(name, [all, soon, late])| [name.to_owned(), all.to_string(), soon.to_string(), late.to_string()]);
    writeln!(out, "{}", table(["operation", ">faults", ">within 1,000", ">within 10,000"], rows))?;
    for (fault, _) in asked_of.iter().zip(&convicted).filter(|(_, rules)| rules.is_empty()) {
        writeln!(out, "not convicted: {} [{}] {}", fault.id, fault.spec, fault.title)?;
    }
    for fault in matching(faults(), asked.globs) {
        if let Some(why) = fault.withdrawn {
            writeln!(out, "withdrawn: {} [{}] {}: {why}", fault.id, fault.spec, fault.title)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays harmless variants, and says which rules they break.
pub(super) fn harmless_ones(asked: &Asked<'_>) -> io::Result<ExitCode> {
    let asked_of = matching(harmless(), asked.globs);
    let convicted = play(&asked_of, Trial { stops: false, ..asked.trial });
    let mut out = io::stdout().lock();
    for (variant, rules) in asked_of.iter().zip(&convicted) {
        let verdict = if rules.is_empty() { "breaks nothing" } else { "breaks rules" };
        let note = variant.withdrawn.map(|why| format!(" (withdrawn: {why})")).unwrap_or_default();
        writeln!(out, "{} {verdict}: {} [{}]{note}", variant.id, variant.title, variant.spec)?;
        for (rule, broken) in rules {
            writeln!(out, "    {rule}, seed {}, after {} cases: {}", broken.seed, broken.cases, broken.found)?;
        }
    }
    let is_failed =
        asked_of.iter().zip(&convicted).any(|(variant, rules)| variant.withdrawn.is_none() && !rules.is_empty());
    Ok(ExitCode::from(u8::from(is_failed)))
}

fn matching(all: impl Iterator<Item = &'static Unread>, globs: &[String]) -> Vec<&'static Unread> {
    let is_wanted =
        |one: &&Unread| globs.is_empty() || globs.iter().any(|glob| glob_matches(glob.as_bytes(), one.id.as_bytes()));
    all.filter(is_wanted).collect()
}

fn play(subjects: &[&'static Unread], trial: Trial) -> Vec<Convicted> {
    let progress = ProgressBar::new(trial.cases * trial.seeds);
    // A wrong subject may panic: that is an answer too.
    std::panic::set_hook(Box::new(|_| {}));
    let convicted = trial.of(subjects, &|cases| progress.set_position(cases));
    let _ = std::panic::take_hook();
    progress.finish_and_clear();
    convicted
}
