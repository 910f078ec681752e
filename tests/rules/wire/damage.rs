//! What the model finds in damaged files: a row of the damage table each.

use turnproof_rules::rules::right_reading;

use super::{nested, pieces};

fn heads(bytes: &[u8]) -> Vec<(Option<String>, Option<String>)> {
    right_reading(bytes).records.into_iter().map(|record| (record.kind, record.uuid)).collect()
}

/// What the model finds and reports, in words: of each piece and each report the bytes, then what it is.
#[track_caller]
fn assert_model(bytes: &[u8], expected_pieces: &str, expected_reports: &str) {
    let found: Vec<String> = pieces(bytes).iter().map(|(start, end, what)| format!("{start}-{end} {what}")).collect();
    assert_eq!(found.join(", "), expected_pieces, "pieces of {:?}", String::from_utf8_lossy(bytes));
    let reports = right_reading(bytes).reports.unwrap();
    let reported = reports.iter().map(|report| format!("{}-{} {}", report.start, report.end, report.rule));
    let reported: Vec<String> = reported.collect();
    assert_eq!(reported.join(", "), expected_reports, "reports of {:?}", String::from_utf8_lossy(bytes));
}

#[test]
fn the_model_rejects_what_is_no_json_object() {
    assert_model(
        b"{}\nabc \n12\n\"a\"\r\n{\"a\" 1}\n{\"a\":1\n1 2\n",
        "0-2 record, 3-6 not-json, 8-10 not-object, 11-14 not-object, 16-23 not-json, 24-30 cut-short, 31-34 not-json",
        "3-6 wire/json-object, 8-10 wire/json-object, 11-14 wire/json-object, \
         16-23 wire/json-object, 24-30 wire/json-object, 31-34 wire/json-object",
    );
    assert_eq!(right_reading(b"\n {} \n\n").blank, [(0, 2), (4, 7)]);
}

#[test]
fn the_model_knows_every_way_to_be_cut_short() {
    let whole = br#"{"a":[1,-2.5e+3,true,false,null,{"b":"c\n\u00e9"}],"d":{}}"#;
    for end in 1..whole.len() {
        let line = [&whole[..end], b"\n"].concat();
        let end = whole[..end].trim_ascii_end().len() as u64;
        assert_model(&line, &format!("0-{end} cut-short"), &format!("0-{end} wire/json-object"));
    }
    for wrong in [r#"{"a":"\u1x"#, r#"{"a":tru "#, r#"{"a":01"#, r#"{"a":"\x"#, "{\"a\":\"\t\"", "{,", "{\"a\":1,}"] {
        assert_eq!(pieces(wrong.as_bytes())[0].2, "not-json", "{wrong}");
    }
}

#[test]
fn the_model_recovers_glued_records() {
    assert_model(
        b"{\"a\":1}{\"b\":2} {}\n",
        "0-7 record, 7-14 record, 15-17 record",
        "7-14 wire/one-record-per-line, 15-17 wire/one-record-per-line",
    );
}

#[test]
fn the_model_recovers_a_record_after_one_cut_short() {
    let whole = r#"{"type":"user","sessionId":"s"}"#;
    let line = format!("{{\"type\":\"us{whole}\n");
    assert_model(line.as_bytes(), "0-11 cut-short, 11-42 record", "0-11 wire/one-record-per-line");
    let line = format!("{{\"a\":1, {whole}{{}}\n");
    assert_model(
        line.as_bytes(),
        "0-8 cut-short, 8-39 record, 39-41 record",
        "0-8 wire/one-record-per-line, 39-41 wire/one-record-per-line",
    );
    let line = format!("{{}}x{whole}\n");
    assert_model(
        line.as_bytes(),
        "0-2 record, 2-3 not-json, 3-34 record",
        "2-3 wire/json-object, 3-34 wire/one-record-per-line",
    );
}

#[test]
fn the_model_does_not_take_objects_inside_damage_for_records() {
    for inside in [
        r#"{"a":[{"type":"text","text":"x"}"#,
        r#"{"a":{"type":"user","sessionId":"s"},"#,
        r#"{"a":[{"type":"user","sessionId":"s"} ]"#,
        r#"{"a":{ "type":"user","sessionId":"s"}"#,
        r#"{"a":{"type":1,"sessionId":"s"}"#,
    ] {
        let reason = pieces(format!("{inside}\n").as_bytes());
        assert!(reason.iter().all(|(.., name)| *name == "cut-short" || *name == "record"), "{inside}: {reason:?}");
        assert!(!reason.iter().skip(1).any(|(.., name)| *name == "record"), "{inside}: {reason:?}");
    }
}

#[test]
fn the_model_reads_a_last_line_without_line_feed() {
    assert_model(b"{}\n{}", "0-2 record, 3-5 record", "3-5 wire/terminated");
    assert_model(b"{}\n{\"a\":", "0-2 record, 3-8 cut-short", "3-8 wire/terminated");
    assert_model(b"x\0 ", "0-1 not-json, 1-2 nul", "0-1 wire/json-object, 0-1 wire/terminated, 1-2 wire/no-nul");
    assert_model(b"{}\n \t", "0-2 record", "");
    assert_model(b"{}\n\0", "0-2 record, 3-4 nul", "3-4 wire/no-nul");
}

#[test]
fn the_model_skips_runs_of_nul() {
    assert_model(
        b"\0\0{}\0{\"a\":\0\n",
        "0-2 nul, 2-4 record, 4-5 nul, 5-10 cut-short, 10-11 nul",
        "0-2 wire/no-nul, 4-5 wire/no-nul, 5-10 wire/json-object, 10-11 wire/no-nul",
    );
    assert_model(
        b"{\"a\":\0{}\n",
        "0-5 cut-short, 5-6 nul, 6-8 record",
        "0-5 wire/one-record-per-line, 5-6 wire/no-nul",
    );
}

#[test]
fn the_model_reads_strings_that_are_not_utf8_and_rejects_the_rest() {
    assert_model(
        b"{\"uuid\":\"a\xFF\"}\n{\xFF}\n\xFF\n",
        "0-13 record, 14-17 invalid-utf8, 18-19 invalid-utf8",
        "10-13 wire/utf8, 14-17 wire/utf8, 18-19 wire/utf8",
    );
    assert_eq!(heads(b"{\"uuid\":\"a\xFF\"}\n"), [(None, Some("a\u{FFFD}".to_owned()))]);
}

#[test]
fn the_model_shows_lone_surrogates_as_replacement_characters() {
    let text = |text: &str| Some(text.to_owned());
    let line = br#"{"type":"\ud83d","uuid":"\ude00\ud83d"}"#;
    assert_eq!(heads(line), [(text("\u{FFFD}"), text("\u{FFFD}\u{FFFD}"))]);
    assert_model(b"{\"\\ud83d\":[1]}\n", "0-14 record", "2-14 wire/no-lone-surrogate");
    assert_model(b"{\"\\ud83d\\ude00\":\"\\\\ud83d\"}\n", "0-26 record", "");
}

#[test]
fn the_model_takes_the_last_of_repeated_keys() {
    let line = br#"{"type":"a","uuid":"u1","type":"b","u\u0075id":"u2"}"#;
    assert_eq!(heads(line), [(Some("b".to_owned()), Some("u2".to_owned()))]);
    assert_model(b"{\"a\":[{\"b\":1,\"\\u0062\":1}]}\n", "0-26 record", "14-26 wire/unique-keys");
    assert_model(b"{\"a\":{\"b\":1},\"b\":{\"a\":1}}\n", "0-25 record", "");
}

#[test]
fn the_model_rejects_the_129th_container() {
    let objects = |depth: usize| format!("{}1{}\n", "{\"a\":".repeat(depth), "}".repeat(depth));
    assert_eq!(pieces(objects(128).as_bytes())[0].2, "record");
    assert_eq!(pieces(objects(129).as_bytes())[0].2, "too-deep");
    assert_eq!(pieces(nested("[", 128, "]").as_bytes())[0].2, "not-object");
    assert_eq!(pieces(nested("[", 129, "]").as_bytes())[0].2, "too-deep");
    assert_eq!(pieces("[".repeat(100_000).as_bytes()), [(0, 100_000, "too-deep".to_owned())]);
    assert_eq!(pieces("{\"a\":".repeat(1_000).as_bytes()), [(0, 5_000, "too-deep".to_owned())]);
    let glued = format!("{}{{\"type\":\"user\",\"parentUuid\":null}}\n", objects(129).trim());
    assert_model(glued.as_bytes(), "0-775 too-deep, 775-808 record", "0-775 wire/depth");
}

#[test]
fn the_model_tolerates_separators_carriage_returns_and_byte_order_marks() {
    assert_model("{\"a\":\"\u{2028}\u{2029}\"}\n".as_bytes(), "0-14 record", "");
    assert_model(b"{}\r\n{}\r\n", "0-2 record, 4-6 record", "");
    assert_model(b"\xEF\xBB\xBF{}\n\xEF\xBB\xBF \n", "3-5 record", "");
    assert_model(b"x\xEF\xBB\xBF \n", "0-4 not-json", "0-4 wire/json-object");
}

#[test]
fn the_model_names_known_fields_of_the_wrong_type() {
    let breaks = |line: &str| {
        let reports = right_reading(format!("{line}\n").as_bytes()).reports.unwrap();
        reports.iter().any(|report| report.rule == "wire/typed-fields")
    };
    for wrong in [
        r#"{"type":7}"#,
        r#"{"type":["user"]}"#,
        r#"{"type":"user","isMeta":"yes"}"#,
        r#"{"type":"user","message":"hello"}"#,
        r#"{"type":"user","message":{"content":{}}}"#,
        r#"{"type":"user","message":{"content":["x"]}}"#,
        r#"{"type":"user","message":{"content":[null]}}"#,
        r#"{"type":"user","message":{"content":[{"type":3}]}}"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","is_error":1}]}}"#,
        r#"{"type":"assistant","message":{"usage":{"input_tokens":"3"}}}"#,
        r#"{"type":"assistant","message":{"usage":{"cache_creation":{"ephemeral_1h_input_tokens":[]}}}}"#,
        r#"{"type":"assistant","message":{"content":[{"type":"mcp_tool_result","tool_use_id":1}]}}"#,
        r#"{"type":"system","compactMetadata":{"preservedMessages":{"uuids":["a",null]}}}"#,
        r#"{"type":"system","retractedMessageUuids":"a"}"#,
        r#"{"type":"stream_request_start","uuid":false}"#,
        r#"{"type":"user","uuid":"a","uuid":1}"#,
    ] {
        assert!(breaks(wrong), "{wrong}");
    }
    for right in [
        "{}",
        r#"{"type":null,"uuid":1}"#,
        r#"{"type":"summary","uuid":1,"leafUuid":2}"#,
        r#"{"type":"atis-latch","message":3}"#,
        r#"{"type":"user","parentUuid":null,"isMeta":null,"message":null,"imagePasteIds":[1]}"#,
        r#"{"type":"user","message":{"content":"x"},"toolUseResult":7}"#,
        r#"{"type":"user","message":{"content":[{"type":null},{},{"type":"new","text":1}]}}"#,
        r#"{"type":"assistant","message":{"usage":{"input_tokens":3,"service_tier":null}}}"#,
        r#"{"type":"system","hookInfos":[1],"level":"loud","compactMetadata":null}"#,
        r#"{"type":"user","uuid":1,"uuid":"a"}"#,
    ] {
        assert!(!breaks(right), "{right}");
    }
}

#[test]
fn the_model_names_kinds_that_must_not_be_on_disk() {
    for kind in ["tool_use_summary", "tombstone", "grouped_tool_use", "stream_event", "stream_request_start"] {
        let line = format!("{{\"type\":{kind:?}}}\n");
        let end = line.len() as u64 - 1;
        assert_model(line.as_bytes(), &format!("0-{end} record"), &format!("8-{end} wire/live-only-kind"));
    }
    assert_model(b"{\"type\":\"progress\"}\n", "0-19 record", "");
}
