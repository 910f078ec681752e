//! What is said of fields with the wrong JSON type.

use super::*;

/// A value with one misfit inside, the misfit's path from there, and what it should have been.
pub(super) struct Misfit {
    pub(super) value: String,
    pub(super) path: String,
    pub(super) expected: &'static str,
}

impl Misfit {
    fn under(self, name: &str) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { value: format!("{{\"{name}\":{}}}", self.value), path: format!("{name}{dot}{}", self.path), ..self }
    }

    fn in_list(self) -> Self {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Self { value: format!("[{}]", self.value), path: format!("[0]{dot}{}", self.path), ..self }
    }

    /// The same object with a `type`.
    pub(super) fn tagged(self, tag: &str) -> Self {
        Self { value: format!("{{\"type\":\"{tag}\",{}", &self.value[1..]), ..self }
    }
}

/// One value of each JSON type but null.
pub(super) const MISFITS: [&str; 5] = ["true", "1.5", "\"s\"", "[\"s\"]", "{\"s\":1}"];

/// Every way to put a value of a wrong JSON type into a shape, at any depth.
fn misfits(shape: Shape) -> Vec<Misfit> {
    let values = MISFITS;
    let fits: fn(JsonType) -> bool = match shape {
        Shape::Any => |_| true,
        Shape::Text => |found| found == JsonType::String,
        Shape::Flag => |found| found == JsonType::Bool,
        Shape::Number => |found| found == JsonType::Number,
        Shape::List(_) => |found| found == JsonType::Array,
        Shape::Object(_) => |found| found == JsonType::Object,
        Shape::Content => |found| found == JsonType::Array || found == JsonType::String,
    };
    let wrong = values.into_iter().filter(|value| !fits(JsonType::of(value.as_bytes()[0])));
    let own = |value: &str| Misfit { value: value.into(), path: String::new(), expected: shape.expected() };
    let mut found: Vec<Misfit> = wrong.map(own).collect();
    match shape {
        Shape::List(element) => found.extend(misfits(*element).into_iter().map(Misfit::in_list)),
        Shape::Object(members) => found.extend(members.iter().flat_map(member_misfits)),
        Shape::Content => found.extend(block_misfits().into_iter().map(Misfit::in_list)),
        _ => {}
    }
    found
}

pub(super) fn member_misfits(member: &Member) -> Vec<Misfit> {
    misfits(member.shape).into_iter().map(|misfit| misfit.under(member.name)).collect()
}

fn block_misfits() -> Vec<Misfit> {
    let mut found = misfits(Shape::Object(&[]));
    found.extend(misfits(Shape::Text).into_iter().map(|misfit| misfit.under("type")));
    for tag in block_types() {
        let members = Block::members_of(tag).iter();
        found.extend(members.flat_map(member_misfits).map(|misfit| misfit.tagged(tag)));
    }
    found
}

#[test]
fn a_wrong_type_of_any_known_member_is_a_misfit_with_its_path_and_is_written_back() {
    let mut count = 0;
    for kind in Kind::ALL {
        for misfit in members_of(kind).flat_map(member_misfits) {
            let Misfit { value, path, expected } = misfit.tagged(kind.name());
            let entry = Entry::read(&Raw::from_json(value.clone()).unwrap()).unwrap();
            let error = entry.misfit().expect(&value);
            assert_eq!((error.path.as_str(), &*error.expected), (path.as_str(), expected), "{value}");
            assert!(error.to_string().starts_with(&format!("`{path}` should be {expected}, not ")), "{error}");
            assert_eq!(entry.write().get(), value);
            assert_eq!(serde_json::from_str::<Entry>(&value).unwrap(), entry);
            count += 1;
        }
    }
    assert!(count > 1_000, "only {count} misfits");
}

#[test]
fn a_wrong_type_of_any_known_member_of_a_block_is_a_misfit_with_its_path_and_is_written_back() {
    for Misfit { value, path, expected } in block_misfits() {
        let block = Block::read(&Raw::from_json(value.clone()).unwrap()).unwrap();
        let error = block.misfit().expect(&value);
        assert_eq!((error.path.as_str(), &*error.expected), (path.as_str(), expected), "{value}");
        assert_eq!(block.write().get(), value);
    }
}

#[test]
fn errors_name_deep_places_and_show_what_was_found() {
    let read = |line: &str| Entry::read(&Raw::from_json(line.to_owned()).unwrap()).unwrap().misfit().unwrap();
    let error = read(r#"{"type":"user","message":{"content":[{"type":"x"},{"type":"text","text":["long"]}]}}"#);
    let expected = FieldError {
        path: "message.content[1].text".into(),
        expected: "a string".into(),
        found: "array",
        shown: r#"["long"]"#.into(),
    };
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), r#"`message.content[1].text` should be a string, not array: ["long"]"#);

    let places = [
        (r#"{"type":7}"#, "type"),
        (r#"{"type":"system","retractedMessageUuids":["a",null]}"#, "retractedMessageUuids[1]"),
        (r#"{"type":"user","message":{"content":[null]}}"#, "message.content[0]"),
        (
            r#"{"type":"assistant","message":{"usage":{"server_tool_use":{"web_fetch_requests":"0"}}}}"#,
            "message.usage.server_tool_use.web_fetch_requests",
        ),
        (
            r#"{"type":"system","compactMetadata":{"preservedMessages":{"uuids":["a",1]}}}"#,
            "compactMetadata.preservedMessages.uuids[1]",
        ),
    ];
    for (line, path) in places {
        assert_eq!(read(line).path, path);
    }
    let error = Entry::read(&Raw::from_json("[]".to_owned()).unwrap()).unwrap_err();
    assert_eq!((error.path.as_str(), error.to_string().as_str()), ("", "the value should be an object, not array: []"));
}
