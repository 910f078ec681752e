//! A *naive* reader of JSON: recursive, slow and plain. The library's readers are compared with it.

use std::collections::BTreeMap;

/// A document whose strings are UTF-16 and whose numbers are text; of a repeated key the last
/// value is kept, and the order of members does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(String),
    String(Vec<u16>),
    Array(Vec<Json>),
    Object(BTreeMap<Vec<u16>, Json>),
}

/// What the reader saw on its way, each as first byte and the byte after the last one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub repeated_keys: Vec<(u32, u32)>,
    pub lone_surrogates: Vec<(u32, u32)>,
    pub depth: usize,
}

/// Reads a text that is one JSON value.
pub(crate) fn read(text: &str) -> Option<(Json, Seen)> {
    let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, seen: Seen::default() };
    let json = reader.value(0)?;
    reader.space();
    (reader.at == text.len()).then_some((json, reader.seen))
}

/// The document of a text that must be JSON.
#[allow(dead_code, reason = "each test file uses its part")]
pub(crate) fn document(text: &str) -> Json {
    read(text).unwrap_or_else(|| panic!("not JSON: {text}")).0
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    seen: Seen,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
    }

    fn eat(&mut self, word: &str) -> Option<()> {
        self.bytes[self.at..].starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        self.space();
        match self.peek() {
            b'n' => self.eat("null").map(|()| Json::Null),
            b't' => self.eat("true").map(|()| Json::Bool(true)),
            b'f' => self.eat("false").map(|()| Json::Bool(false)),
            b'"' => self.string().map(Json::String),
            b'[' => self.array(depth + 1),
            b'{' => self.object(depth + 1),
            _ => self.number(),
        }
    }

    fn array(&mut self, depth: usize) -> Option<Json> {
        self.seen.depth = self.seen.depth.max(depth);
        self.eat("[")?;
        self.space();
        let mut elements = Vec::new();
        if self.eat("]").is_some() {
            return Some(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth)?);
            self.space();
            if self.eat("]").is_some() {
                return Some(Json::Array(elements));
            }
            self.eat(",")?;
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.seen.depth = self.seen.depth.max(depth);
        self.eat("{")?;
        self.space();
        let mut members = BTreeMap::new();
        if self.eat("}").is_some() {
            return Some(Json::Object(members));
        }
        loop {
            self.space();
            let start = self.at + 1;
            let key = self.string()?;
            if members.contains_key(&key) {
                self.seen.repeated_keys.push((start as u32, self.at as u32 - 1));
            }
            self.space();
            self.eat(":")?;
            let value = self.value(depth)?;
            members.insert(key, value);
            self.space();
            if self.eat("}").is_some() {
                return Some(Json::Object(members));
            }
            self.eat(",")?;
        }
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.at;
        let _ = self.eat("-");
        if self.eat("0").is_none() {
            self.digits()?;
        }
        if self.eat(".").is_some() {
            self.digits()?;
        }
        if self.eat("e").or_else(|| self.eat("E")).is_some() {
            let _ = self.eat("+").or_else(|| self.eat("-"));
            self.digits()?;
        }
        String::from_utf8(self.bytes[start..self.at].to_vec()).ok().map(Json::Number)
    }

    fn string(&mut self) -> Option<Vec<u16>> {
        self.eat("\"")?;
        // Each unit, and where its escape begins if it was written as one.
        let mut units: Vec<(u16, Option<usize>)> = Vec::new();
        loop {
            match self.text[self.at..].chars().next()? {
                '"' => break,
                '\\' => units.push(self.escape()?),
                character if character < ' ' => return None,
                character => {
                    self.at += character.len_utf8();
                    units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| (unit, None)));
                }
            }
        }
        self.at += 1;
        self.note_lone_surrogates(&units);
        Some(units.into_iter().map(|(unit, _)| unit).collect())
    }

    fn escape(&mut self) -> Option<(u16, Option<usize>)> {
        let start = self.at;
        self.at += 2;
        let unit = match *self.bytes.get(start + 1)? {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'b' => 8,
            b'f' => 12,
            byte @ (b'"' | b'\\' | b'/') => byte.into(),
            b'u' => {
                let digits = std::str::from_utf8(self.bytes.get(self.at..self.at + 4)?).ok()?;
                if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                    return None;
                }
                self.at += 4;
                u16::from_str_radix(digits, 16).ok()?
            }
            _ => return None,
        };
        Some((unit, Some(start)))
    }

    fn note_lone_surrogates(&mut self, units: &[(u16, Option<usize>)]) {
        let mut index = 0;
        while let Some(&(unit, escape)) = units.get(index) {
            index += 1;
            let high = (0xD800..0xDC00).contains(&unit);
            if high && matches!(units.get(index), Some((0xDC00..=0xDFFF, _))) {
                index += 1;
            } else if (0xD800..0xE000).contains(&unit)
                && let Some(start) = escape
            {
                self.seen.lone_surrogates.push((start as u32, start as u32 + 6));
            }
        }
    }
}
