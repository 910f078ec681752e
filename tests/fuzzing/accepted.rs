//! Requests that are accepted: the plain laws on them refuse what no host accepts.

use std::panic::catch_unwind;

use turnproof_rules::operation::Request;
use turnproof_suite::fuzzing::hold_accepted;

/// What of the plain laws a request breaks; nothing when it keeps them.
fn broken(json: &str) -> Option<String> {
    let request = Request::read(json).unwrap();
    let panic = catch_unwind(|| hold_accepted(&request)).err()?;
    panic.downcast_ref::<String>()?.split(": ").next().map(str::to_owned)
}

#[test]
fn the_plain_laws_refuse_what_no_host_accepts() {
    let [user, call] = [
        r#"{"role":"user","content":"a"}"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"n","input":{}}]}"#,
    ];
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1"}]}"#;
    let alternate = Some("accepted turns alternate");
    for (json, expected) in [
        (format!("[{user},{call},{result}]"), None),
        (format!("[{call},{result}]"), alternate),
        (format!("[{user},{user}]"), alternate),
        (r#"[{"role":"user","content":""}]"#.to_owned(), Some("accepted turns are not empty")),
        (format!("[{user},{call},{user}]"), Some("accepted calls have one result")),
        (format!("[{user},{call}]"), None),
    ] {
        assert_eq!(broken(&json).as_deref(), expected, "{json}");
    }
}
