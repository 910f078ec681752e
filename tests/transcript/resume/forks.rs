//! Forks: copies under new ids.

use std::collections::{HashMap, HashSet};

use turnproof_reference::message::{Context, FixedContext};
use turnproof_reference::transcript::fork::{ForkError, fork};

use super::*;

/// The conversation of a file, forked at a message.
fn forked(bytes: &[u8], options: &ResumeOptions, until: Option<&str>) -> Result<Vec<u8>, ForkError> {
    let (_, resume) = resumed(bytes, options).unwrap();
    let transcript = Transcript::from_bytes(copied(bytes, &resume));
    let records: Vec<_> = transcript.records().collect();
    fork(&records, until, &mut FixedContext::new(3), "s9")
}

/// Forks at each message and holds the copy against the conversation; gives the whole copy.
fn fork_everywhere(lines: &[Line]) -> Vec<Value> {
    let bytes = file(lines);
    let (uuids, _) = resumed(&bytes, &ResumeOptions::default()).unwrap();
    let uuids: Vec<&str> = uuids.split(' ').collect();
    let mut last = Vec::new();
    for (place, until) in uuids.iter().enumerate() {
        let copy = match forked(&bytes, &ResumeOptions::default(), Some(until)) {
            Err(ForkError::NoSpeaker) => continue,
            copy => copy.unwrap(),
        };
        let copied = records(&copy);
        let origin: Vec<&str> =
            copied.iter().map(|record| record["forkedFrom"]["messageUuid"].as_str().unwrap()).collect();
        assert_eq!(origin, uuids[..=place], "at {until}");
        let ids: Vec<&str> = copied.iter().map(|record| record["uuid"].as_str().unwrap()).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        let (again, _) = resumed(&copy, &ResumeOptions::default()).unwrap();
        assert_eq!(again, ids.join(" "), "at {until}");
        last = copied;
    }
    assert_eq!(last.len(), uuids.len());
    last
}

/// The old name of each new id.
fn origins(copy: &[Value]) -> HashMap<&str, &str> {
    copy.iter()
        .map(|record| (record["uuid"].as_str().unwrap(), record["forkedFrom"]["messageUuid"].as_str().unwrap()))
        .collect()
}

/// The old names of the parents.
fn parents(copy: &[Value]) -> String {
    let origins = origins(copy);
    let parents = copy.iter().map(|record| record["parentUuid"].as_str().map_or("-", |parent| origins[parent]));
    parents.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_straight_conversation_is_copied_link_by_link() {
    let lines = session("user u1 -; call a1 u1 m1 t1; results r1 a1 t1 sourceToolAssistantUUID=a1; assistant a2 r1 m2");
    let copy = fork_everywhere(&lines);
    assert_eq!(parents(&copy), "- u1 a1 r1");
    assert_eq!(copy[2]["sourceToolAssistantUUID"], copy[1]["uuid"]);
    assert!(copy.iter().all(|record| record["sessionId"] == "s9"));
    assert_eq!(copy[0]["forkedFrom"], json!({"sessionId": "s1", "messageUuid": "u1"}));
}

#[test]
fn parallel_results_keep_their_calls_as_parents() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; call a2 a1 m1 t2; results r2 a2 t2; results r1 a1 t1; assistant a3 r1 m2",
    );
    assert_eq!(parents(&fork_everywhere(&lines)), "- u1 a1 a2 a1 r1");
}

#[test]
fn progress_gaps_and_circles_are_bridged() {
    let lines = session("user u1 -; progress p1 u1; assistant a1 p1 m1; user u2 lost; assistant a2 u3 m2; user u3 a2");
    assert_eq!(parents(&fork_everywhere(&lines)), "- u1 a1 u2 a2");
}

#[test]
fn a_reply_that_was_put_back_is_chained_in() {
    let lines = session("user p -; assistant a p m1; notice s p; user u s");
    assert_eq!(parents(&fork_everywhere(&lines)), "- p p s");
    // Up to the notice, the reply wins, and the notice comes back beside it.
    let bytes = file(&lines);
    let copy = records(&forked(&bytes, &ResumeOptions::default(), Some("s")).unwrap());
    assert_eq!(parents(&copy), "- p p");
}

#[test]
fn what_a_boundary_preserves_is_named_anew() {
    let metadata = json!({"trigger": "auto", "preservedMessages": {
        "anchorUuid": "c", "uuids": ["u2", "a2"], "allUuids": ["u2", "p9", "a2"],
    }});
    let mut lines =
        session("user u1 -; user u2 u1; assistant a2 u2 m2; boundary b logicalParentUuid=a2; user c b; user u3 c");
    lines[3] = lines[3].clone().with("compactMetadata", metadata);
    let copy = fork_everywhere(&lines);
    assert_eq!(parents(&copy), "- b c u2 c");
    let new: HashMap<&str, &str> = origins(&copy).into_iter().map(|(new, old)| (old, new)).collect();
    assert_eq!(copy[0]["compactMetadata"]["trigger"], "auto");
    assert_eq!(
        copy[0]["compactMetadata"]["preservedMessages"],
        json!({"anchorUuid": new["c"], "uuids": [new["u2"], new["a2"]], "allUuids": [new["u2"], new["a2"]]})
    );
    assert_eq!(copy[0]["logicalParentUuid"], new["a2"]);
}

#[test]
fn a_preserved_segment_is_named_anew_or_dropped_2_1_218() {
    let lines = |tail: &str| {
        session(&format!(
            "user u1 -; user u2 u1; assistant a2 u2 m2; boundary b segment=c,u2,{tail} logicalParentUuid=u1; user c b; \
             user u3 c"
        ))
    };
    let copy = fork_everywhere(&lines("a2"));
    let segment = &copy[0]["compactMetadata"]["preservedSegment"];
    let named = ["headUuid", "anchorUuid", "tailUuid"].map(|name| origins(&copy)[segment[name].as_str().unwrap()]);
    assert_eq!(named, ["u2", "c", "a2"]);
    // What it followed is not in the copy. The note is there all the same.
    assert_eq!(copy[0]["logicalParentUuid"], "u1");
    let copy = fork_everywhere(&lines("lost"));
    assert_eq!(copy[0]["compactMetadata"], json!({}));
}

#[test]
fn lists_of_the_withdrawn_keep_only_what_is_in_the_copy() {
    let lines = session(
        "user u1 -; assistant a1 u1 m1; assistant a2 a1 m2 supersedesUuids=[a1,u2]; \
         user u2 a2 retractedMessageUuids=[lost]",
    );
    let copy = fork_everywhere(&lines);
    assert_eq!(copy[1]["supersedesUuids"], json!([copy[2]["uuid"]]));
    assert_eq!(copy[2]["retractedMessageUuids"], json!([]));
}

#[test]
fn a_name_that_withdrew_nothing_in_the_file_withdraws_nothing_in_the_copy() {
    // In the file the parent stands after the child that names it; in the copy it stands before.
    let lines = session("assistant a1 u1 m1 supersedesUuids=[u1]; user u1 -");
    let copy = fork_everywhere(&lines);
    assert_eq!(copy[1]["supersedesUuids"], json!([]));
}

#[test]
fn side_records_follow_their_leaf() {
    let bytes = file(&session(
        "user u1 -; summary ? ? leafUuid=u1; summary ? ? leafUuid=u2; file-history-snapshot ? ? messageId=u1; user u2 u1",
    ));
    let transcript = Transcript::from_bytes(bytes);
    let all: Vec<_> = transcript.records().collect();
    let copy = records(&fork(&all[..4], None, &mut FixedContext::new(3), "s9").unwrap());
    assert_eq!(copy.len(), 3);
    assert_eq!((&copy[1]["leafUuid"], &copy[1]["sessionId"]), (&copy[0]["uuid"], &json!("s9")));
    assert_eq!(copy[2]["messageId"], copy[0]["uuid"]);
}

#[test]
fn unknown_members_are_carried_as_they_are_written() {
    let line = "{\"type\":\"user\", \"uuid\":\"u1\",\"parentUuid\":null,\"new\":{\"b\":1.10, \"a\":\"\\ud83d\u{2028}\"},\"slug\":\"a\",\"slug\":\"b\"}\n";
    let copy = forked(line.as_bytes(), &ResumeOptions::default(), None).unwrap();
    let copy = String::from_utf8(copy).unwrap();
    assert!(copy.contains("\"new\":{\"b\":1.10, \"a\":\"\\ud83d\u{2028}\"},\"slug\":\"b\""), "{copy}");
    assert!(copy.contains("\"forkedFrom\":{\"messageUuid\":\"u1\"}"), "{copy}");
}

#[test]
fn a_fork_of_a_fork_says_where_it_comes_from_8524_39355_28826() {
    let bytes = file(&session("user u1 -; assistant a1 u1 m1; user u2 a1"));
    let first = forked(&bytes, &ResumeOptions::default(), Some("a1")).unwrap();
    let transcript = Transcript::from_bytes(first.clone());
    let copied: Vec<_> = transcript.records().collect();
    let second = records(&fork(&copied, None, &mut FixedContext::new(4), "s10").unwrap());
    let first = records(&first);
    assert_eq!(second[1]["forkedFrom"], json!({"sessionId": "s9", "messageUuid": first[1]["uuid"]}));
    assert_eq!(second.len(), 2);
}

#[test]
fn a_fork_holds_nothing_of_rewound_branches_2_1_122() {
    let lines =
        session("user u1 -; call a1 u1 m1 t1; results r1 a1 t1; user u2 u1; call b1 u2 m2 t2; results r2 b1 t2");
    let copy = fork_everywhere(&lines);
    assert_eq!(copy.len(), 4);
}

#[test]
fn a_subagents_conversation_is_forked_too() {
    let bytes = file(&session("user u1 -; user x1 u1 agent=x; assistant x2 x1 m1 agent=x"));
    let options = ResumeOptions { agent: Some("x".into()) };
    let copy = forked(&bytes, &options, None).unwrap();
    assert_eq!(resumed(&copy, &options).unwrap().1.places.len(), 2);
}

#[test]
fn what_cannot_be_forked_is_refused() {
    let bytes = file(&session("user u1 -; assistant a1 u1 m1"));
    let at = |uuid| forked(&bytes, &ResumeOptions::default(), Some(uuid));
    assert_eq!(at("a9"), Err(ForkError::NoSuchMessage("a9".into())));
    assert!(at("a1").is_ok());
    assert_eq!(fork(&[], None, &mut FixedContext::new(3), "s9"), Err(ForkError::NoSpeaker));
    let transcript = Transcript::from_bytes(bytes.repeat(2));
    let twice: Vec<_> = transcript.records().collect();
    assert_eq!(fork(&twice, None, &mut FixedContext::new(3), "s9"), Err(ForkError::NotConversation));
    let withdrawing = file(&session("user u1 -; user u2 u1; notice s u2 isSidechain"));
    let transcript = Transcript::from_bytes(withdrawing);
    let mixed: Vec<_> = transcript.records().collect();
    assert_eq!(fork(&mixed, None, &mut FixedContext::new(3), "s9"), Err(ForkError::NotConversation));
}

#[test]
fn ids_that_repeat_are_refused() {
    struct Stuck;
    impl Context for Stuck {
        fn now(&mut self) -> String {
            String::new()
        }
        fn uuid(&mut self) -> String {
            "same".to_owned()
        }
    }
    let transcript = Transcript::from_bytes(file(&session("user u1 -; user u2 u1")));
    let all: Vec<_> = transcript.records().collect();
    assert_eq!(fork(&all, None, &mut Stuck, "s9"), Err(ForkError::RepeatedId("same".into())));
    let transcript = Transcript::from_bytes(file(&[user("same", "-")]));
    let taken: Vec<_> = transcript.records().collect();
    assert_eq!(fork(&taken, None, &mut Stuck, "s9"), Err(ForkError::RepeatedId("same".into())));
}
