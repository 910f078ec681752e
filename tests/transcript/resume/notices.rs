//! Part 7: notices beside the path.

use super::*;

#[test]
fn a_hooks_attachment_on_a_call_comes_back_beside_the_result() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; attachment x1 a1; results r1 a1 t1; hook_result h1 a1; assistant a2 r1 m2; \
         notice s1 r1",
    );
    assert_eq!(uuids(&lines), "u1 a1 x1 r1 h1 a2 s1");
    assert_eq!(note_kinds(&lines), ["notice-back"; 3]);
}

#[test]
fn notices_on_notices_and_on_progress_come_back_in_file_order() {
    assert_eq!(
        uuids(&session(
            "user u1 -; notice s3 s2; progress p1 u1; notice s2 p1; notice s1 u1; assistant a1 u1 msg_a1; notice s4 s1"
        )),
        "u1 s3 s2 s1 a1 s4"
    );
}

#[test]
fn descendants_of_a_branch_that_was_left_do_not_come_back() {
    let mut left = session(
        "user u1 -; assistant a1 u1 msg_a1; notice s1 a1; progress p1 s1; notice s2 p1; assistant a2 u1 msg_a2; notice s3 -",
    );
    left[1].0["isApiErrorMessage"] = json!(true);
    assert_eq!(uuids(&left), "u1 a2");
}

#[test]
fn a_notice_that_is_withdrawn_or_not_allowed_stays_away() {
    let mut withdrawn = session("user u1 -; notice s1 u1; assistant a1 u1 msg_a1");
    withdrawn[2].0["retractedMessageUuids"] = json!(["s1"]);
    assert_eq!(uuids(&withdrawn), "u1 a1");
    let with = |all: &[&str]| {
        let metadata = json!({"preservedMessages": {"anchorUuid": "c", "uuids": ["u1"], "allUuids": all}});
        vec![user("u1", "-"), notice("s1", "u1"), boundary("b", metadata), user("c", "b"), user("u2", "c")]
    };
    assert_eq!(uuids(&with(&[])), "b c u1 u2");
    assert_eq!(uuids(&with(&["s1"])), "b c u1 s1 u2");
}

#[test]
fn a_notice_goes_before_the_first_record_after_its_own_that_comes_later_in_the_file() {
    // u2 follows u1 and stands before the notice in the file.
    assert_eq!(
        uuids(&session("user u2 u1; user u1 -; notice s1 u1; assistant a1 u2 msg_a1; notice s2 u1")),
        "u1 u2 s1 a1 s2"
    );
}

#[test]
fn notices_whose_parents_run_in_a_circle_end() {
    assert_eq!(uuids(&session("user u1 -; notice s1 s2; notice s2 s1; assistant a1 u1 msg_a1")), "u1 s1 s2 a1");
}

#[test]
fn a_hundred_thousand_notices_end() {
    let mut lines = String::from("{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null}\n");
    for at in 0..100_000 {
        let parent = if at % 2 == 0 { "u".to_owned() } else { format!("s{}", at - 1) };
        lines += &format!("{{\"type\":\"system\",\"uuid\":\"s{at}\",\"parentUuid\":\"{parent}\"}}\n");
    }
    let transcript = Transcript::from_bytes(lines.into_bytes());
    let resume = resume(&transcript, &ResumeOptions::default()).unwrap();
    let lines: Vec<u64> = resume.places.iter().map(|place| place.line).collect();
    assert_eq!(lines, (1..=100_001).collect::<Vec<_>>());
}

#[test]
fn a_notice_that_hangs_on_a_withdrawn_reply_comes_back() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; notice s1 a1; results r1 a1 t1; notice s2 r1; \
         notice s3 s2 retractedMessageUuids=[a1]",
    );
    assert_eq!(uuids(&lines), "u1 s1 s2 s3");
    let mut retried = session("user u1 -; assistant a1 u1 msg_a1; notice s1 a1; assistant a2 u1 msg_a2");
    retried[3].0["supersedesUuids"] = json!(["a1"]);
    assert_eq!(uuids(&retried), "u1 s1 a2");
    // On a reply that was left it does not.
    let mut left = lines.to_vec();
    left[5] = user("u2", "u1");
    assert_eq!(uuids(&left), "u1 u2");
}

#[test]
fn notices_behind_notices_share_the_leaf_above_them() {
    let mut file = String::from("{\"type\":\"user\",\"uuid\":\"u\",\"parentUuid\":null}\n");
    file += "{\"type\":\"user\",\"uuid\":\"v\",\"parentUuid\":\"u\"}\n";
    for (uuid, parent) in [("a", "u"), ("b", "a"), ("c", "b"), ("d", "b"), ("e", "v")] {
        file += &format!("{{\"type\":\"system\",\"uuid\":\"{uuid}\",\"parentUuid\":\"{parent}\"}}\n");
    }
    let resume = resumed(file.as_bytes(), &ResumeOptions::default()).unwrap().1;
    // All of them come back, as notices beside the path.
    assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
}
