//! Operators on *members*, *elements*, *ids*, *names* and *values*.

use std::collections::BTreeSet;

use serde_json::Value;
use turnproof_suite::fuzzing::mutate::Shape::{self, Request, Stream, Transcript};
use turnproof_suite::fuzzing::mutate::words::{
    BLOCK_TYPES, CONSTANTS, DELTA_TYPES, EVENT_TYPES, ID_KEYS, ID_LISTS, KINDS, ROLES, STOP_REASONS, SUBTYPES, keys,
};

use super::samples::sample;
use super::{MOST, SEEDS, operator, outcomes, set};

#[test]
fn a_member_is_dropped_with_one_comma() {
    let made = outcomes("drop-member", Request, r#"{"a":1 , "b":{"c":2}}"#);
    assert_eq!(made, set([r#"{ "b":{"c":2}}"#, r#"{"a":1 }"#, r#"{"a":1 , "b":{}}"#]));
}

#[test]
fn members_are_found_in_torn_and_in_glued_text() {
    let made = outcomes("drop-member", Transcript, r#"sage":{"role":"user"},"a":1}{"b":2"#);
    assert_eq!(
        made,
        set([r#"sage":{},"a":1}{"b":2"#, r#"sage":{"role":"user"}}{"b":2"#, r#"sage":{"role":"user"},"a":1}{"#])
    );
}

#[test]
fn a_string_ends_with_its_line_and_an_escaped_quote_is_part_of_it() {
    let torn = "{\"a\":\"b\n{\"c\":1}\n";
    assert_eq!(outcomes("drop-member", Transcript, torn), set(["{\n{\"c\":1}\n", "{\"a\":\"b\n{}\n"]));
    assert_eq!(outcomes("drop-member", Transcript, r#"{"a":"\",\"b\":1,\""}"#), set(["{}"]));
}

#[test]
fn objects_go_over_lines_in_requests_alone() {
    let input = "{\"a\":{\n\"b\":1}}";
    assert_eq!(outcomes("drop-member", Request, input), set(["{}", "{\"a\":{\n}}"]));
    assert_eq!(outcomes("drop-member", Transcript, input), set(["{\n\"b\":1}}", "{\"a\":{\n}}"]));
}

#[test]
fn a_member_is_repeated() {
    let made = outcomes("duplicate-member", Request, r#"{"a":1,"b":[{"c":2}]}"#);
    assert_eq!(
        made,
        set([
            r#"{"a":1,"a":1,"b":[{"c":2}]}"#,
            r#"{"a":1,"b":[{"c":2}],"b":[{"c":2}]}"#,
            r#"{"a":1,"b":[{"c":2,"c":2}]}"#
        ])
    );
}

#[test]
fn a_member_is_copied_into_another_object() {
    let made = outcomes("copy-member", Transcript, r#"{"a":1,"b":{}}"#);
    assert_eq!(made, set([r#"{"a":1,"b":{"a":1}}"#, r#"{"a":1,"b":{"b":{}}}"#]));
    let back = outcomes("copy-member", Transcript, r#"{"b":{"c":2}}"#);
    assert_eq!(back, set([r#"{"c":2,"b":{"c":2}}"#, r#"{"b":{"b":{"c":2},"c":2}}"#]));
}

#[test]
fn a_member_gets_any_known_key() {
    for shape in Shape::ALL {
        let made = outcomes("rename-member", shape, r#"{"a":1}"#);
        assert_eq!(made, keys(shape).iter().map(|key| format!(r#"{{"{key}":1}}"#)).collect());
    }
    for key in ["type", "parentUuid", "preservedSegment", "tool_use_id", "cache_read_input_tokens"] {
        assert!(keys(Transcript).contains(&key), "{key} is not known");
    }
}

#[test]
fn a_character_that_is_not_yet_an_escape_becomes_one() {
    let made = outcomes("escape-character", Transcript, r#"{"a":"b\n\u0063"}"#);
    assert_eq!(made, set([r#"{"\u0061":"b\n\u0063"}"#, r#"{"a":"\u0062\n\u0063"}"#]));
    assert_eq!(outcomes("escape-character", Transcript, r#"["😀"]"#), set([r#"["\ud83d\ude00"]"#]));
}

#[test]
fn escaped_characters_read_as_before() {
    for made in outcomes("escape-character", Request, sample(Request)) {
        let read = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(read(&made), read(sample(Request)));
    }
}

#[test]
fn elements_are_repeated_go_or_change_places() {
    let input = r#"{"a":[1,{"b":[2]}]}"#;
    assert_eq!(
        outcomes("duplicate-element", Request, input),
        set([r#"{"a":[1,1,{"b":[2]}]}"#, r#"{"a":[1,{"b":[2]},{"b":[2]}]}"#, r#"{"a":[1,{"b":[2,2]}]}"#])
    );
    assert_eq!(
        outcomes("drop-element", Request, input),
        set([r#"{"a":[{"b":[2]}]}"#, r#"{"a":[1]}"#, r#"{"a":[1,{"b":[]}]}"#])
    );
    assert_eq!(outcomes("swap-elements", Request, input), set([r#"{"a":[{"b":[2]},1]}"#]));
    assert_eq!(outcomes("swap-elements", Request, "[1,2,3]"), set(["[2,1,3]", "[3,2,1]", "[1,3,2]"]));
}

#[test]
fn brackets_that_close_nothing_or_too_much_hide_no_element() {
    assert_eq!(outcomes("drop-element", Request, "[1,2},3]"), set(["[2},3]", "[1},3]", "[1,2}]"]));
    assert_eq!(outcomes("drop-element", Request, r#"[{"a":1],2"#), set(["[],2"]));
    assert_eq!(outcomes("drop-element", Request, "[1,[2"), set(["[[2", "[1", "[1,["]));
}

#[test]
fn a_block_of_every_type_is_added_to_an_array() {
    let mut types = BTreeSet::new();
    for made in outcomes("add-block", Request, r#"{"content":["a"]}"#) {
        let content: Value = serde_json::from_str(&made).expect("JSON");
        let [block, rest] = content["content"].as_array().expect("an array").as_slice() else {
            panic!("{made}: one block more")
        };
        assert_eq!(rest, "a");
        types.extend(block["type"].as_str().map(str::to_owned));
    }
    assert_eq!(types, set(BLOCK_TYPES.iter().copied()));
    let added = outcomes("add-block", Request, "[ ]");
    assert!(added.iter().all(|made| serde_json::from_str::<Value>(made).is_ok()), "{added:?}");
}

/// The texts of all ids in a transcript, by a plain reader.
fn ids(text: &str) -> BTreeSet<String> {
    fn collect(value: &Value, ids: &mut BTreeSet<String>) {
        let add = |value: &Value, ids: &mut BTreeSet<String>| ids.extend(value.as_str().map(str::to_owned));
        match value {
            Value::Array(list) => list.iter().for_each(|value| collect(value, ids)),
            Value::Object(members) => {
                for (key, value) in members {
                    match value {
                        Value::Array(list) if ID_LISTS.contains(&key.as_str()) => {
                            list.iter().for_each(|value| add(value, ids));
                        }
                        _ if ID_KEYS.contains(&key.as_str()) => add(value, ids),
                        _ => collect(value, ids),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    text.lines().for_each(|line| collect(&serde_json::from_str(line).expect("a record"), &mut found));
    found
}

#[test]
fn a_changed_id_is_one_that_the_input_has() {
    let made = outcomes("existing-id", Transcript, r#"{"uuid":"a","parentUuid":null,"uuids":["b"],"name":"c"}"#);
    let expected = [
        r#"{"uuid":"b","parentUuid":null,"uuids":["b"],"name":"c"}"#,
        r#"{"uuid":"a","parentUuid":"a","uuids":["b"],"name":"c"}"#,
        r#"{"uuid":"a","parentUuid":"b","uuids":["b"],"name":"c"}"#,
        r#"{"uuid":"a","parentUuid":null,"uuids":["a"],"name":"c"}"#,
    ];
    assert_eq!(made, set(expected));
    let before = ids(sample(Transcript));
    for made in outcomes("existing-id", Transcript, sample(Transcript)) {
        assert!(ids(&made).is_subset(&before), "{made}");
    }
}

#[test]
fn a_new_id_is_one_of_its_kind_that_the_input_does_not_have() {
    for made in outcomes("new-id", Transcript, r#"{"uuid":"a"}"#) {
        let record: Value = serde_json::from_str(&made).expect("JSON");
        let id = uuid::Uuid::parse_str(record["uuid"].as_str().expect("a text")).expect("a UUID");
        assert_eq!((id.get_version_num(), id.get_variant()), (4, uuid::Variant::RFC4122), "{made}");
    }
    for made in outcomes("new-id", Request, r#"{"tool_use_id":"toolu_1"}"#) {
        let digits = made.strip_prefix(r#"{"tool_use_id":"toolu_"#).and_then(|rest| rest.strip_suffix("\"}"));
        let is_new = |digits: &str| digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(digits.is_some_and(is_new), "{made}");
    }
}

#[test]
fn an_id_becomes_null() {
    let made = outcomes("null-id", Transcript, r#"{"uuid":"a","leafUuid":"b","name":"c"}"#);
    assert_eq!(made, set([r#"{"uuid":null,"leafUuid":"b","name":"c"}"#, r#"{"uuid":"a","leafUuid":null,"name":"c"}"#]));
}

/// A member under each name of a list but one.
fn named(key: &str, names: &[&str], but: &str) -> BTreeSet<String> {
    names.iter().filter(|&&name| name != but).map(|name| format!(r#"{{"{key}":"{name}"}}"#)).collect()
}

#[test]
fn a_type_becomes_another_of_its_kind() {
    let lists: [(&str, &[&str]); 4] =
        [("user", &KINDS), ("tool_use", &BLOCK_TYPES), ("ping", EVENT_TYPES), ("text_delta", DELTA_TYPES)];
    for (name, list) in lists {
        let made = outcomes("change-type", Request, &format!(r#"{{"type":"{name}"}}"#));
        assert_eq!(made, named("type", list, name));
    }
    for (shape, list) in [(Transcript, KINDS.as_slice()), (Stream, EVENT_TYPES), (Request, &BLOCK_TYPES)] {
        assert_eq!(outcomes("change-type", shape, r#"{"type":"unheard"}"#), named("type", list, ""));
    }
}

#[test]
fn subtypes_roles_and_stop_reasons_become_others() {
    let made = outcomes("change-subtype", Transcript, r#"{"subtype":"thinking"}"#);
    assert_eq!(made, named("subtype", SUBTYPES, "thinking"));
    assert_eq!(outcomes("change-role", Request, r#"{"role":"user"}"#), named("role", ROLES, "user"));
    let made = outcomes("change-stop-reason", Stream, r#"{"stop_reason":null}"#);
    assert_eq!(made, named("stop_reason", STOP_REASONS, ""));
}

#[test]
fn a_value_gets_another_type() {
    let inside = ["\"5\"", "true", "false", "null", "{}", "[]", "[null]"].map(|form| format!("{{\"a\":{form}}}"));
    let outside = ["\"a\"", "7", "true", "false", "null", "[]", "[null]"].map(str::to_owned);
    assert_eq!(outcomes("retype-value", Request, r#"{"a":5}"#), set(inside.into_iter().chain(outside)));
}

#[test]
fn numbers_become_those_at_the_edges() {
    let made = outcomes("change-number", Transcript, r#"{"a":5,"b":"6"}"#);
    let numbers: BTreeSet<&str> = made
        .iter()
        .map(|made| made.strip_prefix("{\"a\":").and_then(|rest| rest.strip_suffix(",\"b\":\"6\"}")).expect("a"))
        .collect();
    let edges = ["0", "1", "-1", "281474976710656", "9007199254740993", "18446744073709551616", "1e308", "1e999"];
    for number in edges {
        assert!(numbers.contains(number), "{number} is never drawn");
    }
    assert!(numbers.iter().any(|number| number.len() > 40), "no number has many digits");
}

#[test]
fn a_flag_is_flipped() {
    assert_eq!(
        outcomes("flip-flag", Transcript, r#"{"a":true,"b":[false]}"#),
        set([r#"{"a":false,"b":[false]}"#, r#"{"a":true,"b":[true]}"#])
    );
}

#[test]
fn odd_texts_stand_in_the_place_of_a_text_or_behind_it() {
    let made = outcomes("odd-text", Transcript, r#"{"a":"b"}"#);
    for text in ["", " ", r"\ud800", r"\ud83d\ude00", "\u{2028}", r"\u0000", r"b\ud800", "b\u{2028}"] {
        assert!(made.contains(&format!(r#"{{"a":"{text}"}}"#)), "{text:?} is never drawn");
    }
    assert!(made.iter().all(|made| made.starts_with(r#"{"a":""#) && made.ends_with(r#""}"#)), "{made:?}");
}

#[test]
fn long_texts_are_as_long_as_there_is_room() {
    let long = operator("long-text");
    let made = outcomes("long-text", Transcript, r#"["b"]"#);
    let lengths: BTreeSet<usize> = made.iter().map(|made| made.len() - 4).collect();
    assert!(lengths.contains(&65) && lengths.contains(&8192) && lengths.contains(&(MOST - 5)), "{lengths:?}");
    for made in made {
        assert!(serde_json::from_str::<Value>(&made).is_ok(), "{made}");
    }
    for made in (0..SEEDS).filter_map(|seed| long.apply(br#"["b"]"#, Transcript, seed, 30)) {
        assert!(made.ends_with(b"\"]"), "the text fits");
    }
}

#[test]
fn a_text_becomes_any_protocol_constant() {
    let made = outcomes("constant-text", Request, r#"["b"]"#);
    let texts = made.iter().flat_map(|made| serde_json::from_str::<Vec<String>>(made).expect("a text"));
    assert_eq!(texts.collect::<BTreeSet<_>>(), set(CONSTANTS.iter().copied()));
}

#[test]
fn a_value_is_put_as_deep_as_readers_go_and_deeper() {
    let mut depths = BTreeSet::new();
    for made in outcomes("nest-value", Transcript, r#"{"a":5}"#) {
        let (front, back) = made.split_once('5').expect("the value");
        let (open, close) = (front.matches(['[', '{']).count(), back.matches([']', '}']).count());
        assert_eq!(open, close, "{made}");
        depths.insert(open - 1);
    }
    for depth in [1, 127, 128, 129] {
        assert!(depths.contains(&depth), "never {depth} deep: {depths:?}");
    }
}

#[test]
fn content_is_wrapped_in_a_block_and_unwrapped_again() {
    let (text, block) = (r#"{"content":"a"}"#, r#"{"content":[{"type":"text","text":"a"}]}"#);
    assert_eq!(outcomes("wrap-content", Request, text), set([block]));
    assert_eq!(outcomes("unwrap-content", Request, block), set([text]));
    assert_eq!(outcomes("unwrap-content", Request, r#"{"input":[{"text":"a"}]}"#), set([""; 0]));
}
