//! A *crash* can leave any beginning of a file. Generated transcripts are cut at every byte, resumed, and continued:
//! 200 of them in release builds, a few small ones in debug builds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use turnproof_rules::operation::go_on;
use turnproof_rules::operation::{ResumeAnswer, Resumed};
use turnproof_rules::rules::{Judge, ResumeEvidence, Verdict, find};
use turnproof_suite::scenario::{Profile, Scenario};
use turnproof_suite::subject::{Reference, Subject};

/// How many transcripts are cut, and how long they are at least and at most, in bytes.
const WHOLE: (usize, usize, usize) = (200, 1_500, 8_000);
const SAMPLE: (usize, usize, usize) = (3, 1_000, 2_500);

/// How many cuts are judged at once.
const BATCH: usize = 256;

#[test]
fn a_file_cut_at_any_byte_gives_a_beginning_and_continues() {
    let (count, least, most) = if cfg!(debug_assertions) { SAMPLE } else { WHOLE };
    let transcripts = transcripts(count, least, most);
    let next = AtomicUsize::new(0);
    let cuts = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(file) = transcripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    cuts.fetch_add(cut_everywhere(file), Ordering::Relaxed);
                }
            });
        }
    });
    eprintln!("{count} transcripts, {} cuts", cuts.into_inner());
}

/// Generated transcripts of a size.
fn transcripts(count: usize, least: usize, most: usize) -> Vec<Vec<u8>> {
    let all = (0..).map(|case| Scenario::from_seed(99, case, Profile::Causal).transcript());
    all.filter(|file| (least..most).contains(&file.len())).take(count).collect()
}

/// Cuts a file at every byte and judges the result. Returns the number of cuts.
fn cut_everywhere(file: &[u8]) -> usize {
    let places: Vec<u64> = (0..=file.len() as u64).collect();
    for batch in places.chunks(BATCH) {
        let resumed = Resumed {
            file: file.to_vec(),
            answer: resume(file),
            again: None,
            cuts: batch.iter().map(|&cut| (cut, resume(&file[..cut as usize]))).collect(),
            continued: batch.iter().map(|&cut| go_on(&Reference, file, cut).expect("it continues")).collect(),
            recorded: None,
        };
        let evidence = ResumeEvidence::new(&resumed);
        for rule in ["resume/crash-prefix", "resume/then-continue"] {
            let Some(Judge::Resume(judge)) = find(rule).map(|rule| rule.judge) else { panic!("no rule {rule}") };
            match judge(&evidence) {
                Verdict::Holds => {}
                Verdict::Broken(violations) => panic!(
                    "{rule}: {}; expected {}\n{}",
                    violations[0].found,
                    violations[0].expected,
                    String::from_utf8_lossy(file)
                ),
                Verdict::NotApplicable(why) => panic!("{rule} was not asked: {why}"),
            }
        }
    }
    places.len()
}

fn resume(file: &[u8]) -> ResumeAnswer {
    Reference.resume(file).into_answer().expect("the reference resumes")
}
