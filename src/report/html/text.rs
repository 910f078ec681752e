//! *Text* on a page: escaped, what cannot be seen named, what is long cut.

use std::fmt::Write;

use maud::{Escaper, Markup, PreEscaped, html};

use turnproof_suite::table::{count, size};

/// A text of at most so many bytes is shown whole.
const WHOLE: usize = 1_600;

/// Of a longer text so much of its beginning and end.
const HEAD: usize = 1_200;
const TAIL: usize = 200;

/// A text; line ends and tabs stay.
pub(in crate::report) fn text(text: &str) -> Markup {
    bytes(text.as_bytes())
}

/// Bytes as text; those that are not UTF-8 are named.
pub(in crate::report) fn bytes(bytes: &[u8]) -> Markup {
    cut(bytes, WHOLE, HEAD, TAIL)
}

/// A text of which a glance is enough.
pub(in crate::report) fn glance(text: &str) -> Markup {
    cut(text.as_bytes(), 300, 240, 20)
}

/// A text of which at most about so many bytes are shown.
pub(in crate::report) fn within(text: &[u8], most: usize) -> Markup {
    cut(text, most, most * 3 / 4, most / 8)
}

pub(in crate::report) fn words(text: &str) -> Markup {
    html! { span.words { (cut(text.as_bytes(), 700, 560, 100)) } }
}

fn cut(bytes: &[u8], whole: usize, head: usize, tail: usize) -> Markup {
    if bytes.len() <= whole {
        return visible(bytes);
    }
    let head = boundary(bytes, head);
    let tail = boundary(bytes, bytes.len() - tail);
    let (first, last) = (bytes.get(..head).unwrap_or_default(), bytes.get(tail..).unwrap_or_default());
    let left_out = size((tail - head) as u64, "byte");
    html! { (visible(first)) span.cut { "… " (left_out) " left out …" } (visible(last)) }
}

/// The place, moved to the beginning of the character that it stands in.
pub(in crate::report) fn boundary(bytes: &[u8], at: usize) -> usize {
    let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| (0x80..0xC0).contains(byte));
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(at)).unwrap_or(at)
}

fn visible(bytes: &[u8]) -> Markup {
    let mut page = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(character) = rest.chars().next() {
            let style = style(rest);
            match (unseen(character), style) {
                (_, Some(style)) => named(&mut page, &format!("ESC{}", &style[1..]), "style of a terminal"),
                (Some(name), None) => named(&mut page, &format!("U+{:04X}", u32::from(character)), name),
                // Writing to a string does not fail.
                (None, None) => drop(Escaper::new(&mut page).write_char(character)),
            }
            rest = &rest[style.map_or(character.len_utf8(), str::len)..];
        }
        for byte in chunk.invalid() {
            named(&mut page, &format!("\\x{byte:02X}"), "a byte that is no UTF-8");
        }
    }
    PreEscaped(page)
}

/// The sequence that begins a text and sets colour or weight in a terminal, such as `ESC[1;31m`.
fn style(text: &str) -> Option<&str> {
    let numbers = text.strip_prefix("\u{1B}[")?;
    let length = numbers.find(|character: char| !matches!(character, '0'..='9' | ';' | ':'))?;
    numbers[length..].starts_with('m').then(|| &text[..2 + length + 1])
}

/// A mark in place of a character.
fn named(page: &mut String, label: &str, name: &str) {
    let mark = html! { b.char title=(name) { (label) } };
    page.push_str(&mark.0);
}

/// Prose of the catalogue: what stands between backticks is code.
pub fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// The mark of a line end that is pointed at.
pub(in crate::report) fn line_end() -> Markup {
    html! { b.char title="line feed" { "LF" } }
}

/// The name of a character that cannot be seen, or that moves what stands around it.
pub(in crate::report) fn unseen(character: char) -> Option<&'static str> {
    Some(match character {
        '\n' | '\t' => return None,
        '\r' => "carriage return",
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => "control character",
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "direction of text",
        '\u{2028}' | '\u{2029}' => "line separator",
        '\u{FEFF}' => "byte order mark",
        '\u{AD}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}' => "invisible character",
        _ if u32::from(character) & 0xFFFE == 0xFFFE => "noncharacter",
        _ => return None,
    })
}

/// What is shown of a long list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Shown {
    Element(usize),
    /// Left out, from one place to before another.
    Gap {
        from: usize,
        to: usize,
    },
}

/// How much of a long list is shown: of its beginning, of its end, and marked elements between, each with so many on
/// both sides.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Limits {
    pub(in crate::report) first: usize,
    pub(in crate::report) last: usize,
    pub(in crate::report) marked: usize,
    pub(in crate::report) around: usize,
}

/// The beginning of a list, its end, and what stands around marked elements, up to a limit.
pub(in crate::report) fn folded(length: usize, limits: Limits, is_marked: impl Fn(usize) -> bool) -> Vec<Shown> {
    let Limits { first, last, marked, around } = limits;
    let mut wanted = vec![length <= first + last; length];
    let mut near = 0;
    for at in 0..length {
        let is_near = near < marked && is_marked(at);
        near += usize::from(is_near);
        let reach = if is_near { at.saturating_sub(around)..(at + around + 1).min(length) } else { at..at + 1 };
        if is_near || at < first || at + last >= length {
            wanted.get_mut(reach).into_iter().flatten().for_each(|wanted| *wanted = true);
        }
    }
    let mut shown = Vec::new();
    for (at, is_wanted) in wanted.into_iter().enumerate() {
        match (is_wanted, shown.last_mut()) {
            (true, _) => shown.push(Shown::Element(at)),
            (false, Some(Shown::Gap { to, .. })) => *to = at + 1,
            (false, _) => shown.push(Shown::Gap { from: at, to: at + 1 }),
        }
    }
    shown
}

/// The rows of a list, [folded].
pub(in crate::report) fn rows<T>(
    list: &[T],
    is_marked: impl Fn(usize) -> bool,
    row: impl Fn(usize, &T) -> Markup,
) -> Markup {
    html! {
        @for shown in folded(list.len(), Limits { first: 45, last: 15, marked: 60, around: 2 }, is_marked) {
            @match shown {
                Shown::Gap { from, to } => li.gap { "… " (count((to - from) as u64)) " more …" },
                Shown::Element(at) => (row(at, &list[at])),
            }
        }
    }
}
