//! The *report* of a repair: each change with its line and rule, how the session was and is, and how to open it.

use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::Outcome;
use super::account::Account;
use super::in_place::Written;
use crate::check::{Class, quoted};
use crate::report::{count, json_line, verdict_json};
use turnproof_reference::repair::{Change, Repair};

/// The options that give something up.
const GIVING_UP: [&str; 2] = ["--drop", "--shrink-results"];

/// So many changes of a session are shown to people.
const SHOWN: usize = 40;

pub(super) fn print(out: &mut impl Write, outcome: &Outcome<'_>, as_json: bool) -> io::Result<()> {
    if as_json {
        return json_line(out, &as_value(outcome));
    }
    let Outcome { name, before, repaired, written, .. } = outcome;
    let (repair, after) = match repaired {
        Err(why) => {
            writeln!(out, "{name}: cannot be repaired: {why}")?;
            writeln!(out, "  as it is: {}", before)?;
            return print_helpful(out, outcome);
        }
        Ok((repair, after)) if repair.is_unchanged() => {
            match after.class.is_broken() || !outcome.helpful.is_empty() {
                _ if outcome.is_asked => writeln!(out, "{name}: nothing of what the options name is in it")?,
                true => {
                    let why = match outcome.helpful.is_empty() {
                        true => "no repair is known that helps",
                        false => "nothing is left to repair without giving something up",
                    };
                    writeln!(out, "{name}: {why}\n  as it is: {after}")?;
                }
                false => writeln!(out, "{name}: needs no repair")?,
            }
            if after.left.is_some() && !outcome.is_asked {
                writeln!(out, "  as it is: {after}")?;
                writeln!(out, "  the branches: {}; --take LINE makes one the end", after.explaining(name))?;
            }
            print_helpful(out, outcome)?;
            return written.iter().try_for_each(|written| told(out, outcome, written));
        }
        Ok((repair, after)) => (repair, after),
    };
    let account = Account::of(repair);
    writeln!(out, "{name}: {}", account.in_words())?;
    let mut lines: Vec<(u64, &str, String)> =
        repair.changes.iter().map(|change| (change.line, change.rule, change.what.clone())).collect();
    lines.extend(repair.removed.iter().map(|removed| {
        let bytes = count(removed.bytes.len() as u64);
        (removed.line, removed.rule, format!("{bytes} bytes removed: {}", removed.reason))
    }));
    lines.sort();
    for (line, rule, what) in lines.iter().take(SHOWN) {
        writeln!(out, "  line {line}: {what} ({rule})")?;
    }
    if lines.len() > SHOWN {
        writeln!(out, "  and {} more; --format json shows them all", count((lines.len() - SHOWN) as u64))?;
    }
    writeln!(out, "  before: {}", before)?;
    match account.is_without_loss() {
        true => writeln!(out, "  after:  {after}")?,
        // What is empty is not healthy, though the API takes it.
        false => writeln!(out, "  after:  {}", after.consequences().join("; "))?,
    }
    account.lost_in_words().iter().try_for_each(|lost| writeln!(out, "  {lost}"))?;
    print_helpful(out, outcome)?;
    match written {
        Some(written) => told(out, outcome, written),
        None => writeln!(out, "  nothing is written: say --in-place, or -o FILE"),
    }
}

/// Which options help where a repair does not.
fn print_helpful(out: &mut impl Write, outcome: &Outcome<'_>) -> io::Result<()> {
    for option in &outcome.helpful {
        writeln!(out, "  what helps: turnproof repair {option} {}", quoted(outcome.name))?;
    }
    for option in &outcome.helpful_if_refused {
        writeln!(out, "  if the API refuses it: turnproof repair {option} {}", quoted(outcome.name))?;
    }
    if outcome.session_ids > 1 && outcome.repaired.as_ref().is_ok_and(|(repair, _)| repair.is_unchanged()) {
        let count = outcome.session_ids;
        writeln!(out, "  its records name {count} sessions; --one-session-id gives them one id")?;
    }
    Ok(())
}

/// What was written, and how to open it.
fn told(out: &mut impl Write, outcome: &Outcome<'_>, written: &Written) -> io::Result<()> {
    writeln!(out, "  written: {}", written.path.display())?;
    if let Some(backup) = &written.backup {
        writeln!(out, "  the file before: {}", backup.display())?;
    }
    if let Some(removed) = &written.removed {
        writeln!(out, "  what was removed: {}", removed.display())?;
    }
    if let Some(folder) = &outcome.folder {
        writeln!(out, "  the client looks for it in ~/.claude/projects/{folder}/")?;
    }
    let Some(session) = &outcome.session else { return Ok(()) };
    let is_copy = written.backup.is_none() && outcome.folder.is_none() && outcome.name != "-";
    let moved = is_copy.then(|| format!("mv {} {} && ", quoted(&written.path.to_string_lossy()), quoted(outcome.name)));
    writeln!(out, "  open it with: {}claude --resume {session}", moved.unwrap_or_default())
}

fn as_value(outcome: &Outcome<'_>) -> Value {
    let options = outcome.helpful.clone();
    let path = |path: &std::path::PathBuf| path.display().to_string();
    let mut value = json!({ "kind": "repair", "file": outcome.name, "session": outcome.session });
    value["before"] = verdict_json(&outcome.before);
    match &outcome.repaired {
        Err(why) => value["error"] = why.to_string().into(),
        Ok((repair, after)) => {
            let account = Account::of(repair);
            value["after"] = verdict_json(after);
            // What is empty is not healthy, though the API takes it.
            if after.class == Class::Healthy && !account.is_without_loss() {
                value["after"]["class"] = "emptied".into();
            }
            value["account"] = account.as_value();
            value["changes"] = repair.changes.iter().map(change).collect();
            value["removed"] =
                repair.removed.iter().map(|gone| piece(gone.line, gone.rule, &gone.reason, &gone.bytes)).collect();
        }
    }
    if !options.is_empty() {
        value["what_helps"] = options.into();
    }
    if !outcome.helpful_if_refused.is_empty() {
        value["what_helps_if_refused"] = outcome.helpful_if_refused.clone().into();
    }
    if let Some(written) = &outcome.written {
        value["written"] = path(&written.path).into();
        value["backup"] = written.backup.as_ref().map(path).into();
        value["removed_to"] = written.removed.as_ref().map(path).into();
    }
    value
}

fn change(change: &Change) -> Value {
    let Change { line, rule, what, before, after } = change;
    json!({ "line": line, "rule": rule, "what": what, "before": bytes(before), "after": bytes(after) })
}

fn piece(line: u64, rule: &str, reason: &str, piece: &[u8]) -> Value {
    json!({ "line": line, "rule": rule, "reason": reason, "bytes": bytes(piece) })
}

/// Bytes as a text, or as `{"base64": …}` where they are not UTF-8.
fn bytes(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "base64": BASE64_STANDARD.encode(bytes) }),
    }
}

/// The lines of `FILE.removed.jsonl`: pieces that were removed, and what was taken out of records.
pub(super) fn removed_lines(repair: &Repair) -> Vec<u8> {
    let is_lost = |change: &&Change| change.after.is_empty() || GIVING_UP.contains(&change.rule);
    let taken = repair.changes.iter().filter(|change| is_lost(change) && !change.before.is_empty());
    let taken = taken.map(|change| piece(change.line, change.rule, &change.what, &change.before));
    let removed = repair.removed.iter().map(|gone| piece(gone.line, gone.rule, &gone.reason, &gone.bytes));
    let lines = removed.chain(taken).map(|line| format!("{line}\n"));
    lines.collect::<String>().into_bytes()
}
