//! Thousands of small files with anything in any order: what holds for each of them.

use std::collections::HashSet;

use turnproof_reference::message::FixedContext;
use turnproof_reference::transcript::fork::{ForkError, fork};
use turnproof_reference::transcript::resume::{Survey, resume_file};
use turnproof_rules::rules::right_resume;

use super::*;

/// Random numbers, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    /// A uuid: mostly of a record nearby.
    fn uuid(&mut self, near: u64) -> String {
        let number = if self.one_in(4) { self.below(14) } else { near.saturating_sub(self.below(3)) };
        format!("u{number}")
    }

    fn uuids(&mut self, near: u64) -> Vec<String> {
        (0..self.below(4)).map(|_| self.uuid(near)).collect()
    }

    fn file(&mut self) -> Vec<Line> {
        let count = 1 + self.below(12);
        (0..count).map(|at| self.record(at)).collect()
    }

    /// A reply with two calls, and what clients write behind it that do not know of each other.
    fn file_of_clients(&mut self) -> Vec<Line> {
        let mut lines = session("user u0 -; call u1 u0 m0 t0; call u2 u1 m0 t1");
        for at in 3..8 + self.below(8) {
            let uuid = format!("u{at}");
            let call = self.below(2);
            let is_beside = self.one_in(3);
            let parent = if is_beside { format!("u{}", 1 + call) } else { self.uuid(at - 1) };
            let line = match self.below(8) {
                0..4 => {
                    let result = results(&uuid, &format!("u{}", 1 + call), &[&format!("t{call}")]);
                    if self.one_in(2) { result.with("toolDenialKind", "interrupted") } else { result }
                }
                4 => user(&uuid, &parent),
                5 => assistant(&uuid, &parent, &format!("m{}", self.below(4))),
                6 => call_of(&uuid, &parent, self.below(3)),
                _ if self.one_in(4) => boundary(&uuid, self.metadata(at)),
                _ => notice(&uuid, &parent),
            };
            lines.push(if self.one_in(8) { self.flags(line, at) } else { line });
        }
        lines
    }

    fn record(&mut self, at: u64) -> Line {
        let uuid = if self.one_in(12) { self.uuid(at) } else { format!("u{at}") };
        let parent = match self.below(10) {
            0 => "-".to_owned(),
            1 => "?".to_owned(),
            2 => "lost".to_owned(),
            _ => self.uuid(at.saturating_sub(1)),
        };
        let reply = format!("m{}", self.below(4));
        let line = match self.below(12) {
            0..3 => user(&uuid, &parent),
            3 => assistant(&uuid, &parent, &reply),
            4 | 5 => call(&uuid, &parent, &reply, &format!("t{}", self.below(4))),
            6 | 7 => {
                let calls: Vec<String> = (0..1 + self.below(2)).map(|_| format!("t{}", self.below(4))).collect();
                let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
                let line = results(&uuid, &parent, &calls);
                if self.one_in(3) { line.with("toolDenialKind", "interrupted") } else { line }
            }
            8 => notice(&uuid, &parent),
            9 => progress(&uuid, &parent),
            10 => boundary(&uuid, self.metadata(at)),
            _ => line("attachment", &uuid, &parent),
        };
        self.flags(line, at)
    }

    fn metadata(&mut self, at: u64) -> Value {
        let [head, anchor, tail] = [at, at + 1, at].map(|near| self.uuid(near));
        match self.below(3) {
            0 => Value::Null,
            1 => json!({"preservedSegment": {"headUuid": head, "anchorUuid": anchor, "tailUuid": tail}}),
            _ => json!({"preservedMessages":
                {"anchorUuid": anchor, "uuids": self.uuids(at), "allUuids": self.uuids(at)}}),
        }
    }

    fn flags(&mut self, mut line: Line, at: u64) -> Line {
        for (member, rarity) in [("isMeta", 9), ("isVirtual", 20), ("isSidechain", 15), ("isApiErrorMessage", 15)] {
            if self.one_in(rarity) {
                line = line.with(member, true);
            }
        }
        if self.one_in(9) {
            line = line.with("supersedesUuids", self.uuids(at));
        }
        if self.one_in(6) {
            line = line.with("sourceToolAssistantUUID", self.uuid(at));
        }
        if self.one_in(9) { line.with("sessionId", "s2") } else { line }
    }
}

/// A line of a reply of its own with a call.
fn call_of(uuid: &str, parent: &str, number: u64) -> Line {
    call(uuid, parent, &format!("m{}", number + 1), &format!("t{number}"))
}

/// Calls a function with files, their conversations and the uuids of these. Returns their number.
fn each(files: u64, mut judge: impl FnMut(&[Line], &[u8], &Resume, &str)) -> u64 {
    let mut conversations = 0;
    for seed in 0..files {
        let lines = Dice(seed).file();
        let bytes = file(&lines);
        if let Ok((uuids, resume)) = resumed(&bytes, &ResumeOptions::default()) {
            judge(&lines, &bytes, &resume, &uuids);
            conversations += 1;
        }
    }
    conversations
}

#[test]
fn what_comes_back_is_of_the_conversation_and_comes_once() {
    let conversations = each(3_000, |lines, bytes, resume, uuids| {
        let different: HashSet<&str> = uuids.split(' ').collect();
        assert_eq!(different.len(), resume.places.len(), "{}", String::from_utf8_lossy(bytes));
        for place in &resume.places {
            let record = &lines[place.line as usize - 1].0;
            assert!(record["type"] != "progress" && record["isVirtual"] != true && record["isSidechain"] != true);
            let later = &lines[place.line as usize..];
            let is_named = |line: &Line| {
                line.0["isSidechain"] != true
                    && line.0["supersedesUuids"].as_array().is_some_and(|uuids| uuids.contains(&record["uuid"]))
            };
            assert!(!later.iter().any(is_named), "{}", String::from_utf8_lossy(bytes));
        }
    });
    assert!(conversations > 2_000, "{conversations}");
}

#[test]
fn a_fork_resumes_to_the_same_conversation() {
    let mut forks = 0;
    each(1_000, |_, bytes, resume, uuids| {
        let transcript = Transcript::from_bytes(copied(bytes, resume));
        let whole: Vec<_> = transcript.records().collect();
        for (place, until) in uuids.split(' ').enumerate() {
            let copy = match fork(&whole, Some(until), &mut FixedContext::new(3), "s9") {
                Err(ForkError::NoSpeaker) => continue,
                copy => copy.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes))),
            };
            let (again, found) = resumed(&copy, &ResumeOptions::default()).unwrap();
            assert_eq!(found.places.len(), place + 1);
            let records = records(&copy);
            let origins = records.iter().map(|record| record["forkedFrom"]["messageUuid"].as_str().unwrap());
            assert!(origins.eq(uuids.split(' ').take(place + 1)), "{records:#?}");
            assert_eq!(again.split(' ').count(), place + 1);
            forks += 1;
        }
    });
    assert!(forks > 2_000, "{forks}");
}

#[test]
fn parts_that_are_surveyed_apart_and_joined_give_the_same() {
    each(300, |lines, bytes, resume, _| {
        for cut in 0..=lines.len() {
            let whole = |lines: &[Line]| {
                let (mut survey, transcript) = (Survey::default(), Transcript::from_bytes(file(lines)));
                transcript.records().for_each(|record| survey.note(&record));
                survey
            };
            let (mut survey, rest) = (whole(&lines[..cut]), whole(&lines[cut..]));
            survey.append(rest, cut as u64);
            let joined = survey.resume(&ResumeOptions::default()).unwrap();
            let lines = |resume: &Resume| resume.places.iter().map(|place| place.line).collect::<Vec<_>>();
            assert_eq!(lines(&joined), lines(resume), "{cut}: {}", String::from_utf8_lossy(bytes));
        }
        assert_eq!(&resume_file(bytes, &ResumeOptions::default()).unwrap().unwrap(), resume);
    });
}

#[test]
fn the_model_of_the_rules_finds_the_same() {
    each(10_000, |_, bytes, resume, _| assert_as_the_model(bytes, resume));
    let mut turns = 0;
    for seed in 0..10_000 {
        let bytes = file(&Dice(seed).file_of_clients());
        let Ok((_, resume)) = resumed(&bytes, &ResumeOptions::default()) else { continue };
        assert_as_the_model(&bytes, &resume);
        turns += u64::from(resume.notes.iter().any(|note| matches!(note.kind, NoteKind::TurnBack { .. })));
    }
    assert!(turns > 100, "{turns}");
}

fn assert_as_the_model(bytes: &[u8], resume: &Resume) {
    let (records, order) = right_resume(bytes);
    let starts: Vec<u64> = order.iter().map(|&record| records[record].range.start as u64).collect();
    let ours: Vec<u64> = resume.places.iter().map(|place| place.start).collect();
    assert_eq!(ours, starts, "{}", String::from_utf8_lossy(bytes));
}
