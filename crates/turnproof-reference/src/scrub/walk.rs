//! A *walk* steps over the tokens of a record, and over those of a range that is damaged.

use super::letters::Key;
use super::text::{Stand, Texts};
use super::vocabulary::{is_free, is_name, is_quoted_word, is_word, kind_of_media};

/// An object or list that is open.
#[derive(Clone, Copy)]
struct Open {
    is_object: bool,
    /// Whether its numbers are the user's.
    is_free: bool,
    /// The member at hand, as a range of the record: of a list the member that it is the value of.
    name: (usize, usize),
}

/// From so many digits on, a number among the user's values is replaced.
const LONG_NUMBER: usize = 5;

pub(super) struct Walk<'k> {
    texts: Texts<'k>,
    open: Vec<Open>,
}

impl<'k> Walk<'k> {
    pub(super) fn new(key: &'k Key) -> Self {
        Self { texts: Texts::new(key), open: Vec::new() }
    }

    /// Appends the scrubbed form of a record.
    pub(super) fn record(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.open.clear();
        let mut at = 0;
        let mut is_key = false;
        while at < bytes.len() {
            let byte = bytes[at];
            let end = match byte {
                b'"' => string_end(bytes, at),
                b'-' | b'0'..=b'9' => at + bytes[at..].iter().take_while(|byte| is_of_number(**byte)).count(),
                _ => at + 1,
            };
            let token = &bytes[at..end];
            match byte {
                b'{' | b'[' => {
                    let name = self.open.last().map_or((0, 0), |open| open.name);
                    let is_free =
                        self.open.last().is_some_and(|open| open.is_free) || is_free(self.known_name(bytes).as_deref());
                    self.open.push(Open { is_object: byte == b'{', is_free, name });
                    is_key = byte == b'{';
                    out.push(byte);
                }
                b'}' | b']' => {
                    self.open.pop();
                    is_key = false;
                    out.push(byte);
                }
                b',' => {
                    is_key = self.open.last().is_some_and(|open| open.is_object);
                    out.push(byte);
                }
                b'"' if is_key => {
                    is_key = false;
                    if let Some(open) = self.open.last_mut() {
                        open.name = (at, end);
                    }
                    self.name(token, out);
                }
                b'"' => self.value(bytes, token, out),
                b'-' | b'0'..=b'9' => self.number(bytes, token, out),
                _ => out.extend_from_slice(token),
            }
            at = end;
        }
    }

    /// The name of the member at hand; `None` outside of objects.
    fn known_name(&mut self, bytes: &[u8]) -> Option<String> {
        let (start, end) = self.open.last()?.name;
        (start < end).then(|| self.texts.unescaped(inside(&bytes[start..end])))
    }

    fn name(&mut self, token: &[u8], out: &mut Vec<u8>) {
        match is_name(&self.texts.unescaped(inside(token))) {
            true => out.extend_from_slice(token),
            false => self.text(token, 0, out),
        }
    }

    fn value(&mut self, bytes: &[u8], token: &[u8], out: &mut Vec<u8>) {
        let name = if token.len() < 100 { self.known_name(bytes) } else { None };
        let Some(name) = name else { return self.text(token, 0, out) };
        match is_word(&name, &self.texts.unescaped(inside(token))) {
            true => out.extend_from_slice(token),
            false => self.text(token, kind_of_media(&name, inside(token)), out),
        }
    }

    /// A text with its quotes, of which some bytes at its beginning stay.
    fn text(&mut self, token: &[u8], stay: usize, out: &mut Vec<u8>) {
        let (stays, replaced) = inside(token).split_at(stay);
        out.push(b'"');
        out.extend_from_slice(stays);
        self.texts.replace(replaced, out);
        if token.len() > 1 {
            out.push(b'"');
        }
    }

    /// A number: a long one among the user's values gets other digits.
    fn number(&mut self, bytes: &[u8], token: &[u8], out: &mut Vec<u8>) {
        let digits = token.iter().filter(|byte| byte.is_ascii_digit()).count();
        let is_users = self.open.last().is_some_and(|open| open.is_free) || is_free(self.known_name(bytes).as_deref());
        let mantissa = token.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(token.len());
        if digits < LONG_NUMBER || !is_users {
            return out.extend_from_slice(token);
        }
        self.texts.at = Stand::Number;
        self.texts.replace(&token[..mantissa], out);
        self.texts.at = Stand::Quoted;
        out.extend_from_slice(&token[mantissa..]);
    }

    /// Appends the scrubbed form of a range that holds no record. Nobody can say there what a string holds, so only
    /// whole words in quotes are kept.
    pub(super) fn torn(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut at = 0;
        let mut was_quote = false;
        while at < bytes.len() {
            let end = at + quote(&bytes[at..]);
            let part = &bytes[at..end];
            let is_quoted = was_quote && bytes.get(end) == Some(&b'"');
            self.texts.at = Stand::Torn { behind_quote: was_quote };
            match is_quoted && std::str::from_utf8(part).is_ok_and(is_quoted_word) || is_literal(part) {
                true => out.extend_from_slice(part),
                false => self.texts.replace(part, out),
            }
            was_quote = end < bytes.len();
            out.extend(bytes.get(end));
            at = end + 1;
        }
        self.texts.at = Stand::Quoted;
    }
}

/// A string without its quotes.
fn inside(token: &[u8]) -> &[u8] {
    let end = if token.len() > 1 { token.len() - 1 } else { token.len() };
    token.get(1..end).unwrap_or_default()
}

/// The byte after the string that begins at a byte.
fn string_end(bytes: &[u8], at: usize) -> usize {
    (at + 1 + quote(&bytes[at + 1..]) + 1).min(bytes.len())
}

/// Where the next quote is that is not escaped, or the end.
fn quote(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

const fn is_of_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Whether a part between strings is a literal, or the beginning of one, and signs.
fn is_literal(part: &[u8]) -> bool {
    let is_sign = |byte: &u8| b"{}[]:, \t\r".contains(byte);
    let mut words = part.split(is_sign).filter(|word| !word.is_empty());
    part.iter().any(is_sign)
        && words.all(|word| ["true", "false", "null"].iter().any(|literal| literal.as_bytes().starts_with(word)))
}
