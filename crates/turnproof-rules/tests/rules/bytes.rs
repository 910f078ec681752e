//! *Bytes* as JSON: a string when they are UTF-8, else a list of numbers.

use turnproof_rules::operation::{Continued, ConversationRecord};

#[test]
fn text_is_written_as_a_string_and_other_bytes_as_numbers() {
    for (bytes, json) in [(&b"{\n"[..], r#""{\n""#), (b"\xFF\0", "[255,0]"), (b"", r#""""#)] {
        let record = ConversationRecord { uuid: "u1".into(), bytes: bytes.to_vec() };
        let written = serde_json::to_string(&record).unwrap();
        assert_eq!(written, format!(r#"{{"uuid":"u1","bytes":{json}}}"#));
        assert_eq!(serde_json::from_str::<ConversationRecord>(&written).unwrap(), record);
    }
    let numbers = r#"{"uuid":"u1","bytes":[123,10]}"#;
    assert_eq!(serde_json::from_str::<ConversationRecord>(numbers).unwrap().bytes, b"{\n");
}

#[test]
fn an_answer_of_bytes_is_read_as_it_is_written() {
    for file in [Ok(b"a\n".to_vec()), Ok(vec![0xFF]), Err("no".to_owned())] {
        let continued = Continued { cut: 1, before: Ok(None), added: Vec::new(), file, after: Ok(None) };
        let written = serde_json::to_string(&continued).unwrap();
        assert_eq!(serde_json::from_str::<Continued>(&written).unwrap(), continued);
    }
}
