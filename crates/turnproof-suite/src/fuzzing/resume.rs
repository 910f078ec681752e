//! `resume`: any bytes, resumed as a transcript.

use crate::operation::{Operation, Resumed};
use crate::subject::Subject;
use crate::suite::{Depth, Observed};
use crate::transcript::Transcript;
use crate::transcript::resume::{Fate, ResumeOptions, Survey};

use super::mutate::Shape;
use super::record_resume::a_fork_gives_the_same_conversation;
use super::{Law, Target, hold, place};

/// Any bytes to a conversation.
pub const RESUME: Target = Target {
    name: "resume",
    title: "any file gives a conversation or the reason why not, a file cut short a beginning of it; memory grows \
            with the file alone, and the explanation says the same",
    law: Law::Bytes(resume),
    shape: Some(Shape::Transcript),
};

/// Bytes of memory for a byte of the file, at most: the shortest record takes three bytes.
const MEMORY_A_BYTE: usize = 128;

/// Bytes of memory that an empty file may take.
const LEAST_MEMORY: usize = 64 << 10;

fn resume(subject: &dyn Subject, bytes: &[u8], depth: Depth) {
    let ask = |file: &[u8]| subject.resume(file).into_answer();
    let Some(answer) = ask(bytes) else { return };
    let cut = place(depth, bytes.len() as u64 + 1);
    let cut_answer = ask(&bytes[..cut as usize]);
    let resumed = Resumed {
        file: bytes.to_vec(),
        answer,
        again: depth.asks(0, 4).then(|| ask(bytes)).flatten(),
        cuts: cut_answer.map(|answer| (cut, answer)).into_iter().collect(),
        continued: Vec::new(),
        recorded: None,
    };
    hold(&Observed::from(resumed), &[Operation::Resume]);
    the_survey_agrees(bytes);
    a_fork_gives_the_same_conversation(bytes);
}

/// Resume and explanation are two views of one survey, whose memory is linear in the file.
fn the_survey_agrees(bytes: &[u8]) {
    let transcript = Transcript::from_bytes(bytes.to_vec());
    let mut survey = Survey::default();
    transcript.records().for_each(|record| survey.note(&record));
    let (memory, most) = (survey.memory(), LEAST_MEMORY + MEMORY_A_BYTE * bytes.len());
    assert!(memory <= most, "memory grows with the file alone: {memory} bytes for {}", bytes.len());
    let options = ResumeOptions::default();
    let explained = survey.explain(&options);
    let found = survey.resume(&options);
    assert!(
        explained.not_found.is_some() == found.is_err(),
        "the explanation says the same: {:?} is not {:?}",
        explained.not_found,
        found.as_ref().err()
    );
    let comes_back = |fate| matches!(fate, Fate::ComesBack | Fate::PutBack | Fate::Recovered);
    let back = explained.records.iter().filter(|record| comes_back(record.fate));
    let mut back: Vec<u64> = back.map(|record| record.place.start).collect();
    let mut places: Vec<u64> = found.iter().flat_map(|found| &found.places).map(|place| place.start).collect();
    back.sort_unstable();
    places.sort_unstable();
    assert!(back == places, "the explanation says the same: records at {back:?} are not those at {places:?}");
}
