//! `record_resume`: a plan's conversation, recorded, resumed, forked and played.

use crate::message::FixedContext;
use crate::operation::Operation;
use crate::scenario::{Case, Profile, Scenario};
use crate::subject::Subject;
use crate::suite::Depth;
use crate::transcript::Transcript;
use crate::transcript::fork::{ForkError, fork};
use crate::transcript::resume::{ResumeOptions, resume};

use super::{Law, Target, keeps_the_rules};

/// A conversation to disk and back.
pub const RECORD_RESUME: Target = Target {
    name: "record_resume",
    title: "what is recorded comes back, once and in order, and a fork of it gives the same conversation",
    law: Law::Plan(record_resume, &Profile::ALL),
    shape: None,
};

fn record_resume(subject: &dyn Subject, scenario: &Scenario, depth: Depth) {
    let case = Case::of(scenario);
    let operations: &[Operation] = match scenario.profile() {
        Profile::Causal => &[Operation::Record, Operation::Resume, Operation::Play],
        _ => &[Operation::Record, Operation::Resume],
    };
    keeps_the_rules(subject, &case, operations, depth);
    a_fork_gives_the_same_conversation(case.transcript());
}

/// A fork of what a resume finds in a file is resumed to as many records, each under a new id.
pub(super) fn a_fork_gives_the_same_conversation(file: &[u8]) {
    let transcript = Transcript::from_bytes(file.to_vec());
    let Ok(found) = resume(&transcript, &ResumeOptions::default()) else { return };
    let place = |start| found.places.iter().position(|place| place.start == start);
    let mut records: Vec<_> = transcript.records().filter(|record| place(record.start).is_some()).collect();
    records.sort_by_key(|record| place(record.start));
    let copy = match fork(&records, None, &mut FixedContext::new(99), "a-fork") {
        Ok(lines) => Transcript::from_bytes(lines),
        // The new ids are the same each time, so a file may hold one of them.
        Err(ForkError::NoSpeaker | ForkError::RepeatedId(_)) => return,
        Err(error) => panic!("a conversation can be forked: {error}"),
    };
    let again = resume(&copy, &ResumeOptions::default()).map_or(0, |again| again.places.len());
    let wanted = found.places.len();
    assert!(again == wanted, "a fork gives the same conversation: {wanted} records became {again}");
    let is_new = |uuid: &str| !records.iter().any(|record| record.uuid().as_deref() == Some(uuid));
    let mut uuids = copy.records().filter_map(|record| record.uuid().map(|uuid| uuid.into_owned()));
    assert!(uuids.all(|uuid| is_new(&uuid)), "a fork has new ids: one is old");
}
