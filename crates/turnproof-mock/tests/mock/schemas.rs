//! *Schemas*: a value is found that fits, whatever the schema is made of, and however deep it leads back to itself.

use serde_json::{Value, json};
use turnproof_mock::fitting;

#[test]
fn a_value_fits_its_schema() {
    let cases: [(Value, Value); 16] = [
        (json!({"type": "object"}), json!({})),
        (json!({"type": "string", "minLength": 6}), json!("demoaa")),
        (json!({"type": "string", "maxLength": 2}), json!("de")),
        (json!({"type": "string", "format": "uri"}), json!("https://example.com/")),
        (json!({"type": "integer", "minimum": 3}), json!(3)),
        (json!({"type": "integer", "exclusiveMinimum": 3, "multipleOf": 5}), json!(5)),
        (json!({"type": "number", "maximum": 0.5}), json!(0.5)),
        (json!({"type": ["null", "boolean"]}), json!(false)),
        (json!({"type": "array", "minItems": 2, "items": {"type": "integer"}}), json!([1, 1])),
        (json!({"type": "array", "prefixItems": [{"const": 7}]}), json!([7])),
        (json!({"enum": ["x", "y"]}), json!("x")),
        (json!({"type": "string", "default": "d"}), json!("d")),
        (json!({"anyOf": [{"type": "null"}, {"type": "boolean"}]}), json!(false)),
        (json!({"type": "object", "minProperties": 1, "properties": {"a": {"type": "null"}}}), json!({"a": null})),
        (
            json!({"allOf": [{"type": "object", "required": ["a"]}, {"properties": {"a": {"const": 1}}}]}),
            json!({"a": 1}),
        ),
        (
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "required": ["m"], "properties": {"m": {"const": 2}}}}}),
            json!({"m": 2}),
        ),
    ];
    for (schema, value) in cases {
        assert_eq!(fitting(&schema), value, "{schema}");
    }
}

#[test]
fn a_schema_that_leads_back_to_itself_ends() {
    let schema = json!({
        "$ref": "#/$defs/a",
        "$defs": {
            "a": {"type": "object", "required": ["b"], "properties": {"b": {"$ref": "#/$defs/a"}}},
            "c": {"allOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/c"}]},
        },
    });
    assert!(fitting(&schema).is_object());
    let round = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}});
    let _ = fitting(&round);
}
