//! *Verdicts* as people and programs read them: a line for each session that is not healthy, worst first, counts by
//! class, and what to run.

use std::io::{self, Write};

use serde_json::json;

use crate::check::{Acceptance, Class, Judged, Refusal, Verdict, folder_notes, quoted};
use turnproof_rules::rules::Severity;

use super::jsonl::JsonLine;
use super::screen::Screen;
use super::sizes::sizes_line;
use turnproof_suite::table::{count, size};

/// The page on verdicts, worst first, in at most about `room` lines. `paths` is what was asked about, for the commands
/// to run.
pub fn verdict_page(judged: &[Judged], paths: &[String], room: usize, screen: Screen) -> String {
    if judged.is_empty() {
        return String::new();
    }
    let run = what_to_run(judged, paths, screen);
    let named = named(judged, room.saturating_sub(lines(&run) + 2), screen, false);
    let sizes = match judged {
        [Judged { verdict: Verdict { sizes: Some(sizes), .. }, .. }] => screen.wrap(&sizes_line(sizes), 2),
        _ => String::new(),
    };
    named + &sizes + &notes(judged, screen) + &screen.wrap(&by_class(judged), 2) + &run
}

/// A line for each session that is not healthy, in at most about `room` lines and one for the rest. Where there is one
/// session it is named whatever it is, unless that should be quiet.
pub(super) fn named(judged: &[Judged], room: usize, screen: Screen, is_quiet: bool) -> String {
    let is_told = |judged: &&Judged| !judged.is_known && judged.verdict.class != Class::Healthy;
    let told: Vec<&Judged> = judged.iter().filter(|one| judged.len() == 1 && !is_quiet || is_told(one)).collect();
    let (mut text, mut used, mut named) = (String::new(), 0, 0);
    for Judged { file, verdict, .. } in &told {
        let line = screen.wrap(&format!("{file}: {verdict}"), 2);
        let line = match (verdict.class.is_broken(), line.strip_prefix(file.as_str())) {
            (true, Some(rest)) => {
                let class = verdict.class.name();
                format!("{file}{}", rest.replacen(class, &screen.styled(class, Severity::Error), 1))
            }
            _ => line,
        };
        used += lines(&line);
        if named > 0 && used > room {
            break;
        }
        named += 1;
        text += &line;
    }
    if told.len() > named {
        let more = format!("… and {} more (--verdict --format json has them all)", count((told.len() - named) as u64));
        text += &screen.wrap(&more, 2);
    }
    text
}

/// So many notes on files beside each other are shown.
const NOTES: usize = 5;

/// What the files show together.
fn notes(judged: &[Judged], screen: Screen) -> String {
    let notes = folder_notes(judged);
    let mut text: String = notes.iter().take(NOTES).map(|note| screen.wrap(&note.to_string(), 2)).collect();
    if notes.len() > NOTES {
        let more = count((notes.len() - NOTES) as u64);
        text += &screen.wrap(&format!("… and {more} more of such notes (--format json has them all)"), 2);
    }
    text
}

/// Writes what the files show together as JSON, a line each.
/// It fails when it cannot be written.
pub fn note_lines(out: &mut impl Write, judged: &[Judged]) -> io::Result<()> {
    folder_notes(judged).iter().try_for_each(|note| {
        let line = JsonLine::new("note").with("file", &note.file);
        let serde_json::Value::Object(members) = serde_json::to_value(&note.about)? else { return Ok(()) };
        let line = members.iter().fold(line, |line, (name, value)| line.with(name, value));
        out.write_all(line.end().as_bytes())
    })
}

/// How many lines a text has.
pub(super) fn lines(text: &str) -> usize {
    text.lines().count()
}

/// Counts by class, as a line.
pub(super) fn by_class(judged: &[Judged]) -> String {
    let counts = class_counts(judged).into_iter().map(|(class, files)| format!("{} {class}", count(files)));
    let counts: Vec<String> = counts.collect();
    let known = match judged.iter().filter(|judged| judged.is_known).count() as u64 {
        0 => String::new(),
        known => format!("; {} of them known from the baseline", count(known)),
    };
    format!("{}: {}{known}", size(judged.len() as u64, "file"), counts.join(", "))
}

/// The classes that there are, worst first, each with how many files are of it.
pub(super) fn class_counts(judged: &[Judged]) -> Vec<(&'static str, u64)> {
    let of = |class: Class| judged.iter().filter(|judged| judged.verdict.class == class).count() as u64;
    Class::ALL.map(|class| (class.name(), of(class))).into_iter().filter(|(_, files)| *files > 0).collect()
}

/// So many paths stand in a command; of more, the first file that is broken is named alone.
const PATHS: usize = 3;

/// The commands to run next, each with what it does.
fn what_to_run(judged: &[Judged], paths: &[String], screen: Screen) -> String {
    let broken: Vec<&Judged> = judged.iter().filter(|judged| judged.is_broken()).collect();
    let Some(worst) = broken.first() else { return String::new() };
    let repairable: Vec<&&Judged> = broken.iter().filter(|judged| judged.verdict.is_repairable()).collect();
    let mut commands = Vec::new();
    if let Some(first) = repairable.first() {
        let target = match repairable.len() {
            1 => quoted(&first.file),
            _ if paths.len() <= PATHS => paths.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(" "),
            _ => quoted(&first.file),
        };
        commands.push((format!("turnproof repair {target}"), "what a repair would change"));
    }
    commands.push((worst.verdict.explaining(&worst.file), "which messages come back"));
    let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    let mut text = String::from("\n");
    for (command, what) in commands {
        let line = format!("  {command:width$}  # {what}");
        match screen.fits(line.chars().count()) {
            true => text += &format!("{line}\n"),
            false => text += &format!("  {command}\n{}", screen.wrap(&format!("      # {what}"), 8)),
        }
    }
    text
}

/// Writes a verdict as JSON on a line of its own.
/// It fails when it cannot be written.
pub fn verdict_line(out: &mut impl Write, judged: &Judged) -> io::Result<()> {
    let Judged { file, verdict, is_known } = judged;
    let mut line = JsonLine::new("verdict").with("file", file).with("class", verdict.class.name());
    if let serde_json::Value::Object(members) = verdict_json(verdict) {
        line = members
            .iter()
            .filter(|(name, _)| *name != "class")
            .fold(line, |line, (name, value)| line.with(name, value));
    }
    out.write_all(line.with("known", is_known).with("run", verdict.command(file)).end().as_bytes())
}

/// A verdict for programs.
pub fn verdict_json(verdict: &Verdict) -> serde_json::Value {
    let listed = |refusals: &[Refusal]| -> Vec<_> {
        refusals.iter().map(|one| json!({"rule": one.rule, "error": one.error})).collect()
    };
    let api_error = verdict.api_error.as_ref().map(|one| json!({"line": one.line, "error": one.error}));
    let (accepted, errors) = match &verdict.acceptance {
        Acceptance::NotAsked => (None, Vec::new()),
        Acceptance::Accepted => (Some(true), Vec::new()),
        Acceptance::Refused(refusals) => (Some(false), listed(refusals)),
    };
    let left_out = &verdict.left_out;
    json!({
        "class": verdict.class.name(), "agent": verdict.agent, "messages": verdict.messages,
        "comes_back": verdict.comes_back, "without_bridges": verdict.without_bridges,
        "accepted": accepted, "errors": errors, "lost_bytes": verdict.lost.bytes,
        "sizes": verdict.sizes, "summarised": verdict.summarised.map(at_line), "left": verdict.left.map(at_line),
        "broken": verdict.broken, "lost_results": verdict.lost.results, "lost_parents": verdict.lost.parents,
        "fixed_by_client": listed(&verdict.fixed_by_client), "doubts": listed(&verdict.doubts),
        "api_error": api_error, "open_calls": verdict.open,
        "left_out": {
            "results": left_out.results, "first_result": left_out.first_result.map(|(_, line)| line),
            "records": left_out.records, "first_record": left_out.first_record,
        },
        "consequences": verdict.consequences(),
    })
}

/// So many messages, from a line on or at it.
fn at_line((messages, line): (u64, u64)) -> serde_json::Value {
    json!({"messages": messages, "line": line})
}
