//! Subjects that are programs: whatever they do, the run ends, and each is named for what it did. And the programs that
//! judge a subject in Rust.

mod conformance;
mod fuzz;
mod kits;
mod misbehaving;
mod overhead;
mod pipe;

use std::time::Duration;

use turnproof_rules::rules::{CATALOGUE, Rule};
use turnproof_suite::subject::Stop;
use turnproof_suite::subject::program::{Limits, Program, Setup, StartError};
use turnproof_suite::suite::{Options, Report, run};

/// A program of this package that misbehaves, with limits that are soon reached but that of an answer: the machine may
/// be busy.
fn setup(behaviour: &str) -> Setup {
    let limits = Limits {
        answer: Duration::from_secs(60),
        stop: Duration::from_millis(600),
        memory: 96 << 20,
        line: 1 << 20,
        ..Limits::default()
    };
    let command = format!("'{}' {behaviour}", env!("CARGO_BIN_EXE_misbehaving"));
    Setup { command, limits, jobs: 2, once: None, stop: Stop::default() }
}

/// One that has to answer soon.
fn hasty(behaviour: &str) -> Setup {
    let setup = setup(behaviour);
    Setup { limits: Limits { answer: Duration::from_millis(600), ..setup.limits }, ..setup }
}

/// One that is not misbehaving, and may take its time and memory.
fn patient(behaviour: &str) -> Setup {
    Setup { limits: Limits { answer: Duration::from_secs(60), ..Limits::default() }, ..setup(behaviour) }
}

fn start(behaviour: &str) -> Result<Program, StartError> {
    Program::start(setup(behaviour))
}

/// The rules on the first operation that a program announces.
fn rules(program: &Program) -> Vec<&'static Rule> {
    let first = &program.announcement().operations[0];
    CATALOGUE.iter().copied().filter(|rule| rule.operation().name() == first).collect()
}

fn judged(program: &Program, cases: u64) -> Report {
    let options = Options { cases, threads: 2, tries: 300, rules: rules(program), ..Options::default() };
    run(program, &options, &[], &mut |_| {}).expect("threads")
}
