//! What the official reader gives of a *repaired* session: at least what `turnproof resume` finds in the damaged one,
//! of the messages that it shows at all.

use std::collections::{BTreeMap, BTreeSet};

use turnproof_reference::message::FixedContext;
use turnproof_reference::repair::{RepairOptions, repair};
use turnproof_reference::transcript::{Flag, Record, Transcript};
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario};

use crate::adapter_claude_agent_sdk::{Ours, is_of_a_team, official};
use crate::transcripts;

/// A session by its name.
type Named = (String, Vec<u8>);

/// Each real transcript as it is, and with one damage, another one for each.
fn real() -> Vec<Named> {
    let mut sessions = Vec::new();
    for (number, path) in (0..).zip(transcripts::files()) {
        let file = std::fs::read(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let mut damages =
            SESSION_DAMAGES.iter().cycle().skip(number as usize % SESSION_DAMAGES.len()).take(SESSION_DAMAGES.len());
        let damaged = damages.find_map(|damage| Some((damage.name, damage.damage(&file, number)?)));
        sessions.extend(damaged.map(|(damage, damaged)| (format!("{name} with {damage}"), damaged)));
        sessions.push((name, file));
    }
    sessions
}

/// Generated conversations with each damage.
fn generated() -> Vec<Named> {
    let mut sessions = Vec::new();
    for case in 0..12 {
        let session = Scenario::from_seed(6, case, Profile::Causal).transcript();
        for damage in SESSION_DAMAGES {
            let damaged = damage.damage(&session, case);
            sessions.extend(damaged.map(|damaged| (format!("{case} with {}", damage.name), damaged)));
        }
    }
    sessions
}

/// The messages that `resume` finds and the official reader would show: none of a subagent, and none of a team, which the
/// client brings back.
fn shown(damaged: &[u8]) -> Vec<String> {
    let ours = Ours::of(damaged);
    let is_hidden = |record: &Record<'_>| record.head.has(Flag::Sidechain) || is_of_a_team(record);
    let hidden = ours.transcript.records().filter(is_hidden).filter_map(|record| Some(record.uuid()?.into_owned()));
    let hidden: BTreeSet<String> = hidden.collect();
    ours.shown.into_iter().filter(|uuid| !hidden.contains(uuid)).collect()
}

/// The records behind which a list brings back what a compaction preserved.
fn anchors(session: &[u8]) -> Vec<String> {
    let lines = String::from_utf8_lossy(session).into_owned();
    let records = lines.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let anchor = |record: serde_json::Value| {
        record.pointer("/compactMetadata/preservedMessages/anchorUuid")?.as_str().map(str::to_owned)
    };
    records.filter_map(anchor).collect()
}

/// Holds that the official reader shows of each repaired session what `resume` finds in the damaged one.
fn hold(sessions: &[Named], options: &RepairOptions) {
    let mut names = Vec::new();
    let (mut damaged, mut repaired) = (Vec::new(), Vec::new());
    for (name, session) in sessions {
        let transcript = Transcript::from_bytes(session.clone());
        if let Ok(repair) = repair(&transcript, options, &mut FixedContext::new(1)) {
            names.push(name);
            damaged.push(session.clone());
            repaired.push(repair.bytes);
        }
    }
    let (Some(before), Some(after)) = (official(&damaged), official(&repaired)) else { return };
    let mut less = BTreeMap::new();
    let [mut found, mut given, mut given_before] = [0; 3];
    let sessions = damaged.iter().zip(&repaired);
    for (((name, (session, repaired)), before), after) in names.iter().zip(sessions).zip(before).zip(after) {
        let (wanted, after) = (shown(session), after.unwrap_or_default());
        // This reader knows no lists of what a compaction preserved. Where links do not lead to its anchor, it misses that.
        let anchors = if options.for_old_readers { Vec::new() } else { anchors(repaired) };
        let is_missing = |uuid: &&String| !after.contains(uuid) && !anchors.contains(uuid);
        let missing: Vec<&String> = wanted.iter().filter(is_missing).collect();
        found += wanted.len();
        given += after.len();
        given_before += before.map_or(0, |before| before.len());
        if let Some(first) = missing.first() {
            let counts = format!("{} of {}, {} given", missing.len(), wanted.len(), after.len());
            less.insert(*name, format!("{counts}, {first} first"));
        }
    }
    eprintln!("{} sessions: {found} found, {given_before} given before and {given} after a repair", names.len());
    assert!(less.is_empty(), "missing: {less:#?}");
}

#[test]
fn of_a_repaired_session_the_official_reader_gives_what_resume_finds_in_the_damaged_one() {
    hold(&real(), &RepairOptions::default());
}

#[test]
fn of_a_session_repaired_for_old_readers_the_official_reader_gives_what_resume_finds_in_the_damaged_one() {
    hold(&real(), &RepairOptions { for_old_readers: true });
}

#[test]
fn of_a_generated_session_with_an_injury_the_official_reader_gives_what_resume_finds() {
    hold(&generated(), &RepairOptions::default());
}

#[test]
fn of_a_generated_session_repaired_for_old_readers_the_official_reader_gives_what_resume_finds() {
    hold(&generated(), &RepairOptions { for_old_readers: true });
}
