//! *Bytes* as JSON: base64 in the protocol; beside it a string when they are UTF-8, else a list of numbers.

use turnproof_rules::operation::{Continued, ConversationRecord, Resumed};

#[test]
fn a_file_is_written_as_a_string_or_as_numbers_and_a_record_in_it_as_base64() {
    for (bytes, json, base64) in [(&b"{\n"[..], r#""{\n""#, "ewo="), (b"\xFF\0", "[255,0]", "/wA="), (b"", r#""""#, "")]
    {
        let resumed = r#"{"file":FILE,"answer":{"Ok":null}}"#.replace("FILE", json);
        let read: Resumed = serde_json::from_str(&resumed).unwrap();
        assert_eq!((read.file.as_slice(), serde_json::to_string(&read).unwrap()), (bytes, resumed));
        let record = ConversationRecord { uuid: "u1".into(), bytes: bytes.to_vec() };
        let written = serde_json::to_string(&record).unwrap();
        assert_eq!(written, format!(r#"{{"uuid":"u1","record_b64":"{base64}"}}"#));
        assert_eq!(serde_json::from_str::<ConversationRecord>(&written).unwrap(), record);
    }
    let numbers = r#"{"file":[123,10],"answer":{"Ok":null}}"#;
    assert_eq!(serde_json::from_str::<Resumed>(numbers).unwrap().file, b"{\n");
}

#[test]
fn an_answer_of_bytes_is_read_as_it_is_written() {
    for file in [Ok(b"a\n".to_vec()), Ok(vec![0xFF]), Err("no".to_owned())] {
        let continued = Continued { cut: 1, before: Ok(None), added: Vec::new(), file, after: Ok(None) };
        let written = serde_json::to_string(&continued).unwrap();
        assert_eq!(serde_json::from_str::<Continued>(&written).unwrap(), continued);
    }
}
