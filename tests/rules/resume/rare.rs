//! What is *rare* in a file: each case distinguishes a branch of the model, or of a rule, from its absence.

use turnproof_rules::operation::Resumed;
use turnproof_suite::subject::{Reference, Subject};

use super::broken;
use super::notation::{case, conversation, file, model_answer};

/// Records, and the uuids that come back.
const RIGHT: &[(&str, &str)] = &[
    // The summary holds what came after the kept messages, and so it holds what came after that.
    ("u1 -; a1 u1; u2 a1; b1 - keeps=b1,u1,a1", "b1 u1 a1"),
    ("u1 -; a1 u1; u2 a1; a2 u2; b1 - keeps=b1,u1,a1", "b1 u1 a1"),
    ("u1 -; a1 u1; u2 a1; a2 u2; b1 - segment=b1,u1,a1", "b1 u1 a1"),
    // It is compacted away by the boundary that relinked its parent last.
    ("u1 -; a1 u1; u2 a1; b1 - keeps=b1,u1,a1; b2 - keeps=b2,u1", "b2 u1"),
    ("u1 -; a1 u1; u2 a1; b1 - keeps=b1,u1,a1; b2 - keeps=b2,u2", "b2 u2"),
    // What comes after the boundary is not.
    ("u1 -; a1 u1; b1 - keeps=b1,u1,a1; u2 a1", "b1 u1 a1 u2"),
    // What is kept is behind its anchor.
    ("u1 -; a1 u1; u9 -; b1 - keeps=u3,u1,a1; u3 b1", "b1 u3 u1 a1"),
    ("u1 -; a1 u1; b1 - keeps=b1,u1,a1; u9 -", "u9"),
];

#[test]
fn the_model_and_the_reference_give_back_what_the_definition_says() {
    for (lines, expected) in RIGHT {
        let file = file(lines);
        assert_eq!(model_answer(&file), case(&file, expected).answer, "{lines:?}");
        let reference = Reference.resume(&file).into_answer().expect("it resumes").expect("an answer");
        let uuids: Vec<&str> =
            reference.iter().flat_map(|conversation| &conversation.records).map(|record| &*record.uuid).collect();
        assert_eq!(uuids.join(" "), *expected, "{lines:?}");
        assert_eq!(broken(&case(&file, expected)), [""; 0], "{lines:?}");
    }
}

#[test]
fn the_record_before_a_gap_breaks_the_rule_on_gaps_wherever_it_is() {
    let file = file("u1 -; a1 u1; u2 a1; a3 lost; u3 a3");
    for wrong in ["u2 u1 a1 a3 u3", "u1 u2 a1 a3 u3", "u1 a1 a3 u3 u2"] {
        assert_eq!(broken(&case(&file, wrong)), ["resume/bridges-gap"], "{wrong}");
    }
}

#[test]
fn a_record_of_a_cut_file_comes_back_under_its_own_uuid() {
    let file = file("u1 -; a1 u1");
    let cut = |uuid: &str| {
        let mut before = conversation(&file, "u1 a1");
        before.records[1].uuid = uuid.to_owned();
        Resumed { cuts: vec![(file.len() as u64, Ok(Some(before)))], ..case(&file, "u1 a1") }
    };
    assert_eq!(broken(&cut("a1")), [""; 0]);
    assert_eq!(broken(&cut("a2")), ["resume/crash-prefix"]);
}
