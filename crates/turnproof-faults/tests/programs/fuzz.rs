//! A campaign against programs: each is named for what it does with some inputs, and the input is small.

use std::time::Duration;

use turnproof_rules::operation::{Host, Operation};
use turnproof_suite::fuzzing::campaign::{Corpus, Event, Find, Fuzzed, Options, Store, run};
use turnproof_suite::subject::program::{Limits, Program, Setup};
use turnproof_suite::subject::{Stop, Subject};

use super::setup;

struct Listening(Program);

impl Fuzzed for Listening {
    fn subject(&self) -> &dyn Subject {
        &self.0
    }

    fn last_words(&self) -> String {
        self.0.last_words()
    }
}

/// What a campaign finds of a reader that misbehaves at files that hold a NUL byte, and the inputs.
fn found(behaviour: &str, answer: Duration) -> Vec<(Find, Vec<u8>)> {
    let setup = setup(&format!("reader {behaviour}"));
    let limits = Limits { answer, memory: 96 << 20, ..setup.limits };
    let program = Program::start(Setup { limits, ..setup }).expect("it answers `start`");
    let folder = std::env::temp_dir().join(format!("turnproof-fuzz-{}-{behaviour}", std::process::id()));
    let mut store = Store::open(&folder).expect("a folder");
    let options = Options {
        operations: vec![Operation::Parse],
        seed: 1,
        inputs: Some(60),
        time: None,
        jobs: 2,
        tries: 300,
        host: Host::Portable,
        rules: turnproof_rules::rules::CATALOGUE.to_vec(),
        known: Vec::new(),
        now: String::new(),
    };
    let mut finds = Vec::new();
    let mut report = |event: Event<'_>| {
        if let Event::New(find, input) = event {
            finds.push((find.clone(), input.to_vec()));
        }
        Ok(())
    };
    let (corpus, stop) = (Corpus::default(), Stop::default());
    run(&Listening(program), &options, &corpus, &mut store, &stop, &mut report).expect("a campaign");
    std::fs::remove_dir_all(folder).expect("the folder");
    finds
}

/// The one find, which is a crash of this kind, and its input a NUL byte.
fn is_one_crash(behaviour: &str, answer: Duration, kind: &str) {
    let finds = found(behaviour, answer);
    assert_eq!(finds.len(), 1, "{behaviour}: {finds:#?}");
    let (find, input) = &finds[0];
    assert_eq!((find.rule.as_deref(), find.kind.as_str()), (None, kind), "{behaviour}");
    assert!(find.is_again && input.contains(&0), "{behaviour}: {find:?}");
    assert!(input.len() < find.before, "{behaviour}: {find:?}");
}

const PATIENT: Duration = Duration::from_secs(60);

#[test]
fn a_death_is_identified_by_its_error_and_place() {
    let kind = "crashed: with exit code 7: ValueError, File \"reader.py\", line 7, in parse";
    is_one_crash("dies", PATIENT, kind);
}

#[test]
fn a_hang_is_found_and_does_not_hold_up_the_campaign() {
    is_one_crash("hangs", Duration::from_millis(600), "timed-out");
}

#[cfg(target_os = "linux")]
#[test]
fn growing_memory_is_found() {
    is_one_crash("grows", PATIENT, "out-of-memory");
}

#[test]
fn what_is_no_answer_is_one_kind_whatever_it_says() {
    is_one_crash("prints", PATIENT, "no-answer");
}

#[test]
fn lost_lines_are_found_and_the_input_is_small() {
    let finds = found("loses", PATIENT);
    let (_, input) =
        finds.iter().find(|(find, _)| find.rule.as_deref() == Some("wire/every-byte-accounted")).expect("it");
    assert!(input.len() <= 4, "{input:?}");
}

#[test]
fn an_answer_that_is_another_one_the_next_time_is_found() {
    let finds = found("remembers", PATIENT);
    let rule = "wire/deterministic";
    let names_it = |find: &Find| find.name() == rule || find.beside.iter().any(|beside| beside.starts_with(rule));
    assert!(finds.iter().any(|(find, _)| names_it(find)), "{finds:#?}");
}
