//! What a question costs beside the pipe itself.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use turnproof::operation::RequestOptions;
use turnproof::scenario::{Case, Profile, Scenario};
use turnproof::subject::Subject;
use turnproof::subject::program::Program;

use super::patient;

/// The messages of some cases, as lists.
fn lists() -> Vec<String> {
    let list = |case| format!("[{}]", Case::of(&Scenario::from_seed(1, case, Profile::Causal)).messages().join(","));
    (0..400).map(list).collect()
}

/// How long a bare pipe takes for these lines.
fn bare(lines: &[String]) -> Duration {
    let mut child = Command::new(env!("CARGO_BIN_EXE_misbehaving"));
    let mut child = child.arg("stub").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a process");
    let (mut input, output) = (child.stdin.take().expect("input"), child.stdout.take().expect("output"));
    let (mut output, mut answer) = (BufReader::new(output), String::new());
    let started = Instant::now();
    for line in lines {
        input.write_all(line.as_bytes()).expect("a reader");
        answer.clear();
        output.read_line(&mut answer).expect("an answer");
    }
    let took = started.elapsed();
    drop(input);
    child.wait().expect("an end");
    took
}

#[test]
#[ignore = "it measures times: cargo test --release -p turnproof-faults --test programs -- --ignored"]
fn a_question_costs_little_more_than_the_pipe() {
    let lists = lists();
    let options = RequestOptions::default();
    let question = |(seq, list): (usize, &String)| {
        format!(
            r#"{{"cmd":"run","seq":{seq},"operation":"normalize_api","input":{{"messages":{list},"options":{{}}}}}}"#
        ) + "\n"
    };
    let lines: Vec<String> = lists.iter().enumerate().map(question).collect();
    let program = Program::start(patient("stub")).expect("it starts");
    let through = || {
        let started = Instant::now();
        for list in &lists {
            program.normalize_api(list, &options);
        }
        started.elapsed()
    };
    let times: Vec<(Duration, Duration)> = (0..15).map(|_| (bare(&lines), through())).collect();
    let best = |of: fn(&(Duration, Duration)) -> Duration| times.iter().map(of).min().expect("times");
    let (bare, through) = (best(|times| times.0), best(|times| times.1));
    let bytes: usize = lines.iter().map(String::len).sum();
    let share = bare.as_secs_f64() / through.as_secs_f64();
    eprintln!(
        "{} questions of {} bytes: {bare:?} bare, {through:?} here: {share:.2}",
        lines.len(),
        bytes / lines.len()
    );
    assert!(share >= 0.8, "{share:.2} of what a bare pipe gives");
}
