//! The scanner and the values of `json`, compared with `serde_json` and a naive reader.

use crate::naive;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use turnproof_reference::json::{
    Cursor, Fault, FaultKind, Fields, Flaw, FlawKind, JsonType, MAX_DEPTH, Raw, Scratch, Span, Text,
};
use turnproof_reference::message::{Block, Event, Typed};

/// Scans a text that should be one value. Returns it with the notes of the scan.
fn scan(bytes: &[u8]) -> Result<(JsonType, Vec<Flaw>), Fault> {
    scan_with(bytes, |cursor| cursor.value())
}

/// The same, through the methods that hand out members and elements.
fn step(bytes: &[u8]) -> Result<(JsonType, Vec<Flaw>), Fault> {
    scan_with(bytes, walk)
}

fn walk(cursor: &mut Cursor<'_, '_>) -> Result<(JsonType, Span), Fault> {
    match cursor.peek_type() {
        Some(JsonType::Object) => {
            cursor.object(|cursor, _| walk(cursor).map(drop)).map(|span| (JsonType::Object, span))
        }
        Some(JsonType::Array) => cursor.array(|cursor, _| walk(cursor).map(drop)).map(|span| (JsonType::Array, span)),
        _ => cursor.value(),
    }
}

fn scan_with(
    bytes: &[u8],
    scan: impl Fn(&mut Cursor<'_, '_>) -> Result<(JsonType, Span), Fault>,
) -> Result<(JsonType, Vec<Flaw>), Fault> {
    let mut scratch = Scratch::default();
    let mut cursor = Cursor::new(bytes, 0, &mut scratch);
    let (found, span) = scan(&mut cursor)?;
    assert_eq!(span.end as usize, cursor.at());
    assert_eq!(JsonType::of(span.of(bytes)[0]), found);
    match cursor.peek_type() {
        None => Ok((found, scratch.notes)),
        Some(_) => Err(Fault { at: cursor.at(), kind: FaultKind::Expected("the end") }),
    }
}

/// The bytes of the notes of one kind, in order.
fn spans(notes: &[Flaw], kind: FlawKind) -> Vec<(u32, u32)> {
    let of_kind = notes.iter().filter(|note| note.kind == kind);
    let mut spans: Vec<_> = of_kind.map(|note| (note.span.start, note.span.end)).collect();
    spans.sort_unstable();
    spans
}

fn agree_on_acceptance(bytes: &[u8]) {
    let shown = String::from_utf8_lossy(bytes);
    let expected = serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
    assert_eq!(scan(bytes).is_ok(), expected, "value() on {shown}");
    assert_eq!(step(bytes).is_ok(), expected, "object() and array() on {shown}");
}

fn agree_on_notes(text: &str) {
    let expected = naive::read(text);
    for result in [scan(text.as_bytes()), step(text.as_bytes())] {
        let (notes, Some((_, seen))) = (result.map(|(_, notes)| notes), &expected) else {
            panic!("acceptance differs on {text}");
        };
        let notes = notes.unwrap_or_else(|fault| panic!("{fault:?} in {text}"));
        let mut repeated = seen.repeated_keys.clone();
        repeated.sort_unstable();
        assert_eq!(spans(&notes, FlawKind::RepeatedKey), repeated, "repeated keys of {text}");
        let mut lone = seen.lone_surrogates.clone();
        lone.sort_unstable();
        assert_eq!(spans(&notes, FlawKind::LoneSurrogate), lone, "lone surrogates of {text}");
    }
}

/// Texts at the edges of the grammar, right and wrong; white space separates them.
const EDGES: &str = r##"
0 -0 - --1 +1 00 01 -01 1. 1.0 .5 1.e5 1e5 1E+5 1e-05 1e 1e+ 1e400 1.10 12345678901234567890 0x10 1_0 NaN Infinity
null nul nulll Null true tru truefalse false fals falsE "" " "a "\" "\ "\\" "\/\b\f\n\r\t" "\a" "\'" "\u" "\u12"
"\u123g" "\u12 "\u+123" "\uABCD\uabcd" "\U0041" "\ud83d" "\ude00" "\ud83d\ude00" "\ud83d\ud83d\ude00" "\ud83d\"
"\ud83d\n" "\ud83d\u" 'a' [] [ ] [1 [1, [1,] [,1] [,] [1,2] [1} ["a",{}] [[] []] {} { } {"a" {"a": {"a":1 {"a":1,
{"a":1,} {,} {a:1} {1:1} {"a"::1} {"a":} {"a":1] {"a":1}} {"a":{"b":[{}]}} {null:1} {}x /**/1 1//
"##;

/// More texts at the edges of the grammar: those that hold white space, and the empty one.
const SPACED_EDGES: &[&str] = &[
    "",
    " ",
    "\"\u{7f}\u{80}\u{2028}\u{ffff}\"",
    "\"tab\there\"",
    "\"new\nline\"",
    "\"nul\0\"",
    "\"\u{1f}\"",
    "\"12345678\u{1f}\"",
    "\"1234567\u{1}\"",
    "[ ]",
    "[1 2]",
    "{ }",
    "{\"a\" : 1 , \"b\" :2}",
    "{\"a\" 1}",
    "{\"a\nb\":1}",
    "1 2",
    "{} {}",
    "[]\u{a0}",
    "\u{feff}{}",
    "\t\r\n {} \t\r\n",
    "\u{b}1",
    "\0",
    "1\0",
];

#[test]
fn the_scanner_accepts_what_serde_json_accepts_at_the_edges_of_the_grammar() {
    for text in EDGES.split_whitespace().chain(SPACED_EDGES.iter().copied()) {
        agree_on_acceptance(text.as_bytes());
        assert_eq!(naive::read(text).is_some(), scan(text.as_bytes()).is_ok(), "naive reader on {text}");
    }
}

#[test]
fn each_control_character_must_be_escaped() {
    for byte in 0..=0x7F_u8 {
        for padding in 0..9 {
            let mut text = vec![b'"'];
            text.extend([b'a'].repeat(padding));
            text.push(byte);
            text.extend(b"tail tail\"");
            agree_on_acceptance(&text);
        }
    }
}

#[test]
fn bytes_that_are_not_utf_8_do_not_stop_the_scan() {
    for bytes in [&b"\"\xFF\""[..], b"{\"\xC3\":\"\xED\xA0\xBD\"}", b"\"12345678\x80\x9F\xA2\xDC\""] {
        agree_on_acceptance(bytes);
        assert!(scan(bytes).is_ok());
    }
}

#[test]
fn nesting_128_deep_is_accepted_and_129_is_too_deep() {
    for (open, middle, close) in [("[", "", "]"), ("{\"a\":", "1", "}"), ("[{\"a\":", "[]", "}]")] {
        for depth in [MAX_DEPTH - 1, MAX_DEPTH, MAX_DEPTH + 1, 100_000] {
            let own = usize::from(middle == "[]");
            let count = (depth - own) / if open.len() == 6 { 2 } else { 1 };
            let text = open.repeat(count) + middle + &close.repeat(count);
            let containers = text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
            let result = scan(text.as_bytes());
            if containers <= MAX_DEPTH {
                assert!(result.is_ok() && step(text.as_bytes()).is_ok(), "{containers} deep");
            } else {
                let too_deep = Err(FaultKind::TooDeep);
                assert_eq!(result.map_err(|fault| fault.kind).map(drop), too_deep, "{containers} deep");
                assert_eq!(step(text.as_bytes()).map_err(|fault| fault.kind).map(drop), too_deep);
            }
        }
    }
}

#[test]
fn the_fault_of_a_text_that_is_too_deep_names_the_bracket() {
    let text = "[".repeat(200);
    assert_eq!(scan(text.as_bytes()), Err(Fault { at: MAX_DEPTH, kind: FaultKind::TooDeep }));
}

#[test]
fn containers_that_have_closed_do_not_count_as_depth() {
    let deep = "[".repeat(MAX_DEPTH - 1) + &"]".repeat(MAX_DEPTH - 1);
    assert!(scan(format!("[{deep},{deep},{deep}]").as_bytes()).is_ok());
}

#[test]
fn keys_are_equal_when_their_escapes_are_read() {
    agree_on_notes(r#"{"a":1,"\u0061":2,"\u0061\u0062":3,"ab":4,"a":5}"#);
    agree_on_notes(r#"{"\ud83d":1,"\uD83D":2,"\ud83d\ude00":3,"😀":4,"\ude00":5,"�":6}"#);
    agree_on_notes(r#"{"/":1,"\/":2,"":3,"":4,"\\u0061":5}"#);
    agree_on_notes(r#"{"a":{"a":{"a":1,"a":2}},"b":[{"a":1},{"a":1}],"a":0}"#);
}

#[test]
fn repeated_keys_are_found_in_objects_with_thousands_of_keys() {
    for count in [63, 64, 65, 66, 67, 130, 5_000] {
        let mut keys: Vec<String> = (0..count).map(|index| format!("key{index}")).collect();
        // Early and late ones again, some with escapes, one three times.
        for again in ["key0", "key1", "key0", "\\u006bey2", "key62"] {
            keys.push(again.to_owned());
        }
        keys.push(format!("key{}", count - 1));
        keys.insert(count / 2, "key3".to_owned());
        let members: Vec<String> = keys.iter().map(|key| format!("\"{key}\":{{\"{key}\":0}}")).collect();
        agree_on_notes(&format!("{{{}}}", members.join(",")));
    }
}

#[test]
fn keys_that_share_their_ends_and_length_are_distinguished() {
    let keys: Vec<String> = (0..300).map(|index| format!("\"12345678-{index:04}-12345678\":0")).collect();
    let text = format!("{{{},{}}}", keys.join(","), keys[7]);
    agree_on_notes(&text);
}

#[test]
fn the_object_that_closed_last_is_known() {
    let text = br#"[{"a":{}}, [ {"b":1} ] ]"#;
    let mut scratch = Scratch::default();
    assert!(Cursor::new(text, 0, &mut scratch).value().is_ok());
    assert_eq!(scratch.last_object, Some((13, 20)));
}

#[test]
fn fields_keep_the_first_place_and_the_last_value_of_a_repeated_key() {
    let fields: Fields = serde_json::from_str(r#"{"a":1,"b":2,"\u0061":3,"\ud83d":4,"\uD83D":1.10}"#).unwrap();
    assert_eq!(fields.to_json(), r#"{"a":3,"b":2,"\ud83d":1.10}"#);
    assert_eq!(serde_json::to_string(&fields).unwrap(), fields.to_json());
    let bytes: Fields = serde_json::from_slice(br#"{"\ude00x":{ }}"#).unwrap();
    assert_eq!(bytes.to_json(), r#"{"\ude00x":{ }}"#);
}

#[test]
fn fields_refuse_what_is_not_json_or_not_an_object() {
    for text in ["{\"a\u{1}\":1}", "[]", "null", "{\"a\":\"\u{1}\"}", "{\"a\":1,}", "1"] {
        assert!(serde_json::from_str::<Fields>(text).is_err(), "{text:?}");
    }
}

#[test]
fn raw_values_keep_every_character_but_the_space_around_them() {
    for text in ["1.10", "1e400", "-0", "12345678901234567890123", "[ 1 , {\"a\" :\t2}]", "\"\\u0041\\ud83d\""] {
        let raw: Raw = serde_json::from_str(&format!(" {text}\n")).unwrap();
        assert_eq!(raw.get(), text);
        assert_eq!(serde_json::to_string(&raw).unwrap(), text);
    }
}

/// Characters and escapes that strings are made of; each is a well-formed part of a JSON string. White space
/// separates them, and those in `ODD_FRAGMENTS` hold some or are hard to see.
const FRAGMENTS: &str = r##"
a b key é 😀 12345678 \n \" \\ \/ \u0061 \u0000 \u00e9 \ud83d \uD83D \ude00 \ud83d\ude00 \uffff
"##;

const ODD_FRAGMENTS: &[&str] = &[" ", "\u{7f}", "\u{2028}", "�"];

fn inside() -> impl Strategy<Value = String> {
    let fragments: Vec<&str> = FRAGMENTS.split_whitespace().chain(ODD_FRAGMENTS.iter().copied()).collect();
    prop::collection::vec(select(fragments), 0..5).prop_map(|parts| parts.concat())
}

fn json() -> impl Strategy<Value = String> {
    let scalar = select(&["null", "true", "false", "0", "-1.10", "1e400", "12E-3", "98765432109876543210"][..]);
    let leaf = prop_oneof![scalar.prop_map(str::to_owned), inside().prop_map(|text| format!("\"{text}\"")),];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let member = (inside(), select(&["", " ", "\n\t"][..]), inner.clone());
        let member = member.prop_map(|(key, space, value)| format!("{space}\"{key}\"{space}:{value}{space}"));
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(|elements| format!("[{}]", elements.join(" ,"))),
            prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// A change of one place: a byte taken out, put in, put in place of another, or the text cut.
fn damage(mut text: Vec<u8>, changes: &[(u8, Index, u8)]) -> Vec<u8> {
    for &(change, place, byte) in changes {
        let at = place.index(text.len() + 1);
        match change {
            0 if at < text.len() => drop(text.remove(at)),
            1 => text.insert(at, byte),
            2 if at < text.len() => text[at] = byte,
            3 => text.truncate(at),
            _ => {}
        }
    }
    text
}

fn changes() -> impl Strategy<Value = Vec<(u8, Index, u8)>> {
    let byte = prop_oneof![select(&b"\"\\{}[]:, 0123456789.-+eEutfnrd\x00\x1f\xff"[..]), any::<u8>()];
    prop::collection::vec((0..4_u8, any::<Index>(), byte), 1..4)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_scanner_accepts_what_serde_json_accepts(text in json(), changes in changes()) {
        agree_on_acceptance(text.as_bytes());
        agree_on_acceptance(&damage(text.into_bytes(), &changes));
    }

    #[test]
    fn each_repeated_key_and_lone_surrogate_is_noted(text in json()) {
        agree_on_notes(&text);
    }

    #[test]
    fn damaged_text_that_still_reads_is_noted_exactly(text in json(), changes in changes()) {
        if let Ok(text) = String::from_utf8(damage(text.into_bytes(), &changes)) {
            prop_assert_eq!(naive::read(&text).is_some(), scan(text.as_bytes()).is_ok());
            if naive::read(&text).is_some() {
                agree_on_notes(&text);
            }
        }
    }

    #[test]
    fn a_fault_is_inside_the_text_or_at_its_end(text in json(), changes in changes()) {
        let text = damage(text.into_bytes(), &changes);
        if let Err(fault) = scan(&text) {
            prop_assert!(fault.at <= text.len());
            prop_assert_eq!(step(&text).is_err(), true);
        }
    }

    #[test]
    fn a_text_round_trips_and_all_ways_to_read_it_agree(inside in inside()) {
        let token = format!("\"{inside}\"");
        let text: Text = serde_json::from_str(&token).unwrap();
        prop_assert_eq!(&text, &Text::from_token(&inside));
        prop_assert_eq!(naive::document(&text.to_token()), naive::document(&token));
        prop_assert_eq!(&serde_json::to_string(&text).unwrap(), &text.to_token());
        prop_assert_eq!(&serde_json::from_str::<Text>(&text.to_token()).unwrap(), &text);
        let lone = !naive::read(&token).unwrap().1.lone_surrogates.is_empty();
        prop_assert_eq!(text.has_lone_surrogate(), lone);
    }

    #[test]
    fn texts_are_equal_exactly_when_their_units_are(one in inside(), other in inside()) {
        let units = |inside: &str| naive::document(&format!("\"{inside}\""));
        let equal = Text::from_token(&one) == Text::from_token(&other);
        prop_assert_eq!(equal, units(&one) == units(&other));
    }

    #[test]
    fn fields_are_an_equal_document_with_each_key_once(
        members in prop::collection::vec((inside(), json()), 0..9),
    ) {
        let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let text = format!("{{{}}}", members.join(","));
        let fields: Fields = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(naive::document(&fields.to_json()), naive::document(&text));
        prop_assert_eq!(&serde_json::to_string(&fields).unwrap(), &fields.to_json());
        let naive::Json::Object(distinct) = naive::document(&text) else { panic!("not an object") };
        prop_assert_eq!(fields.len(), distinct.len());
        prop_assert_eq!(serde_json::from_str::<Fields>(&fields.to_json()).unwrap(), fields);
    }
}

#[test]
fn strings_are_escaped_as_serde_json_does() {
    let all: String = (0..=0x2FF).filter_map(char::from_u32).chain("\u{2028}\u{FFFD}😀".chars()).collect();
    for text in [all.as_str(), "", "plain", "\"", "\\", "ends\n"] {
        assert_eq!(Raw::from(text).get(), serde_json::to_string(text).unwrap());
    }
}

#[test]
fn an_object_is_written_with_the_members_of_another() {
    let others = r#""a\n":[1, 2],"\ud83d":null"#;
    let mut fields: Fields = serde_json::from_str(&format!("{{{others}}}")).unwrap();
    let block = format!(r#"{{"type":"text","text":"b",{others}}}"#);
    let read = Block::read(&Raw::from_json(block.clone()).unwrap()).unwrap();
    assert_eq!(*read.extra(), fields);
    assert_eq!(read.write().get(), block);
    fields.set("b", Raw::from_json("1.10".to_owned()).unwrap());
    assert_eq!(fields.to_json(), format!(r#"{{{others},"b":1.10}}"#));
}

#[test]
fn a_list_of_events_is_read_as_serde_json_reads_it_errors_and_all() {
    let deep = format!(r#"[{{"type":"user","a":{}{}}}]"#, "[".repeat(1_000), "]".repeat(1_000));
    let texts = [
        "",
        "[",
        "{}",
        " [ ] ",
        "[] 1",
        "[1]",
        "[{}]",
        r#"[{"type":"novelty"}]"#,
        r#"[{"type":"user""#,
        r#"[{"type":"user"}"#,
        r#"[{"type":"user"},]"#,
        r#"[{"type":"user","n":01}]"#,
        r#"[{"type":"user","n":1.}]"#,
        r#"[{"type":"user","s":"\x"}]"#,
        r#"[{"type":"user","s":"\u12g4"}]"#,
        r#"[{"type":"user","s" 1}]"#,
        r#"[{"type":"user",1:1}]"#,
        r#"[{"type":"user","a":nul}]"#,
        r#"[{"type":"user","a":[1 2]}]"#,
        r#"[{"type":"user","a":[1}]}]"#,
        "[{\"type\":\"user\",\"s\":\"\t\"}]",
        "[\t{ \"type\" : \"user\" ,\r\n\"s\" : [ { } , [ ] , -0.5e+3 , true , false , null ] } , {\"type\":\"system\"} ]",
        r#"[{"\u0074ype":"user","\u0075uid":"u","\ud83d":"\ud83d"}]"#,
        r#"[{"type":"user","type":"assistant","a":1,"uuid":"u","a":2,"b":3,"uuid":7}]"#,
        &deep,
    ];
    for text in texts {
        let expected = serde_json::from_str::<Vec<Event>>(text).map_err(|error| error.to_string());
        assert_eq!(Event::read_list(text).map_err(|error| error.to_string()), expected, "{text}");
        // A walk takes as an object's members what `serde_json` takes as a value.
        let (object, is_json) = (format!(r#"{{"a":{text}}}"#), serde_json::from_str::<&RawValue>(text).is_ok());
        assert_eq!(Raw::from_json(object).is_ok_and(|raw| Fields::from_raw(&raw).is_ok()), is_json, "{text}");
    }
    let last = Event::read_list(texts[texts.len() - 2]).unwrap();
    assert_eq!(serde_json::to_string(&last).unwrap(), r#"[{"type":"assistant","uuid":7,"a":2,"b":3}]"#);
}
