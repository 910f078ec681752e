//! Files that are made to be slow: reading them ends, and gives what the definition says.

use super::*;

const MANY: usize = 100_000;

/// Many small records: kind, uuid, parent (raw JSON).
fn many(records: impl Iterator<Item = (&'static str, String, String)>) -> Resume {
    let lines = records
        .map(|(kind, uuid, parent)| format!("{{\"type\":\"{kind}\",\"uuid\":\"{uuid}\",\"parentUuid\":{parent}}}\n"));
    let transcript = Transcript::from_bytes(lines.collect::<String>().into_bytes());
    resume(&transcript, &ResumeOptions::default()).unwrap()
}

fn named(number: usize) -> String {
    format!("\"u{number}\"")
}

#[test]
fn a_long_chain_comes_back_whole() {
    let resume = many((0..MANY).map(|at| {
        let parent = at.checked_sub(1).map_or("null".to_owned(), named);
        ("user", format!("u{at}"), parent)
    }));
    assert_eq!(resume.places.len(), MANY);
}

#[test]
fn a_long_circle_and_one_of_progress_end() {
    let resume = many((0..MANY).map(|at| ("user", format!("u{at}"), named((at + 1) % MANY))));
    assert_eq!((resume.places.len(), resume.notes.len()), (MANY, 1));
    let kind = |at| if at == 0 { "user" } else { "progress" };
    let resume = many((0..MANY).map(|at| (kind(at), format!("u{at}"), named((at + 1) % MANY))));
    assert_eq!(resume.places.len(), 1);
}

#[test]
fn a_hundred_thousand_gaps_are_bridged_one_to_the_other() {
    let resume = many((0..MANY).map(|at| ("user", format!("u{at}"), "\"lost\"".to_owned())));
    assert_eq!((resume.places.len(), resume.notes.len()), (MANY, MANY));
}

#[test]
fn a_hundred_thousand_forks_and_a_star_end() {
    let resume = many((0..MANY).map(|at| ("user", format!("u{at}"), named(at.saturating_sub(2) / 2 * 2))));
    assert!(resume.places.len() > MANY / 3, "{}", resume.places.len());
    let star = |at: usize| if at == 0 { "null".to_owned() } else { named(0) };
    let resume = many((0..MANY).map(|at| ("assistant", format!("u{at}"), star(at))));
    assert_eq!(resume.places.len(), 2);
}

#[test]
fn a_star_of_notices_and_replies_under_a_prompt_ends() {
    let kind = |at: usize| match at {
        0 => "user",
        _ if at + 1 == MANY => "user",
        _ if at.is_multiple_of(2) => "assistant",
        _ => "system",
    };
    let parent = |at: usize| match at {
        0 => "null".to_owned(),
        _ if at + 1 == MANY => named(MANY - 3),
        _ if at.is_multiple_of(2) => named(0),
        1 => named(0),
        _ => named(at - 2),
    };
    let resume = many((0..MANY).map(|at| (kind(at), format!("u{at}"), parent(at))));
    // The notices pushed each reply off the chain, and all of them are put back.
    assert_eq!(resume.places.len(), MANY);
}

#[test]
fn every_record_with_one_uuid_ends() {
    let resume = many((0..MANY).map(|_| ("user", "u".to_owned(), "\"u\"".to_owned())));
    assert_eq!(resume.places.len(), 1);
}

#[test]
fn walks_over_a_circle_that_a_bridge_closed_end() {
    let parent = |at: usize| if at == MANY / 2 { "\"lost\"".to_owned() } else { named((at + 1) % MANY) };
    let kind = |at: usize| if at.is_multiple_of(2) { "user" } else { "progress" };
    let resume = many((0..MANY).map(|at| (kind(at), format!("u{at}"), parent(at))));
    assert!(!resume.places.is_empty());
}

#[test]
fn thousands_of_boundaries_with_one_anchor_end() {
    let mut lines = String::new();
    for at in 0..3_000 {
        lines += &format!("{{\"type\":\"user\",\"uuid\":\"u{at}\",\"parentUuid\":\"u{}\"}}\n", at.max(1) - 1);
    }
    for at in 0..3_000 {
        let metadata = json!({"preservedMessages": {"anchorUuid": "end", "uuids": [format!("u{at}")]}});
        lines += &format!("{}\n", boundary(&format!("b{at}"), metadata).0);
    }
    lines += &format!("{}\n", user("end", "b2999").0);
    for at in 0..3_000 {
        lines += &format!("{}\n", user(&format!("v{at}"), "end").0);
    }
    let (uuids, _) = resumed_end(&lines);
    // What had the anchor as its parent now has what the first boundary put there.
    assert_eq!(uuids, ["b2999", "end", "u0", "v2999"]);
}

/// The uuids of a large file.
fn resumed_end(lines: &str) -> (Vec<String>, Resume) {
    let transcript = Transcript::from_bytes(lines.as_bytes().to_vec());
    let resume = resume(&transcript, &ResumeOptions::default()).unwrap();
    let uuids = resume.places.iter().map(|place| {
        let record: Value = serde_json::from_str(&lines[place.start as usize..place.end as usize]).unwrap();
        record["uuid"].as_str().unwrap().to_owned()
    });
    (uuids.collect(), resume)
}

#[test]
fn thousands_of_boundaries_with_long_segments_end() {
    let mut lines = String::new();
    for at in 0..2_000 {
        lines += &format!("{}\n", user(&format!("u{at}"), &format!("u{}", at.max(1) - 1)).0);
    }
    let segment = json!({"preservedSegment": {"headUuid": "u0", "anchorUuid": "c", "tailUuid": "u1999"}});
    for at in 0..2_000 {
        lines += &format!("{}\n", boundary(&format!("b{at}"), segment.clone()).0);
    }
    lines += &format!("{}\n", user("c", "b1999").0);
    lines += &format!("{}\n", user("last", "c").0);
    let (uuids, resume) = resumed_end(&lines);
    let is_overlap = |note: &&Note| note.kind == NoteKind::PreservedMissing { what: Missing::Overlaps };
    // 4,002 records may be passed 64 times: by the walks of the last 128 boundaries.
    assert_eq!(resume.notes.iter().filter(is_overlap).count(), 2_000 - 128);
    assert_eq!(uuids.len(), 2_003);
    assert_eq!((&*uuids[0], &*uuids[2], &*uuids[2_002]), ("b1999", "u0", "last"));
}
