//! The reference's table of *shapes*: it is the one of SPEC.md, and says the same as the oracle's.

use std::fs;

use turnproof::normalize::api::shapes;

#[test]
fn the_reference_and_the_oracle_have_the_same_shapes() {
    let (ours, theirs) = (shapes(), serde_json::Value::from(turnproof_rules::rules::shapes()));
    let types = |table: &serde_json::Value| table.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(types(&ours), types(&theirs));
    for name in types(&ours) {
        assert_eq!(ours[&name], theirs[&name], "{name}");
    }
}

#[test]
fn the_table_of_the_specification_is_the_one_that_is_read() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let table = fs::read_to_string(format!("{root}/crates/turnproof-reference/src/normalize/api/shapes.txt")).unwrap();
    let spec = fs::read_to_string(format!("{root}/SPEC.md")).unwrap();
    assert!(spec.contains(&format!("```text\n{}\n```", table.trim_end())), "SPEC.md 6.12.10 has another table");
}
