//! A *crash* leaves any beginning of a file: generated transcripts are cut at every byte, resumed, and gone on
//! with. All of 200 of them in release, a few small ones in debug builds.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use turnproof::operation::{Continued, RecordStep, ResumeAnswer, Resumed};
use turnproof::rules::{Judge, ResumeEvidence, Verdict, find};
use turnproof::scenario::{Profile, Scenario};
use turnproof::subject::{Outcome, Reference, Subject};

/// How many transcripts are cut, and how long they are at least and at most, in bytes.
const WHOLE: (usize, usize, usize) = (200, 1_500, 8_000);
const SAMPLE: (usize, usize, usize) = (3, 1_000, 2_500);

/// How many cuts are judged at once.
const BATCH: usize = 256;

const SESSION: &str = "5e551011-0000-4000-8000-000000000001";

/// What is recorded after a resume: a prompt and its answer.
const MORE: [(&str, &str); 2] = [
    (
        "99999999-0000-4000-8000-000000000001",
        r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000001","message":{"role":"user","content":"more"}}"#,
    ),
    (
        "99999999-0000-4000-8000-000000000002",
        r#"{"type":"assistant","uuid":"99999999-0000-4000-8000-000000000002","message":{"id":"msg_more","role":"assistant","content":[{"type":"text","text":"indeed"}]}}"#,
    ),
];

#[test]
fn a_file_cut_at_any_byte_gives_a_beginning_and_goes_on() {
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

/// Cuts a file at every byte and judges what comes of it; gives the number of cuts.
fn cut_everywhere(file: &[u8]) -> usize {
    let places: Vec<u64> = (0..=file.len() as u64).collect();
    for batch in places.chunks(BATCH) {
        let resumed = Resumed {
            file: file.to_vec(),
            answer: resume(file),
            again: None,
            cuts: batch.iter().map(|&cut| (cut, resume(&file[..cut as usize]))).collect(),
            continued: batch.iter().map(|&cut| go_on(file, cut)).collect(),
            recorded: None,
        };
        let evidence = ResumeEvidence::new(&resumed);
        for rule in ["resume/crash-prefix", "resume/then-continue"] {
            let Some(Judge::Resume(judge)) = find(rule).map(|rule| rule.judge) else {
                panic!("no rule {rule}")
            };
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
    match Reference.resume(file) {
        Outcome::Output(conversation) => Ok(conversation),
        Outcome::Rejected(why) => Err(why),
        Outcome::Unsupported => Err("unsupported".into()),
    }
}

/// Records a prompt and an answer after what a cut file gives.
fn go_on(file: &[u8], cut: u64) -> Continued {
    let cut_file = &file[..cut as usize];
    let before = resume(cut_file);
    let conversation = match &before {
        Ok(Some(conversation)) => conversation.records.as_slice(),
        _ => &[],
    };
    let mut list: Vec<String> =
        conversation.iter().map(|record| String::from_utf8_lossy(&record.bytes).into_owned()).collect();
    list.extend(MORE.map(|(_, json)| json.to_owned()));
    let steps = [RecordStep::ListBeforeRequest(format!("[{}]", list.join(",")))];
    let written = match Reference.record(cut_file, SESSION, &steps) {
        Outcome::Output(answers) => answers.into_iter().next().ok_or("no answer".to_owned()),
        _ => Err("refused".to_owned()),
    };
    let written = written.and_then(|answer| answer.tip.map(|_| answer.file));
    let after = written.as_ref().map_or(Ok(None), |file| resume(file));
    let added = MORE.map(|(uuid, _)| uuid.to_owned()).to_vec();
    Continued { cut, before, added, file: written, after }
}
