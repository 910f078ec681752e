//! *Writing* JSON: values are appended to one text, without other texts on the way.

use super::special::find_special;

/// Appends a string as a JSON token.
pub(crate) fn push_quoted(json: &mut String, text: &str) {
    json.push('"');
    push_escaped(json, text);
    json.push('"');
}

/// Appends the inside of a JSON string: quotes, backslashes and control characters are escaped, nothing else.
pub(super) fn push_escaped(json: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let at = find_special(rest.as_bytes(), 0);
        json.push_str(&rest[..at]);
        let Some(&special) = rest.as_bytes().get(at) else { return };
        match special {
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

    /// Begins a member whose name is written with the comma before it, the quotes and the colon: `,"name":`. Its value is
    /// to be appended to what this gives.
    pub(crate) fn member_of_token(&mut self, name: &'static str) -> &mut String {
        let is_first = !std::mem::replace(&mut self.has_members, true);
        self.json.push_str(if is_first { &name[1..] } else { name });
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
