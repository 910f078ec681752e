//! A *value* is a range of bytes that looks like JSON. It is found by its brackets and quotes, in damaged text too.

use std::ops::Range;

use memchr::memchr3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Text,
    Number,
    Flag,
    Null,
    Object,
    Array,
    /// A word that JSON does not have.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// The key of a member, its quotes included; elements of arrays have none.
    pub(super) key: Option<Range<usize>>,
    /// The value itself, its quotes or brackets included.
    pub(super) range: Range<usize>,
    pub(super) sort: Sort,
    /// The object or array that holds it, as an index among the values.
    pub(super) holder: Option<usize>,
}

impl Value {
    pub(super) fn has_key(&self, bytes: &[u8], key: &str) -> bool {
        self.key_in(bytes) == Some(key.as_bytes())
    }

    /// The key without its quotes, as it is written.
    pub(super) fn key_in<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        self.key.clone().map(|key| &bytes[key.start + 1..key.end - 1])
    }

    /// The inside of a string, as it is written.
    pub(super) fn text_in<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        (self.sort == Sort::Text).then(|| &bytes[self.range.start + 1..self.range.end - 1])
    }

    /// The member or element as a whole: with its key, if it has one.
    pub(super) fn whole(&self) -> Range<usize> {
        self.key.as_ref().map_or(self.range.start, |key| key.start)..self.range.end
    }
}

/// The values of `bytes` in the order of their beginnings: members, elements, objects and arrays. With `lines_apart`
/// each value ends at the end of its line.
pub(super) fn values(bytes: &[u8], lines_apart: bool) -> Vec<Value> {
    // Usual inputs have a value in some twenty bytes.
    let values = Vec::with_capacity(bytes.len() / 16);
    let mut reader = Reader { bytes, lines_apart, values, open: Vec::new(), key: None, depth: [0; 2] };
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at = reader.step(at, byte);
    }
    reader.close_all(bytes.len());
    reader.values
}

/// The characters and escapes that the inside of a string is made of, in order. Bytes that are not UTF-8 are units too.
pub(super) fn units(text: &[u8]) -> Vec<Range<usize>> {
    let mut units = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = match &text[at..] {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            rest => 1 + rest[1..].iter().take_while(|&&byte| is_inside_letter(byte)).count(),
        };
        let end = text.len().min(at + length);
        units.push(at..end);
        at = end;
    }
    units
}

/// Whether a byte continues a letter of several bytes.
pub(super) fn is_inside_letter(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

struct Reader<'a> {
    bytes: &'a [u8],
    lines_apart: bool,
    values: Vec<Value>,
    /// The objects and arrays that are open, outermost first.
    open: Vec<usize>,
    /// The key whose value comes next.
    key: Option<Range<usize>>,
    /// How many objects, and how many arrays, are open. So a bracket that closes none is ignored without a search.
    depth: [usize; 2],
}

impl Reader<'_> {
    /// Takes what begins at `at`; gives where to go on.
    fn step(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'"' => return self.string(at),
            b'{' => self.open(at, Sort::Object),
            b'[' => self.open(at, Sort::Array),
            b'}' => self.close(at, Sort::Object),
            b']' => self.close(at, Sort::Array),
            b',' => self.key = None,
            b'\n' if self.lines_apart => self.close_all(at),
            // Outside of strings too, so that a quote counts as escaped wherever reading began.
            b'\\' if self.bytes.get(at + 1).is_some_and(|&next| next != b'\n') => return at + 2,
            _ if is_of_word(byte) => {
                let length = self.bytes[at..].iter().take_while(|&&byte| is_of_word(byte)).count();
                self.add(at..at + length, sort_of(&self.bytes[at..at + length]));
                return at + length;
            }
            _ => {}
        }
        at + 1
    }

    /// Takes a key or a string. A quote that cannot begin one is ignored: text may be torn inside a string.
    fn string(&mut self, at: usize) -> usize {
        let Some(end) = self.string_end(at) else { return at + 1 };
        let next = self.after_spaces(end);
        match self.bytes.get(next) {
            Some(b':') => {
                self.key = Some(at..end);
                return next + 1;
            }
            None | Some(b',' | b']' | b'}' | b'\n') => self.add(at..end, Sort::Text),
            Some(_) => return at + 1,
        }
        end
    }

    /// Where the string ends that begins at `at`; it does not go over a line's end.
    fn string_end(&self, at: usize) -> Option<usize> {
        let mut at = at + 1;
        loop {
            let found = at + memchr3(b'"', b'\\', b'\n', self.bytes.get(at..)?)?;
            match self.bytes[found] {
                b'"' => return Some(found + 1),
                b'\\' if self.bytes.get(found + 1) != Some(&b'\n') => at = found + 2,
                _ => return None,
            }
        }
    }

    fn after_spaces(&self, at: usize) -> usize {
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r') || (**byte == b'\n' && !self.lines_apart);
        at + self.bytes[at..].iter().take_while(is_space).count()
    }

    /// Adds a value that has a key, or is an element.
    fn add(&mut self, range: Range<usize>, sort: Sort) {
        let holder = self.open.last().copied();
        let is_element = holder.is_some_and(|holder| self.values[holder].sort == Sort::Array);
        let key = self.key.take();
        if key.is_some() || is_element {
            self.values.push(Value { key, range, sort, holder });
        }
    }

    fn open(&mut self, at: usize, sort: Sort) {
        let holder = self.open.last().copied();
        self.open.push(self.values.len());
        self.values.push(Value { key: self.key.take(), range: at..at, sort, holder });
        self.depth[usize::from(sort == Sort::Array)] += 1;
    }

    /// Closes the innermost open value of this sort, and what was left open inside it.
    fn close(&mut self, at: usize, sort: Sort) {
        self.key = None;
        if self.depth[usize::from(sort == Sort::Array)] == 0 {
            return;
        }
        while let Some(index) = self.open.pop() {
            let found = self.values[index].sort;
            self.depth[usize::from(found == Sort::Array)] -= 1;
            self.values[index].range.end = if found == sort { at + 1 } else { at };
            if found == sort {
                return;
            }
        }
    }

    fn close_all(&mut self, at: usize) {
        self.key = None;
        self.depth = [0; 2];
        for index in self.open.drain(..) {
            self.values[index].range.end = at;
        }
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn sort_of(word: &[u8]) -> Sort {
    match word {
        b"true" | b"false" => Sort::Flag,
        b"null" => Sort::Null,
        [b'0'..=b'9' | b'-', ..] => Sort::Number,
        _ => Sort::Other,
    }
}
