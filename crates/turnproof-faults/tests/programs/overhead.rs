//! What a question costs beside the pipe itself.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use turnproof_rules::operation::RequestOptions;
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::Subject;
use turnproof_suite::subject::program::{Program, Setup};

use super::kits::kits;
use super::patient;

/// The messages of some cases, as lists.
fn lists() -> Vec<String> {
    let list = |case| format!("[{}]", Case::of(&Scenario::from_seed(1, case, Profile::Causal)).messages().join(","));
    (0..400).map(list).collect()
}

/// A bare pipe to a program that has answered `start`.
struct Bare {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    answer: String,
}

impl Bare {
    fn start(command: &str) -> Self {
        let mut child = Command::new("sh");
        let child = child.arg("-c").arg(format!("exec {command}"));
        let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
        let (input, output) = (child.stdin.take().expect("input"), child.stdout.take().expect("output"));
        let mut bare = Self { child, input, output: BufReader::new(output), answer: String::new() };
        bare.ask("{\"cmd\":\"start\",\"protocol\":1}\n");
        bare
    }

    fn ask(&mut self, line: &str) {
        self.input.write_all(line.as_bytes()).expect("a reader");
        self.answer.clear();
        self.output.read_line(&mut self.answer).expect("an answer");
    }

    fn stop(mut self) {
        drop(self.input);
        self.child.wait().expect("an end");
    }
}

/// What a question to a stub takes through a bare pipe, and here.
fn measured(setup: &Setup) -> (Duration, Duration) {
    let lists = lists();
    let options = RequestOptions::default();
    let question = |(seq, list): (usize, &String)| {
        format!(
            r#"{{"cmd":"run","seq":{seq},"operation":"normalize_api","input":{{"messages":{list},"options":{{}}}}}}"#
        ) + "\n"
    };
    let lines: Vec<String> = lists.iter().enumerate().map(question).collect();
    let program = Program::start(setup.clone()).expect("it starts");
    // Both processes live as long: an interpreter becomes faster while it runs.
    let mut bare = Bare::start(&setup.command);
    // The best of each question, asked both ways in turn: what else runs on the machine meets some of them alone.
    let mut best = vec![(Duration::MAX, Duration::MAX); lines.len()];
    for _ in 0..15 {
        for ((line, list), best) in lines.iter().zip(&lists).zip(&mut best) {
            let started = Instant::now();
            bare.ask(line);
            best.0 = best.0.min(started.elapsed());
            let started = Instant::now();
            program.normalize_api(list, &options);
            best.1 = best.1.min(started.elapsed());
        }
    }
    bare.stop();
    let each = lines.len() as u32;
    let (bare, through) = (
        best.iter().map(|times| times.0).sum::<Duration>() / each,
        best.iter().map(|times| times.1).sum::<Duration>() / each,
    );
    let bytes: usize = lines.iter().map(String::len).sum::<usize>() / lines.len();
    let share = bare.as_secs_f64() / through.as_secs_f64();
    eprintln!("{}\na question of {bytes} bytes: {bare:?} bare, {through:?} here: {share:.2}", setup.command);
    (bare, through)
}

#[test]
#[ignore = "it measures times: cargo test --release -p turnproof-faults -- --ignored"]
fn a_question_costs_at_most_10_us_beside_the_pipe() {
    let (bare, through) = measured(&patient("stub"));
    assert!(through < bare + Duration::from_micros(10), "{bare:?} bare, {through:?} here");
}

#[test]
#[ignore = "it measures times: cargo test --release -p turnproof-faults -- --ignored"]
fn a_kit_answers_at_least_four_fifths_of_what_it_answers_through_a_bare_pipe() {
    for kit in kits() {
        let (bare, through) = measured(&kit.stub());
        assert!(bare.as_secs_f64() >= 0.8 * through.as_secs_f64(), "{}: {bare:?} bare, {through:?} here", kit.runs);
    }
}
