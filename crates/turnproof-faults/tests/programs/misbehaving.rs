//! Programs that do not keep to the protocol, a real process for each.

use std::time::{Duration, Instant};

use turnproof_rules::operation::Operation;
use turnproof_suite::subject::program::{BadEnd, Program, Setup, StartError};
use turnproof_suite::suite::{Options, run};

use super::{hasty, judged, patient, rules, setup, start};

/// A run of a program that never answers is over long before this.
const SOON: Duration = Duration::from_secs(60);

/// Judges a program that never answers; it must be named for this.
fn ends_by(behaviour: &str, words: &str) {
    ends(behaviour, setup(behaviour), words);
}

/// As [`ends_by`], where it is the time that ends it.
fn ends_by_time(behaviour: &str, words: &str) {
    ends(behaviour, hasty(behaviour), words);
}

fn ends(behaviour: &str, setup: Setup, words: &str) {
    let started = Instant::now();
    let program = Program::start(setup).expect("it answers `start`");
    let report = judged(&program, 400);
    let ended = report.ended.as_ref().unwrap_or_else(|| panic!("{behaviour}: the run went on: {report:?}")).to_string();
    assert!(ended.contains("it crashed 10 times in a row at `short_id`"), "{behaviour}: {ended}");
    assert!(ended.contains(words), "{behaviour}: {ended}");
    assert!(!report.holds());
    assert!(started.elapsed() < SOON, "{behaviour} took {:?}", started.elapsed());
}

#[test]
fn a_program_that_hangs_is_ended() {
    ends_by_time("hangs", "it did not answer within 0.6 s");
}

#[test]
fn a_program_that_dies_is_named_with_its_exit_code_or_signal() {
    ends_by("dies", "it ended before it answered, with exit code 7");
    ends_by("aborts", "it ended before it answered, by signal 6");
}

#[test]
fn a_flood_is_cut() {
    ends_by("floods-output", "it printed more than 1048576 bytes without an end");
    ends_by_time("floods-errors", "it did not answer within 0.6 s");
}

#[test]
fn a_wrong_or_missing_seq_is_named() {
    ends_by("wrong-seq", "its answer has another `seq` than the question");
    ends_by("no-seq", "its answer has no `seq`");
}

#[test]
fn a_second_answer_to_one_question_is_not_taken_for_the_next_one() {
    ends_by("answers-twice", "its answer has another `seq` than the question");
}

#[test]
fn what_is_no_answer_is_quoted() {
    ends_by("garbage", "it printed a line that is no answer: thinking about it");
    ends_by("prints-before", "it printed a line that is no answer: debug: ");
    ends_by("no-utf8", "it printed a line that is no answer: \u{FFFD}\u{FFFD}");
    ends_by("says-nothing", "its answer has none of `output`, `rejected` and `unsupported`");
    ends_by("wrong-shape", "its output has another shape: `output`: missing field `short_id`");
}

#[test]
fn closed_streams_are_named() {
    ends_by("closes-output", "it closed its standard output, and went on");
    ends_by_time("closes-input", "it closed its standard input, and did not answer");
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_grows_is_ended_at_the_limit() {
    let mut setup = patient("grows");
    setup.limits.memory = 96 << 20;
    let report = judged(&Program::start(setup).expect("it answers `start`"), 400);
    assert!(report.ended.expect("an end").to_string().contains("it took more than 96 MiB of memory"));
}

#[test]
fn a_program_that_does_not_start_says_why() {
    let why = |behaviour: &str| start(behaviour).map(|_| ()).expect_err(behaviour).to_string();
    let dead = why("dies-at-start");
    assert!(dead.contains("it ended before it answered, with exit code 4"), "{dead}");
    assert!(dead.ends_with("it wrote to standard error:\n  no licence"), "{dead}");
    assert!(why("unknown-operation").contains("announces `make_tea`, which is no operation; there are parse, "));
    assert!(why("announces-nothing").contains("announces no operation"));
    let command = "no-such-program".to_owned();
    let missing = Program::start(Setup { command, ..setup("") }).map(|_| ());
    assert!(matches!(missing, Err(ref error @ StartError::NoProgram { .. }) if error.is_of_the_call()));
}

#[test]
fn a_crash_in_some_cases_is_a_finding_of_its_own_whatever_the_jobs() {
    let of_jobs = |jobs: usize| {
        let program = Program::start(Setup { jobs, ..patient("dies-of-some") });
        let program = program.expect("it answers `start`");
        let options = Options { cases: 60, threads: jobs, tries: 300, rules: rules(&program), ..Options::default() };
        let report = run(&program, &options, &[], &mut |_| {}).expect("threads");
        assert_eq!(program.stop(), None);
        report
    };
    let report = of_jobs(1);
    assert!(report.crashes > 0 && report.answers > 0, "{} and {}", report.crashes, report.answers);
    let crashes: Vec<_> = report.crashes().collect();
    assert_eq!(crashes.len(), 1, "one crash is reported once, not of each rule");
    assert_eq!(report.crashed_cases, report.crashes, "one operation is asked");
    let (operation, crash) = crashes[0];
    assert_eq!(operation, Operation::ShortId);
    let text = crash.to_string();
    assert!(text.starts_with("crashed: short_id (from case "), "{text}");
    assert!(text.contains("the subject crashed: it ended before it answered, with exit code 7; expected an answer"));
    for count in &report.counts {
        let judged = count.tested() + count.not_applicable;
        assert_eq!(judged + report.crashed_cases, report.cases, "a crash breaks no rule: {count:?}");
    }
    assert!(report.failures[0].crashed().is_some() && report.failures[1..].iter().all(|one| one.crashed().is_none()));
    assert_eq!(of_jobs(3), report);
}

#[test]
fn what_a_program_says_is_kept_beside_the_failure() {
    let program = start("dies").expect("it answers `start`");
    let ask = || {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            turnproof_suite::subject::Subject::short_id(&program, "u1")
        }))
    };
    let (_, heard) = program.listen(ask);
    assert_eq!(heard.len(), 1);
    assert!(heard[0].answer.is_err());
    assert_eq!(heard[0].said, "cannot go on");
}

#[test]
fn much_on_standard_error_holds_nobody_up() {
    let program = Program::start(patient("chats-on-errors")).expect("it answers `start`");
    let report = judged(&program, 20);
    assert_eq!((report.crashes, report.ended), (0, None));
}

#[test]
fn an_answer_that_depends_on_the_past_is_found() {
    let program = Program::start(patient("remembers")).expect("it answers `start`");
    let report = judged(&program, 60);
    assert!(!report.holds());
}

#[test]
fn a_bad_end_is_reported() {
    let ended = |behaviour: &str| {
        let program = start(behaviour).expect("it answers `start`");
        program.stop()
    };
    assert!(matches!(ended("ignores-stop"), Some(BadEnd::Ignored { .. })));
    assert!(matches!(ended("bad-exit"), Some(BadEnd::Code { how }) if how == "with exit code 9"));
    assert_eq!(Program::start(patient("answers")).expect("it answers `start`").stop(), None);
}

#[test]
fn what_is_not_done_is_counted_and_not_judged() {
    let program = Program::start(patient("unsupported")).expect("it answers `start`");
    let report = judged(&program, 20);
    assert!(program.unsupported() > 0);
    assert!(report.counts.iter().all(|count| count.held + count.broken == 0));
}
