//! *Healthy* means the same to a verdict and to a repair: what is healthy a repair leaves byte for byte, and what a
//! repair makes is healthy.

use turnproof::check::{Acceptance, Class, Verdict, verdict};
use turnproof::repair::{Repair, RepairOptions, repair_broken};
use turnproof_reference::message::FixedContext;
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{ResumeOptions, resume};
use turnproof_rules::rules::{Judge, find};
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario};

use crate::transcripts;

/// Whether the only reason to refuse a conversation is one that no repair can fix: sizes, and what the caller set.
fn is_refused_beyond_repair(verdict: &Verdict) -> bool {
    let is_of_form =
        |rule: &str| find(rule).is_some_and(|rule| matches!(rule.judge, Judge::Request { structural: true, .. }));
    match &verdict.acceptance {
        Acceptance::Refused(refusals) => !refusals.iter().any(|refusal| is_of_form(refusal.rule)),
        _ => false,
    }
}

/// Holds that the verdict on a file and a repair of it agree, and that the repaired file is healthy; gives the repair.
fn agreed(name: &str, bytes: &[u8]) -> Option<Repair> {
    let transcript = Transcript::from_bytes(bytes.to_vec());
    let before = verdict(&transcript);
    if transcript.is_empty() || before.class == Class::NotASession {
        return None;
    }
    let mended = repair_broken(&transcript, &before, &RepairOptions::default(), &mut FixedContext::new(1)).ok()?;
    match before.class {
        Class::Healthy => assert!(mended.is_unchanged(), "{name}: healthy, and {:?}", mended.changes),
        Class::Damaged => assert!(!mended.is_unchanged(), "{name}: {before}, and nothing is changed"),
        _ => {}
    }
    assert_eq!(mended.is_unchanged(), mended.bytes == bytes, "{name}");
    let repaired = Transcript::from_bytes(mended.bytes.clone());
    let after = verdict(&repaired);
    let is_withdrawn = after.class == Class::Unreadable && before.comes_back == 0;
    let is_whole = after.class == Class::Healthy || is_refused_beyond_repair(&after) || is_withdrawn;
    assert!(is_whole, "{name}: {before}; after a repair {after}");
    let again = repair_broken(&repaired, &after, &RepairOptions::default(), &mut FixedContext::new(2)).unwrap();
    assert!(again.is_unchanged(), "{name}: a second repair does {:?}", again.changes);
    Some(mended)
}

/// The uuids of the conversation, in order.
fn conversation(bytes: &[u8]) -> Vec<String> {
    let transcript = Transcript::from_bytes(bytes.to_vec());
    let found = resume(&transcript, &ResumeOptions::default()).map(|found| found.places).unwrap_or_default();
    let uuid =
        |start: u64| transcript.records().find(|record| record.start == start)?.uuid().map(|uuid| uuid.into_owned());
    found.iter().filter_map(|place| uuid(place.start)).collect()
}

#[test]
fn what_the_verdict_calls_healthy_a_repair_leaves_and_what_a_repair_makes_is_healthy() {
    let mut healthy = 0;
    for profile in Profile::ALL {
        for case in 0..300 {
            let file = Scenario::from_seed(5, case, profile).transcript();
            let repair = agreed(&format!("{} {case}", profile.name()), &file);
            healthy += u32::from(repair.is_some_and(|repair| repair.is_unchanged()));
        }
    }
    assert!(healthy > 100, "only {healthy} files are healthy");
}

#[test]
fn every_injury_of_a_healthy_session_is_damage_that_a_repair_mends_and_no_message_is_lost() {
    let healthy: Vec<Vec<u8>> = (0..)
        .map(|case| Scenario::from_seed(6, case, Profile::Causal).transcript())
        .filter(|file| {
            let verdict = verdict(&Transcript::from_bytes(file.clone()));
            verdict.class == Class::Healthy && verdict.comes_back >= 6
        })
        .take(60)
        .collect();
    for damage in SESSION_DAMAGES {
        let mut times = 0;
        for (seed, session) in (0..).zip(&healthy) {
            let Some(damaged) = damage.damage(session, seed) else { continue };
            let name = format!("{} of session {seed}", damage.name);
            let found = conversation(&damaged);
            let repair = agreed(&name, &damaged).unwrap_or_else(|| panic!("{name}: no repair"));
            let mut left = conversation(&repair.bytes).into_iter();
            let lost = found.iter().find(|uuid| !left.any(|other| other == **uuid));
            assert_eq!(lost, None, "{name}");
            times += 1;
        }
        assert!(times > 0, "{} could not happen to any of {} sessions", damage.name, healthy.len());
    }
}

#[test]
fn real_transcripts_are_whole_after_a_repair_and_so_are_they_when_they_are_injured() {
    for (number, path) in (0..).zip(transcripts::files()) {
        let file = std::fs::read(&path).unwrap();
        let name = path.display().to_string();
        agreed(&name, &file);
        // One damage each, another one for each file.
        let from = number as usize % SESSION_DAMAGES.len();
        let mut damages = SESSION_DAMAGES.iter().cycle().skip(from).take(SESSION_DAMAGES.len());
        let damaged = damages.find_map(|damage| Some((damage.name, damage.damage(&file, number)?)));
        let Some((damage, damaged)) = damaged else { continue };
        let name = format!("{name} with {damage}");
        let found = conversation(&damaged);
        let repair = agreed(&name, &damaged);
        let mut left = repair.map(|repair| conversation(&repair.bytes)).unwrap_or_else(|| found.clone()).into_iter();
        assert_eq!(found.iter().find(|uuid| !left.any(|other| other == **uuid)), None, "{name}");
    }
}
