//! *Plain* JSON is a value, with the places of what such a value cannot hold.

use turnproof_rules::operation::Plain;

#[test]
fn lone_surrogates_become_the_replacement_character_and_are_reported_by_path() {
    let plain = Plain::read(r#"[{"content":[{"text":"a\ud83d","k\udc00":1}]},"\ud83d\ude00"]"#).unwrap();
    assert_eq!(plain.lone_surrogates, ["0.content.0.text", "0.content.0"]);
    assert_eq!(plain.value[0]["content"][0]["text"], "a\u{FFFD}");
    assert_eq!(plain.value[1], "\u{1F600}");
}

#[test]
fn numbers_beyond_f64_are_the_largest() {
    let plain = Plain::read("[1e400,-1e999,1.5]").unwrap();
    assert_eq!(plain.value, serde_json::json!([f64::MAX, f64::MIN, 1.5]));
    assert!(plain.lone_surrogates.is_empty());
}

#[test]
fn text_that_is_no_json_is_an_error() {
    for json in ["", "{", "[1,]", r#"["\ud83d]"#, "[1e400", &"[".repeat(200)] {
        assert!(Plain::read(json).is_err(), "{json}");
    }
}
