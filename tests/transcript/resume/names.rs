//! Which records are nodes, participants and speakers.

use super::*;

#[test]
fn a_straight_conversation_comes_back_as_it_stands() {
    let lines = session(
        "user u1 -; call a1 u1 m1 t1; results r1 a1 t1; assistant a2 r1 m2; notice s1 a2; attachment x1 s1; \
         hook_result h1 x1",
    );
    assert_eq!(uuids(&lines), "u1 a1 r1 a2 s1 x1 h1");
    assert!(notes(&lines).is_empty(), "{:?}", notes(&lines));
}

#[test]
fn side_records_and_records_without_uuid_are_not_looked_at() {
    let lines = session(
        "summary ? ? leafUuid=u9; user u1 -; user ? u1; user u3 u1 uuid=7; assistant a1 u1 m1; \
         queue-operation ? ?",
    );
    assert_eq!(uuids(&lines), "u1 a1");
}

#[test]
fn sidechains_are_not_of_the_main_conversation() {
    let lines = session(
        "user u1 -; user x1 u1 isSidechain; assistant x2 x1 m0 isSidechain; assistant a1 u1 m1; user x3 a1 isSidechain",
    );
    assert_eq!(uuids(&lines), "u1 a1");
    assert_eq!(only_note(&lines), NoteKind::Sidechain { count: 3 });
}

#[test]
fn what_a_team_says_comes_back_and_may_be_the_end() {
    let lines = session("user u1 -; assistant a1 u1 m1 teamName=blue; user u2 a1 teamName=blue agentName=scout");
    assert_eq!(uuids(&lines), "u1 a1 u2");
    let lines = session("user u1 -; assistant a1 u1 m1; user t1 - teamName=blue; assistant t2 t1 m2 teamName=blue");
    assert_eq!(uuids(&lines), "t1 t2");
}

#[test]
fn unknown_kinds_progress_and_virtual_messages_are_walked_through() {
    let lines = session("user u1 -; progress p1 u1; brand-new n1 p1; user v1 n1 isVirtual; assistant a1 v1 m1");
    assert_eq!(uuids(&lines), "u1 a1");
    assert_eq!(only_note(&lines), NoteKind::PassedOver { count: 3 });
}

#[test]
fn of_a_repeated_uuid_the_last_record_stands_even_where_it_is_another_kind() {
    let lines = session("user u1 -; assistant a1 u1 m1; user u2 a1; user u1 -");
    assert_eq!(uuids(&lines), "u1 a1 u2");
    let resume = resumed(&file(&lines), &ResumeOptions::default()).unwrap().1;
    assert_eq!(resume.places.iter().map(|place| place.line).collect::<Vec<_>>(), [4, 2, 3]);
    assert_eq!(only_note(&lines), NoteKind::RepeatedUuid { standing: 4 });
    let lines = session("user u1 -; user u2 u1; progress u1 -");
    assert_eq!(uuids(&lines), "u2");
}

#[test]
fn ids_are_compared_as_they_are_shown() {
    let lines = concat!(
        r#"{"type":"user","uuid":"\u0075\ud83d","parentUuid":null}"#,
        "\n",
        r#"{"type":"assistant","uuid":"a","parentUuid":"u\udc00"}"#,
        "\n",
    );
    let (uuids, resume) = resumed(lines.as_bytes(), &ResumeOptions::default()).unwrap();
    assert_eq!(uuids, "u\u{FFFD} a");
    assert!(resume.notes.is_empty());
    let mut bytes = lines.as_bytes().to_vec();
    let at = lines.find(r"\udc00").unwrap();
    bytes.splice(at..at + 6, *b"\xFF");
    assert_eq!(resumed(&bytes, &ResumeOptions::default()).unwrap().0, "u\u{FFFD} a");
}

#[test]
fn why_there_is_no_conversation_is_reported() {
    assert_eq!(not_found(&[]), NotFound::Empty);
    let side = line("queue-operation", "x", "?").without("uuid");
    assert_eq!(not_found(&[side.clone(), side]), NotFound::SideRecordsOnly { records: 2 });
    assert_eq!(not_found(&[notice("s1", "-")]), NotFound::NoSpeaker { participants: 1 });
    let agent = user("x1", "-").with("isSidechain", true).with("agentId", "7f");
    let why = not_found(&[agent]);
    assert_eq!(why, NotFound::SidechainOnly { agents: vec!["7f".to_owned()] });
    assert!(why.to_string().ends_with("ask for one of the subagents that it names: 7f"), "{why}");
    let withdrawing = notice("s1", "u1").with("retractedMessageUuids", json!(["u1"]));
    assert_eq!(not_found(&[user("u1", "-"), withdrawing]), NotFound::AllWithdrawn { speakers: 1 });
}
