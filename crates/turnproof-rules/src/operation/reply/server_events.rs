//! A plain reader of *server-sent events* that keeps their lines (SPEC 4.2).

use super::ReplyEvent;
use crate::operation::plain::Plain;

/// What was read of a stream.
#[derive(Default)]
pub(super) struct Read {
    pub(super) events: Vec<ReplyEvent>,
    /// Lines that are no field of an event, with their numbers.
    pub(super) strange_lines: Vec<(u32, String)>,
    /// The line on which an event begins that no empty line ends.
    pub(super) cut: Option<u32>,
}

/// The event so far.
#[derive(Default)]
struct Open {
    line: u32,
    name: Option<String>,
    data: Option<String>,
}

pub(super) fn read(bytes: &[u8]) -> Read {
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes));
    let mut read = Read::default();
    let mut open = Open::default();
    let (lines, rest) = lines(&text);
    for (number, line) in (1..).zip(lines) {
        if line.is_empty() {
            read.end(std::mem::take(&mut open));
        } else {
            read.field(&mut open, number, line);
        }
    }
    // A line that no line end ends is none yet, and an event that no empty line ends is none.
    let is_field = ["event:", "data:"].iter().any(|field| rest.text.starts_with(field));
    read.cut = match open.line {
        0 => is_field.then_some(rest.number),
        line => Some(line),
    };
    read
}

impl Read {
    fn field(&mut self, open: &mut Open, number: u32, line: &str) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => open.name = Some(value.to_owned()),
            "data" => match &mut open.data {
                Some(data) => *data = format!("{data}\n{value}"),
                none => *none = Some(value.to_owned()),
            },
            // A comment, and what the field has for clients that connect again.
            "" | "id" | "retry" => return,
            _ => return self.strange_lines.push((number, line.to_owned())),
        }
        if open.line == 0 {
            open.line = number;
        }
    }

    /// Ends an event; one without data is none.
    fn end(&mut self, Open { line, name, data }: Open) {
        let Some(data) = data else { return };
        let value = Plain::read(&data).map(Plain::into_value).unwrap_or_default();
        let number = self.events.len() as u32 + 1;
        self.events.push(ReplyEvent { number, line, name, data, value });
    }
}

/// What comes after the last line end.
struct Rest<'a> {
    number: u32,
    text: &'a str,
}

/// The lines of a text, which LF, CR or CR LF ends, and the rest.
fn lines(text: &str) -> (Vec<&str>, Rest<'_>) {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        lines.push(&rest[..at]);
        let after = &rest[at..];
        rest = after.strip_prefix("\r\n").unwrap_or(&after[1..]);
    }
    let number = lines.len() as u32 + 1;
    (lines, Rest { number, text: rest })
}
