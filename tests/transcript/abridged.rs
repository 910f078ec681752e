//! A verdict reads most messages *abridged*, and says what it would say of them as they are.

use std::collections::HashSet;

use turnproof::check::{Acceptance, Verdict, verdict};
use turnproof_reference::message::{Content, Entry, Event, Message};
use turnproof_reference::repair::{GoneOn, Refusal, go_on, without_content};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::Survey;
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{Rule, Severity, Violation, find};
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario};

use crate::transcripts;

/// What the rules on requests say of the whole conversation: refusals, and messages without content; of which rules
/// the client of today fixes what it breaks.
fn judged_as_it_is(transcript: &Transcript) -> (Acceptance, Option<u64>, Vec<&'static str>) {
    let mut survey = Survey::default();
    transcript.records().for_each(|record| survey.note(&record));
    let Ok(resume) = survey.conversation().found else { return (Acceptance::NotAsked, None, Vec::new()) };
    let at = |start: u64| transcript.records().find(|record| record.start == start);
    let records = resume.places.iter().filter_map(|place| at(place.start));
    let events: Vec<Event> = records
        .filter_map(|record| match record.entry() {
            Ok(Entry::Event(event)) => Some(event),
            _ => None,
        })
        .collect();
    let silent = Some(without_content(&events).len() as u64).filter(|silent| *silent > 0);
    let has_empty_prompt = events.iter().any(is_empty_prompt);
    let Some(GoneOn { mut violations, fixed, .. }) = go_on(events, 0, Host::Anthropic) else {
        return (Acceptance::NotAsked, silent, Vec::new());
    };
    let is_left = |(rule, _): &(&Rule, Violation)| has_empty_prompt && rule.id == "api/no-empty-text";
    let (left, fixed): (Vec<_>, Vec<_>) = fixed.into_iter().partition(is_left);
    violations.extend(left);
    let is_sure = |(rule, violation): &(&Rule, Violation)| {
        violation.error.is_some() && rule.severity_of(violation) == Severity::Error
    };
    let refusals = violations.into_iter().filter(is_sure).map(|(rule, violation)| Refusal::of(rule.id, violation));
    let refusals: Vec<Refusal> = refusals.collect();
    let fixed = fixed.into_iter().filter(is_sure).map(|(rule, _)| rule.id).collect();
    (if refusals.is_empty() { Acceptance::Accepted } else { Acceptance::Refused(refusals) }, silent, fixed)
}

/// Whether a refusal comes of the other reading of split replies, which is not asked here.
fn is_of_split(refusal: &Refusal) -> bool {
    refusal.rule == "pairing/server-tools" && refusal.error.contains("unexpected `tool_use_id`")
}

/// Whether a message is a prompt of no letter, which no client fixes.
fn is_empty_prompt(event: &Event) -> bool {
    let Some(Message::User(user)) = event.message() else { return false };
    matches!(user.content(), Some(Content::Text(text)) if text.is_empty())
}

/// Whether two say the same; a verdict may name the rule on transcripts that finds a refusal too.
fn is_same(verdict: &Acceptance, expected: &Acceptance) -> bool {
    let names = |rule: &str, refused: &str| rule == refused || find(rule).unwrap().refused_as.contains(&refused);
    match (verdict, expected) {
        (Acceptance::Refused(said), Acceptance::Refused(expected)) => {
            let mut pairs = said.iter().zip(expected);
            said.len() >= expected.len()
                && said.iter().skip(expected.len()).all(is_of_split)
                && pairs.all(|(said, expected)| names(said.rule, expected.rule) && said.error == expected.error)
        }
        (Acceptance::Refused(said), Acceptance::Accepted) => said.iter().all(is_of_split),
        (said, expected) => said == expected,
    }
}

/// Holds that a verdict says what the whole conversation is.
fn agrees(name: &str, file: Vec<u8>, refusals: &mut HashSet<&'static str>) {
    let transcript = Transcript::from_bytes(file);
    let Verdict { acceptance, broken, fixed_by_client, api_error, .. } = verdict(&transcript);
    let (expected, silent, fixed) = judged_as_it_is(&transcript);
    assert!(is_same(&acceptance, &expected), "{name}: {acceptance:?} is not {expected:?}");
    // What the API told of is not fixed.
    if api_error.is_none() && acceptance != Acceptance::NotAsked {
        let names =
            |said: &Refusal, fixed: &str| said.rule == fixed || find(said.rule).unwrap().refused_as.contains(&fixed);
        let is_same = fixed_by_client.len() == fixed.len()
            && fixed_by_client.iter().zip(&fixed).all(|(said, fixed)| names(said, fixed));
        assert!(is_same, "{name}: {fixed_by_client:?} is not {fixed:?}");
    }
    if silent.is_some() {
        assert_eq!(broken.get("message/content-not-empty").copied(), silent, "{name}");
    }
    if let Acceptance::Refused(of) = acceptance {
        refusals.extend(of.iter().map(|refusal| refusal.rule));
    }
}

#[test]
fn a_verdict_says_of_generated_and_of_damaged_sessions_what_their_whole_conversation_is() {
    let mut refusals = HashSet::new();
    for profile in Profile::ALL {
        for case in 0..200 {
            let file = Scenario::from_seed(11, case, profile).transcript();
            for damage in SESSION_DAMAGES.iter().filter(|_| case % 4 == 0 && !file.is_empty()) {
                if let Some(damaged) = damage.damage(&file, case) {
                    agrees(&format!("{} of {} {case}", damage.name, profile.name()), damaged, &mut refusals);
                }
            }
            agrees(&format!("{} {case}", profile.name()), file, &mut refusals);
        }
    }
    assert!(refusals.len() > 8, "only {refusals:?} are broken");
}

#[test]
fn a_verdict_says_of_real_sessions_what_their_whole_conversation_is() {
    let mut refusals = HashSet::new();
    for path in transcripts::files() {
        agrees(&path.display().to_string(), std::fs::read(&path).unwrap(), &mut refusals);
    }
}
