//! A damaged transcript becomes a sound one, and a sound one stays as it is.

use std::fs;
use std::io;

use turnproof::check::{Finding, InputError, Options, Sink, TranscriptFile, check};
use turnproof_reference::message::FixedContext;
use turnproof_reference::repair::{Repair, RepairOptions, refused_as_stored, repair};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{ResumeOptions, resume};

const U1: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"a"}}"#;
const A1: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{}}]}}"#;
const R1: &str = r#"{"type":"user","uuid":"r1","parentUuid":"a1","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","sourceToolAssistantUUID":"a1","toolUseResult":"b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"b"}]}}"#;
const A2: &str = r#"{"type":"assistant","uuid":"a2","parentUuid":"r1","sessionId":"s","timestamp":"2026-01-01T00:00:03Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"c"}]}}"#;
const U2: &str = r#"{"type":"user","uuid":"u2","parentUuid":"a2","sessionId":"s","timestamp":"2026-01-01T00:00:04Z","message":{"role":"user","content":"d"}}"#;
const SIDE: &str = r#"{"type":"file-history-snapshot", "messageId":"u1" ,"snapshot":{"a":1.0}}"#;

fn file(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

/// Repairs a file, and holds what every repair must: it says what it did, reads without an error, gives back at least
/// what came back, is taken by each host, and is not changed by a second repair.
fn repaired_with(bytes: &[u8], options: RepairOptions) -> Repair {
    let damaged = Transcript::from_bytes(bytes.to_vec());
    let repair = repair(&damaged, &options, &mut FixedContext::new(1)).unwrap();
    let after = Transcript::from_bytes(repair.bytes.clone());
    let mut left = conversation(&after).into_iter();
    for uuid in conversation(&damaged) {
        assert!(left.any(|other| other == uuid), "{uuid} is lost: {}", text(&repair.bytes));
    }
    assert_eq!(refused_as_stored(&after), None, "{}", text(&repair.bytes));
    assert_eq!(errors(&repair.bytes), Vec::<String>::new(), "{}", text(&repair.bytes));
    let again = turnproof_reference::repair::repair(&after, &options, &mut FixedContext::new(2)).unwrap();
    assert!(again.is_unchanged() && again.bytes == repair.bytes, "{:?}", again.changes);
    repair
}

fn repaired(bytes: &[u8]) -> Repair {
    repaired_with(bytes, RepairOptions::default())
}

fn conversation(transcript: &Transcript) -> Vec<String> {
    let places = resume(transcript, &ResumeOptions::default()).map(|found| found.places).unwrap_or_default();
    let records = transcript.records().map(|record| (record.start, record.uuid().unwrap_or_default().into_owned()));
    let by_start: std::collections::HashMap<u64, String> = records.collect();
    places.iter().map(|place| by_start[&place.start].clone()).filter(|uuid| !uuid.is_empty()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rules that a file breaks, of those that a repair has to fix.
fn errors(bytes: &[u8]) -> Vec<String> {
    struct Errors(Vec<String>);
    impl Sink for Errors {
        fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
            if finding.rule.repair == Some(turnproof_rules::rules::Repair::Must) {
                self.0.push(format!("{} on line {}", finding.rule.id, finding.line));
            }
            Ok(())
        }
        fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
            panic!("{error}")
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.jsonl");
    fs::write(&path, bytes).unwrap();
    let mut errors = Errors(Vec::new());
    check(&[TranscriptFile::file(&path)], &Options::default(), &mut errors).unwrap();
    errors.0
}

fn rules(repair: &Repair) -> Vec<&'static str> {
    let mut rules: Vec<_> = repair.changes.iter().map(|change| change.rule).collect();
    rules.extend(repair.removed.iter().map(|removed| removed.rule));
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// The record with this uuid, as it is after the repair.
fn record(repair: &Repair, uuid: &str) -> String {
    let name = format!(r#""uuid":"{uuid}""#);
    text(&repair.bytes).lines().find(|line| line.contains(&name)).unwrap_or_default().to_owned()
}

#[test]
fn a_sound_session_stays_byte_for_byte() {
    for bytes in [
        file(&[U1, SIDE, A1, R1, A2, U2]),
        file(&[SIDE]),
        file(&[U1, A1, R1, A2])[..file(&[U1, A1, R1, A2]).len() - 1].to_vec(),
        file(&[U1, "", A1, " ", R1, A2]),
        b"".to_vec(),
    ] {
        let repair = repaired(&bytes);
        assert!(repair.is_unchanged() && repair.bytes == bytes);
    }
}

#[test]
fn each_damage_of_lines_goes_and_untouched_lines_stay() {
    let torn = &A2[..A2.len() / 2];
    let glued = [R1, A2].concat();
    let after_torn = [torn, R1].concat();
    let nul = ["\0\0\0", R1].concat();
    let copies = [R1, "\0\0", R1].concat();
    let mark = ["\u{feff}", U1].concat();
    let deep = format!(r#"{{"type":"user","a":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    let crlf = [R1, "\r"].concat();
    for (lines, rule) in [
        (vec![U1, A1, R1, A2, "hello"], "wire/json-object"),
        (vec![U1, A1, R1, A2, "[1]"], "wire/json-object"),
        (vec![U1, A1, R1, torn, A2], "wire/json-object"),
        (vec![U1, A1, &glued], "wire/one-record-per-line"),
        (vec![U1, A1, &after_torn, A2], "wire/one-record-per-line"),
        (vec![U1, A1, &nul, A2], "wire/no-nul"),
        (vec![U1, A1, &copies, A2], "id/unique"),
        (vec![U1, A1, R1, &deep, A2], "wire/depth"),
        (vec![&mark, A1, R1, A2], "wire/json-object"),
        (vec![U1, A1, &crlf, A2], "wire/json-object"),
    ] {
        let repair = repaired(&file(&lines));
        assert_eq!(text(&repair.bytes), text(&file(&[U1, A1, R1, A2])), "{rule}");
        assert!(rules(&repair).contains(&rule), "{:?}", rules(&repair));
    }
}

#[test]
fn a_torn_end_goes_and_is_kept_among_the_removed() {
    let mut bytes = file(&[U1, A1, R1, A2]);
    bytes.extend(&U2.as_bytes()[..50]);
    let repair = repaired(&bytes);
    assert_eq!(text(&repair.bytes), text(&file(&[U1, A1, R1, A2])));
    let [removed] = &repair.removed[..] else { panic!("{:?}", repair.removed) };
    assert_eq!((removed.line, removed.rule, &*removed.bytes), (5, "wire/terminated", &U2.as_bytes()[..50]));
}

#[test]
fn texts_that_no_request_can_carry_are_replaced_where_they_stand() {
    let half = A2.replace(r#""text":"c""#, r#""text":"c\ud83d!""#);
    let repair = repaired(&file(&[U1, A1, R1, &half]));
    assert_eq!(record(&repair, "a2"), A2.replace(r#""text":"c""#, "\"text\":\"c\u{fffd}!\""));
    let mut bytes = file(&[U1, A1, R1]);
    bytes.extend(
        A2.replace(r#""text":"c""#, r#""text":"c?""#).bytes().map(|byte| if byte == b'?' { 0xFF } else { byte }),
    );
    bytes.push(b'\n');
    let repair = repaired(&bytes);
    assert_eq!((record(&repair, "a2"), rules(&repair)), (A2.replace(r#""c""#, "\"c\u{fffd}\""), vec!["wire/utf8"]));
}

#[test]
fn a_field_of_a_wrong_type_goes_with_its_key_alone() {
    let wrong = A2.replace(r#""sessionId":"s","#, r#""sessionId":"s","isMeta":"no","#);
    let repair = repaired(&file(&[U1, A1, R1, &wrong]));
    assert_eq!((record(&repair, "a2"), rules(&repair)), (A2.to_owned(), vec!["wire/typed-fields"]));
    let wrong = A2.replace(r#""message":{"id":"m2","#, r#""message":{"id":7,"#);
    assert_eq!(record(&repaired(&file(&[U1, A1, R1, &wrong])), "a2"), A2.replace(r#""id":"m2","#, ""));
}

#[test]
fn parents_that_lead_nowhere_become_those_that_a_resume_takes() {
    for (parent, rule) in
        [("\"lost\"", "chain/parent-exists"), ("\"a2\"", "chain/acyclic"), ("7", "chain/parent-exists")]
    {
        let wrong = A2.replace(r#""parentUuid":"r1""#, &format!(r#""parentUuid":{parent}"#));
        let repair = repaired(&file(&[U1, A1, R1, &wrong, U2]));
        let parent = r#""parentUuid":"r1""#;
        assert!(record(&repair, "a2").contains(parent) && rules(&repair).contains(&rule), "{:?}", rules(&repair));
    }
    let repair = repaired(&file(&[&A2.replace("\"r1\"", "\"lost\""), U2]));
    assert!(record(&repair, "u2") == U2 && rules(&repair).contains(&"chain/parent-exists"));
}

#[test]
fn a_message_without_uuid_gets_the_one_by_which_its_child_calls_it() {
    let without = R1.replace(r#""uuid":"r1","#, "");
    let repair = repaired(&file(&[U1, A1, &without, A2, U2]));
    assert_eq!(conversation(&Transcript::from_bytes(repair.bytes.clone())), ["u1", "a1", "r1", "a2", "u2"]);
    assert_eq!((rules(&repair), record(&repair, "a2")), (vec!["message/has-uuid"], A2.to_owned()));
}

#[test]
fn of_a_file_that_two_machines_wrote_the_last_of_each_record_stays() {
    let repair = repaired(&file(&[U1, A1, R1, "<<<<<<< HEAD", U1, A1, R1, A2]));
    assert_eq!(text(&repair.bytes), text(&file(&[U1, A1, R1, A2])));
    assert_eq!(repair.removed.len(), 4);
}

#[test]
fn a_call_without_result_gets_a_placeholder_in_its_place_in_the_chain() {
    let next = U2.replace(r#""parentUuid":"a2""#, r#""parentUuid":"a1""#);
    let repair = repaired(&file(&[U1, A1, SIDE, &next]));
    let after = Transcript::from_bytes(repair.bytes.clone());
    let conversation = conversation(&after);
    assert_eq!((conversation.len(), &*conversation[1], &*conversation[3]), (4, "a1", "u2"));
    let made = record(&repair, &conversation[2]);
    assert!(made.contains(r#""parentUuid":"a1""#) && made.contains(r#""is_error":true"#), "{made}");
    assert!(record(&repair, "u2").contains(&format!(r#""parentUuid":"{}""#, conversation[2])));
    assert!(text(&repair.bytes).contains(SIDE));
}

#[test]
fn results_without_call_and_second_results_go_and_their_messages_stay() {
    let orphan = R1.replace(r#""parentUuid":"a1""#, r#""parentUuid":"u1""#);
    let repair = repaired(&file(&[U1, &orphan, A2]));
    assert!(record(&repair, "r1").contains(r#""content":"(no content)""#), "{}", text(&repair.bytes));
    let second = R1.replace(r#""uuid":"r1","parentUuid":"a1""#, r#""uuid":"r2","parentUuid":"r1""#);
    let last = A2.replace("\"r1\"", "\"r2\"");
    let repair = repaired(&file(&[U1, A1, R1, &second, &last]));
    assert!(record(&repair, "r1") == R1 && record(&repair, "r2").contains("(no content)"));
}

#[test]
fn a_late_result_stands_with_its_call_and_its_message_stays_where_it_was() {
    let next = U2.replace(r#""parentUuid":"a2""#, r#""parentUuid":"a1""#);
    let reply = A2.replace(r#""parentUuid":"r1""#, r#""parentUuid":"u2""#);
    let late = R1.replace(r#""parentUuid":"a1""#, r#""parentUuid":"a2""#);
    let repair = repaired(&file(&[U1, A1, &next, &reply, &late]));
    let conversation = conversation(&Transcript::from_bytes(repair.bytes.clone()));
    assert_eq!(conversation.len(), 6);
    assert!(record(&repair, &conversation[2]).contains(r#""content":"b""#));
    assert!(record(&repair, "r1").contains("(no content)"));
}

#[test]
fn calls_with_one_id_get_ids_of_their_own_with_their_results() {
    let again = [A1, R1].map(|line| line.replace("a1", "a3").replace("r1", "r3").replace("\"m1\"", "\"m3\""));
    let call = again[0].replace(r#""parentUuid":"u1""#, r#""parentUuid":"a2""#);
    let repair = repaired(&file(&[U1, A1, R1, A2, &call, &again[1]]));
    assert_eq!((record(&repair, "a1"), record(&repair, "r1")), (A1.to_owned(), R1.to_owned()));
    assert!(
        record(&repair, "a3").contains(r#""id":"toolu_"#) && record(&repair, "r3").contains(r#""tool_use_id":"toolu_"#)
    );
}

#[test]
fn blank_and_half_written_blocks_go_and_what_is_left_stays() {
    for block in [
        r#"{"type":"text","text":" \n"}"#,
        r#"{"type":"text"}"#,
        r#"{"type":"thinking","thinking":"a"}"#,
        r#"{"type":"image","source":{}}"#,
        r#"{"type":"tool_use","name":"x"}"#,
        r#"{"type":"tool_result","tool_use_id":"t1","content":"a"}"#,
        r#""a text""#,
    ] {
        let more = A2.replace(r#"[{"type":"text""#, &format!(r#"[{block},{{"type":"text""#));
        assert_eq!(record(&repaired(&file(&[U1, A1, R1, &more])), "a2"), A2, "{block}");
        let only = A2.replace(r#"{"type":"text","text":"c"}"#, block);
        let repair = repaired(&file(&[U1, A1, R1, &only, U2]));
        assert!(record(&repair, "a2").contains(r#"[{"type":"text","text":"(no content)"}]"#), "{block}");
    }
    for content in ["\"\"", "[]", "7", "null"] {
        let empty = U2.replace("\"d\"", content);
        assert!(record(&repaired(&file(&[U1, A1, R1, A2, &empty])), "u2").contains("(no content)"), "{content}");
    }
}

#[test]
fn a_boundary_preserves_what_is_left_of_what_it_names() {
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"a2","sessionId":"s","timestamp":"2026-01-01T00:00:05Z","content":"","compactMetadata":META}"#;
    let summary = r#"{"type":"user","uuid":"s","parentUuid":"b","sessionId":"s","timestamp":"2026-01-01T00:00:06Z","isCompactSummary":true,"message":{"role":"user","content":"e"}}"#;
    let next = U2.replace(r#""parentUuid":"a2""#, r#""parentUuid":"s""#).replace("\"u2\"", "\"u3\"");
    let segment =
        |tail: &str| format!(r#""preservedSegment":{{"headUuid":"a2","tailUuid":"{tail}","anchorUuid":"s"}}"#);
    let list =
        |uuids: &str| format!(r#""preservedMessages":{{"anchorUuid":"s","uuids":[{uuids}],"allUuids":[{uuids}]}}"#);
    for (metadata, is_sound) in [
        (segment("u2"), true),
        (format!("{},{}", segment("u2"), list(r#""a2","u2""#)), true),
        (segment("lost"), false),
        (list(r#""a2","lost","u2""#), false),
        (format!("{},{}", segment("lost"), list(r#""a2","u2","lost""#)), false),
    ] {
        let boundary = boundary.replace("META", &format!("{{{metadata}}}"));
        let repair = repaired(&file(&[U1, A1, R1, A2, U2, &boundary, summary, &next]));
        assert_eq!(repair.is_unchanged(), is_sound, "{metadata}");
        let conversation = conversation(&Transcript::from_bytes(repair.bytes));
        assert_eq!(conversation, ["b", "s", "a2", "u2", "u3"], "{metadata}");
    }
}

#[test]
fn of_any_boundary_the_claim_is_repairable_and_not_of_the_last_one_alone() {
    let boundary = |uuid: &str, before: &str, claimed: &str| {
        format!(
            r#"{{"type":"system","subtype":"compact_boundary","uuid":"{uuid}","parentUuid":null,"logicalParentUuid":"{before}","sessionId":"s","timestamp":"2026-01-01T00:00:05Z","content":"","compactMetadata":{{"preservedMessages":{{"anchorUuid":"{uuid}","uuids":["{claimed}"]}}}}}}"#
        )
    };
    let (first, last) = (boundary("b", "a2", "b"), boundary("c", "b", "b"));
    let next = U2.replace(r#""parentUuid":"a2""#, r#""parentUuid":"c""#);
    let repair = repaired(&file(&[U1, A1, R1, A2, &first, &last, &next]));
    assert!(!record(&repair, "b").contains("preservedMessages"));
}

#[test]
fn an_empty_list_as_the_content_of_a_result_stays() {
    let result = R1.replace(r#""content":"b"}]"#, r#""content":[]}]"#);
    assert_ne!(result, R1);
    assert!(repaired(&file(&[U1, A1, &result, A2, U2])).is_unchanged());
}

#[test]
fn a_picture_that_the_api_refused_stays_as_it_is() {
    let picture = r#"{"type":"user","uuid":"u0","parentUuid":null,"isMeta":true,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":[{"type":"text","text":"a"},{"type":"image"}]}}"#;
    let error = r#"{"type":"assistant","uuid":"e","parentUuid":"u0","isApiErrorMessage":true,"sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"e","role":"assistant","model":"<synthetic>","content":[{"type":"text","text":"API Error: image exceeds 5 MB maximum"}]}}"#;
    assert!(repaired(&file(&[picture, error])).is_unchanged());
    assert!(!repaired(&file(&[picture])).is_unchanged());
}

#[test]
fn a_reply_that_stands_before_its_prompt_comes_back_and_so_does_what_hides_it() {
    let call = A1.replace(r#""parentUuid":"u1""#, r#""parentUuid":"u2""#);
    let hidden = r#"{"type":"user","uuid":"h","isVisibleInTranscriptOnly":true,"sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"role":"user","content":[]}}"#;
    let last = U2.replace(r#""parentUuid":"a2""#, r#""parentUuid":null"#);
    repaired(&file(&[&call, hidden, &last]));
    // Nobody knows a parent of the message without a uuid, and the result behind it has no call.
    let nameless = U1.replace(r#""uuid":"u1","parentUuid":null,"#, "");
    let orphan =
        R1.replace(r#""parentUuid":"a1""#, r#""parentUuid":null,"isMeta":true,"isVisibleInTranscriptOnly":true"#);
    repaired(&file(&[&nameless, &orphan]));
}

#[test]
fn what_old_clients_wrote_changes_only_for_old_readers() {
    let progress = r#"{"type":"progress","uuid":"p","parentUuid":"a1","sessionId":"s","data":{}}"#;
    let result = R1.replace(r#""parentUuid":"a1""#, r#""parentUuid":"p""#);
    let mut bytes = file(&[U1, A1, progress, &result, A2]);
    bytes.pop();
    assert!(repaired(&bytes).is_unchanged());
    let repair = repaired_with(&bytes, RepairOptions { for_old_readers: true });
    assert_eq!(text(&repair.bytes), text(&file(&[U1, A1, progress, R1, A2])));
}

#[test]
fn every_prefix_and_every_lost_byte_of_a_session_is_repaired() {
    let whole = file(&[U1, SIDE, A1, R1, A2, U2]);
    for end in 0..whole.len() {
        repaired(&whole[..end]);
    }
    for lost in (0..whole.len()).step_by(7) {
        repaired(&[&whole[..lost], &whole[lost + 1..]].concat());
    }
}

#[test]
fn a_file_of_a_subagent_alone_is_repaired_as_its_own_conversation() {
    let of_agent = |record: &str| record.replacen('{', r#"{"isSidechain":true,"agentId":"g1","teamName":"crew","#, 1);
    let file = file(&[&of_agent(U1), &of_agent(A1)]);
    let made = text(&repaired(&file).bytes);
    let added = made.lines().last().unwrap();
    for part in [r#""agentId":"g1""#, r#""teamName":"crew""#, r#""isSidechain":true"#, r#""tool_use_id":"t1""#] {
        assert!(added.contains(part), "{part}: {made}");
    }
    // Beside a main conversation only that one is looked at.
    let both = [file.as_slice(), U2.replace("\"a2\"", "null").as_bytes(), b"\n"].concat();
    assert!(
        repair(&Transcript::from_bytes(both), &RepairOptions::default(), &mut FixedContext::new(1))
            .unwrap()
            .is_unchanged()
    );
}

#[test]
fn results_of_calls_that_had_one_id_follow_their_calls() {
    let second = A1.replace("\"a1\"", "\"a9\"").replace("\"u1\"", "\"a1\"");
    let second = second.replace(r#""input":{}"#, r#""input":{"a":1}"#);
    let second_result = R1.replace("\"r1\"", "\"r9\"").replace("\"a1\"", "\"a9\"");
    let next = A2.replace("\"r1\"", "\"r9\"");
    let repair = repaired(&file(&[U1, A1, &second, R1, &second_result, &next]));
    let after = conversation(&Transcript::from_bytes(repair.bytes.clone()));
    assert!(after.contains(&"r1".to_owned()) && after.contains(&"r9".to_owned()), "{after:?}");
    assert!(!text(&repair.bytes).contains("(no content)"), "{}", text(&repair.bytes));
}

#[test]
fn a_placeholder_gives_way_to_the_true_result_and_both_clients_keep_their_turns() {
    let placeholder = R1.replace("\"r1\"", "\"p\"").replace(
        r#""content":"b""#,
        r#""content":"[Tool call interrupted: the session ended before this call's result was recorded.]""#,
    );
    let other = U2.replace("\"u2\"", "\"b1\"").replace("\"a2\"", "\"p\"");
    let reply = A2.replace("\"a2\"", "\"b2\"").replace("\"r1\"", "\"b1\"").replace("\"m2\"", "\"m4\"");
    let repair = repaired(&file(&[U1, A1, &placeholder, &other, &reply, R1, A2, U2]));
    let order = ["u1", "a1", "r1", "b1", "b2", "a2", "u2"];
    assert_eq!(conversation(&Transcript::from_bytes(repair.bytes.clone())), order);
    let parents: Vec<String> = text(&repair.bytes)
        .lines()
        .filter_map(|line| Some(line.split_once(r#""parentUuid":""#)?.1.split('"').next()?.to_owned()))
        .collect();
    assert_eq!(parents, order[..6]);
    assert_eq!((rules(&repair), repair.removed.len()), (vec!["tool/single-result"], 1));
}

#[test]
fn an_id_of_a_server_tool_becomes_one_of_a_server_tool_and_nothing_is_dropped() {
    let reply = |id: &str| {
        let blocks = format!(
            r#"[{{"type":"server_tool_use","id":"{id}","name":"web_search","input":{{"query":"x"}}}},{{"type":"web_search_tool_result","tool_use_id":"{id}","content":[]}},{{"type":"text","text":"c"}}]"#
        );
        A2.replace(r#"[{"type":"text","text":"c"}]"#, &blocks).replace("\"r1\"", "\"u1\"")
    };
    let twice = reply("srvtoolu_1").replace("\"a2\"", "\"a3\"").replace("\"u1\"", "\"u2\"").replace("\"m2\"", "\"m3\"");
    for (lines, uuid) in [
        (vec![U1.to_owned(), reply("call_1")], "a2"),
        (vec![U1.to_owned(), reply("srvtoolu_1"), U2.to_owned(), twice], "a3"),
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let repair = repaired(&file(&lines));
        let line = record(&repair, uuid);
        let ids = line.matches(r#"id":"srvtoolu_"#).count();
        assert_eq!((ids, line.contains(r#""text":"c""#), line.contains("srvtoolu_1\"")), (2, true, false), "{line}");
        assert_eq!((repair.changes.len(), repair.removed.len()), (2, 0));
    }
}

#[test]
fn the_same_file_is_repaired_the_same_way_each_time() {
    // Each record twice with one uuid, so that several move up.
    let line = |at: usize| {
        let parent = if at == 0 { "null".to_owned() } else { format!("\"u{}\"", at - 1) };
        let role = ["user", "assistant"][at % 2];
        format!(
            r#"{{"type":"{role}","uuid":"u{at}","parentUuid":{parent},"sessionId":"s","timestamp":"2026-01-01T00:00:{at:02}Z","message":{{"id":"m{at}","role":"{role}","content":[{{"type":"text","text":"a"}}]}}}}"#
        )
    };
    let lines: Vec<String> = (0..24).map(line).collect();
    let later: Vec<String> = lines.iter().map(|line| line.replace(r#""text":"a""#, r#""text":"b""#)).collect();
    let twice: Vec<&str> = lines.iter().chain(&later).map(String::as_str).collect();
    let first = repaired(&file(&twice));
    assert_ne!(first.bytes, file(&twice));
    for _ in 0..8 {
        let again = repaired(&file(&twice));
        assert_eq!((&again.bytes, &again.changes), (&first.bytes, &first.changes));
    }
}
