//! `turnproof check --verdict`: a line for each session that is not healthy, worst first, and counts by class.

use std::fs::File;
use std::io::Write;

use rayon::prelude::*;
use serde_json::json;

use crate::check::{Acceptance, Class, Verdict, verdict_of_file};
use crate::report::{Format, count, json_line, size};

use super::sessions::Sessions;
use super::{Exit, Failure, stdout};

/// So many sessions are named; the others are counted.
const NAMED: usize = 50;

/// Prints the verdicts on sessions.
pub(super) fn run(sessions: &Sessions, format: Format) -> Result<Exit, Failure> {
    if matches!(format, Format::Github) {
        return Err(Failure::Usage("verdicts have no annotations: say --format human or json".into()));
    }
    let read = sessions.inputs.par_iter().map(|input| File::open(&input.path).and_then(verdict_of_file));
    let read: Vec<_> = read.collect();
    let mut unreadable = sessions.unreadable;
    let mut judged: Vec<(&str, Verdict)> = Vec::new();
    for (input, verdict) in sessions.inputs.iter().zip(read) {
        match verdict {
            Ok(verdict) => judged.push((&input.name, verdict)),
            Err(error) => {
                unreadable += 1;
                eprintln!("turnproof: {}: {error}", input.name);
            }
        }
    }
    judged.sort_by_key(|(_, verdict)| verdict.class);
    match format {
        Format::Json => {
            judged.iter().try_for_each(|(file, verdict)| json_line(&mut stdout(), &of_file(file, verdict)))?
        }
        Format::Human | Format::Github => stdout().write_all(page(&judged).as_bytes())?,
    }
    Ok(match unreadable {
        0 if judged.iter().any(|(_, verdict)| verdict.class.is_broken()) => Exit::Broken,
        0 => Exit::Held,
        _ => Exit::Usage,
    })
}

/// A line for each session that is not healthy, or for the only one, and what to run; then counts by class.
fn page(judged: &[(&str, Verdict)]) -> String {
    let is_told = |verdict: &Verdict| judged.len() == 1 || verdict.class != Class::Healthy;
    let told: Vec<_> = judged.iter().filter(|(_, verdict)| is_told(verdict)).collect();
    let mut text = String::new();
    for (file, verdict) in told.iter().take(NAMED) {
        text += &format!("{file}: {verdict}\n");
    }
    if told.len() > NAMED {
        text += &format!("… and {} more\n", count((told.len() - NAMED) as u64));
    }
    let of = |class: Class| judged.iter().filter(|(_, verdict)| verdict.class == class).count() as u64;
    let counts = Class::ALL.map(|class| (class, of(class))).into_iter().filter(|(_, files)| *files > 0);
    let counts: Vec<String> = counts.map(|(class, files)| format!("{} {}", count(files), class.name())).collect();
    text += &format!("{}: {}\n", size(judged.len() as u64, "file"), counts.join(", "));
    text
}

/// The line of a file for programs.
fn of_file(file: &str, verdict: &Verdict) -> serde_json::Value {
    let mut value = as_json(verdict);
    (value["kind"], value["file"]) = ("verdict".into(), file.into());
    value
}

/// A verdict for programs.
pub(super) fn as_json(verdict: &Verdict) -> serde_json::Value {
    let (accepted, errors) = match &verdict.acceptance {
        Acceptance::NotAsked => (None, Vec::new()),
        Acceptance::Accepted => (Some(true), Vec::new()),
        Acceptance::Refused(refusals) => {
            (Some(false), refusals.iter().map(|one| json!({"rule": one.rule, "error": one.error})).collect())
        }
    };
    json!({
        "class": verdict.class.name(), "messages": verdict.messages,
        "comes_back": verdict.comes_back, "without_bridges": verdict.without_bridges,
        "accepted": accepted, "errors": errors, "lost_bytes": verdict.lost.bytes,
        "lost_results": verdict.lost.results, "lost_parents": verdict.lost.parents,
        "consequences": verdict.consequences(),
    })
}
