//! Files of any size: two passes, little memory, and cuts at any byte.

use std::io::Cursor;

use turnproof_reference::transcript::resume::{Survey, copy_places, resume_file, survey};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::*;

/// A session with most of what there is.
fn whole_session() -> Vec<u8> {
    let mut file = file(&session(
        "user u1 -; call a1 u1 m1 t1; progress p1 a1; results r1 p1 t1; user u2 lost; assistant a2 u2 m2; \
         boundary b segment=c,u2,a2; compact_summary c b; user u3 c; assistant a3 u3 m3; notice s1 u3; user u4 s1",
    ));
    file.extend_from_slice(b"{\"type\":\"user\",\"uuid\":\"torn");
    file
}

#[test]
fn a_file_read_in_two_passes_gives_what_memory_gives() {
    let session = whole_session();
    let (uuids, resume) = resumed(&session, &ResumeOptions::default()).unwrap();
    assert_eq!(uuids, "b c u2 a2 u3 a3 s1 u4");
    assert_eq!(resume_file(&session[..], &ResumeOptions::default()).unwrap().unwrap(), resume);
    let mut copy = Vec::new();
    copy_places(Cursor::new(&session), &resume.places, &mut copy).unwrap();
    assert_eq!(copy, copied(&session, &resume));
}

#[test]
fn the_reference_answers_with_records_as_they_stand_and_with_notes() {
    let Outcome::Output(Some(conversation)) = Reference.resume(&whole_session()) else { panic!("no conversation") };
    let uuids: Vec<&str> = conversation.records.iter().map(|record| &*record.uuid).collect();
    assert_eq!(uuids.join(" "), "b c u2 a2 u3 a3 s1 u4");
    let session = whole_session();
    for record in &conversation.records {
        assert!(session.windows(record.bytes.len()).any(|window| window == record.bytes));
    }
    assert!(conversation.notes.iter().any(|note| note.contains("preserves 2 records")), "{:?}", conversation.notes);
    assert_eq!(Reference.resume(b"{}\n"), Outcome::Output(None));
}

#[test]
fn a_file_that_has_become_shorter_is_an_error() {
    let session = whole_session();
    let resume = resume_file(&session[..], &ResumeOptions::default()).unwrap().unwrap();
    let error = copy_places(Cursor::new(&session[..300]), &resume.places, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("the file ends inside the record on line"), "{error}");
}

#[test]
fn lines_are_counted_over_chunks() {
    let filler = format!("{}\n", user("f", "-").with("cwd", "x".repeat(90_000)).0);
    let mut file = filler.repeat(10).into_bytes();
    file.extend(b"\n\n");
    file.extend(format!("{}\n", user("u1", "f").0).bytes());
    let resume = resume_file(&file[..], &ResumeOptions::default()).unwrap().unwrap();
    assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), [10, 13]);
}

#[test]
fn a_cut_at_any_byte_gives_a_conversation_without_holes() {
    let session = whole_session();
    for cut in 0..=session.len() {
        let Ok((uuids, _)) = resumed(&session[..cut], &ResumeOptions::default()) else {
            let first_line = session.iter().position(|&byte| byte == b'\n').unwrap();
            assert!(cut < first_line, "nothing at {cut}");
            continue;
        };
        let wholes = [
            "u1",
            "u1 a1",
            "u1 a1 r1",
            "u1 a1 r1 u2",
            "u1 a1 r1 u2 a2",
            "b c u2 a2",
            "b c u2 a2 u3",
            "b c u2 a2 u3 a3",
            "b c u2 a2 u3 a3 s1",
            "b c u2 a2 u3 a3 s1 u4",
        ];
        assert!(wholes.contains(&&*uuids), "{cut}: {uuids}");
    }
}

#[test]
fn facts_of_a_real_shaped_file_take_less_than_75_bytes_a_record() {
    let mut facts = Survey::default();
    let mut lines = Vec::new();
    let mut parent = "-".to_owned();
    for turn in 0..2_000 {
        let id = |name: &str| format!("{turn:08x}-{name}");
        lines.push(user(&id("u"), &parent));
        lines.push(call(&id("a"), &id("u"), &id("m"), &id("t")));
        lines.push(progress(&id("p"), &id("a")));
        lines.push(results(&id("r"), &id("a"), &[&id("t")]).with("sourceToolAssistantUUID", id("a")));
        lines.push(assistant(&id("b"), &id("r"), &id("n")));
        parent = id("b");
    }
    let transcript = Transcript::from_bytes(file(&lines));
    transcript.records().for_each(|record| facts.note(&record));
    assert_eq!(facts.records(), 10_000);
    assert!(facts.memory() < 75 * 10_000, "{} bytes", facts.memory());
    assert_eq!(facts.resume(&ResumeOptions::default()).unwrap().places.len(), 8_000);
    assert_eq!(survey(transcript.bytes()).unwrap().memory(), facts.memory());
}
