//! *Writing* JSON: values are appended to one text, without others made in between.

/// Appends a string as a JSON token.
pub(crate) fn push_quoted(json: &mut String, text: &str) {
    json.push('"');
    push_escaped(json, text);
    json.push('"');
}

/// Appends the inside of a JSON string: quotes, backslashes and control characters are escaped, nothing else.
pub(super) fn push_escaped(json: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte < b' ' || matches!(byte, b'"' | b'\\')) {
        json.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'\n' => json.push_str("\\n"),
            b'\t' => json.push_str("\\t"),
            b'\r' => json.push_str("\\r"),
            0x08 => json.push_str("\\b"),
            0x0C => json.push_str("\\f"),
            byte @ (b'"' | b'\\') => {
                json.push('\\');
                json.push(char::from(byte));
            }
            byte => json.push_str(&format!("\\u{byte:04x}")),
        }
        rest = &rest[at + 1..];
    }
    json.push_str(rest);
}

/// Appends an object, a member at a time.
pub(crate) struct ObjectWriter<'j> {
    json: &'j mut String,
    has_members: bool,
}

impl<'j> ObjectWriter<'j> {
    pub(crate) fn begin(json: &'j mut String) -> Self {
        json.push('{');
        Self { json, has_members: false }
    }

    /// Begins a member whose name needs no escapes. Its value is to be appended to what this gives.
    pub(crate) fn member(&mut self, name: &'static str) -> &mut String {
        self.comma();
        self.json.push('"');
        self.json.push_str(name);
        self.json.push_str("\":");
        self.json
    }

    /// Begins a member whose name `push` appends as a token. Its value is to be appended to what this gives.
    pub(super) fn member_of(&mut self, push: impl FnOnce(&mut String)) -> &mut String {
        self.comma();
        push(self.json);
        self.json.push(':');
        self.json
    }

    pub(crate) fn end(self) {
        self.json.push('}');
    }

    fn comma(&mut self) {
        if std::mem::replace(&mut self.has_members, true) {
            self.json.push(',');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::*;

    #[test]
    fn strings_are_escaped_as_serde_json_does() {
        let all: String = (0..=0x2FF).filter_map(char::from_u32).chain("\u{2028}\u{FFFD}😀".chars()).collect();
        for text in [all.as_str(), "", "plain", "\"", "\\", "ends\n"] {
            let mut json = String::new();
            push_quoted(&mut json, text);
            assert_eq!(json, serde_json::to_string(text).unwrap());
        }
    }

    #[test]
    fn an_object_is_written_with_the_members_of_another() {
        let others: Fields = serde_json::from_str(r#"{"a\n":[1, 2],"\ud83d":null}"#).unwrap();
        let mut json = String::new();
        let mut object = ObjectWriter::begin(&mut json);
        others.push_members(&mut object);
        object.member("b").push_str("1.10");
        object.end();
        assert_eq!(json, r#"{"a\n":[1, 2],"\ud83d":null,"b":1.10}"#);
    }
}
