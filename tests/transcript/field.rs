//! Transcripts from the field are written back as they were read.

use crate::transcripts::files;
use turnproof_reference::message::Typed;
use turnproof_reference::transcript::Transcript;
use turnproof_rules::operation::{Parsed, Reading};
use turnproof_rules::rules::{Judge, ParseEvidence, Verdict, find};
use turnproof_suite::subject::{Outcome, Reference, Subject};

fn parsed(bytes: &[u8]) -> Parsed {
    match Reference.parse(bytes) {
        Outcome::Output(parsed) => parsed,
        other => panic!("not read: {other:?}"),
    }
}

#[test]
fn every_untouched_record_is_written_back_byte_for_byte() {
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        for record in parsed(&bytes).records {
            let range = record.start as usize..record.end as usize;
            assert!(record.written == bytes[range], "{}: byte {}", path.display(), record.start);
        }
    }
}

#[test]
fn every_record_that_is_read_as_a_message_is_written_back_as_the_same_document() {
    let Judge::Parse(lossless) = find("wire/lossless").unwrap().judge else { panic!("not a rule on parse") };
    let (mut typed, mut misfits) = (0, 0);
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let transcript = Transcript::from_bytes(bytes.clone());
        let mut parsed = parsed(&bytes);
        for (written, record) in parsed.records.iter_mut().zip(transcript.records()) {
            let entry = record.entry().unwrap();
            written.written = serde_json::to_vec(&entry).unwrap();
            typed += 1;
            misfits += usize::from(entry.misfit().is_some());
        }
        let verdict = lossless(&ParseEvidence::new(&Reading { bytes, parsed: parsed.clone(), again: None }));
        // One of the files may hold no record at all.
        let holds = verdict == Verdict::Holds || parsed.records.is_empty();
        assert!(holds, "{}: {verdict:?}", path.display());
    }
    eprintln!("{typed} records typed, {misfits} with a field of the wrong type");
    assert!(misfits <= typed / 100);
}
