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
fn boundary(bytes: &[u8], at: usize) -> usize {
    let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| (0x80..0xC0).contains(byte));
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(at)).unwrap_or(at)
}

fn visible(bytes: &[u8]) -> Markup {
    let mut page = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match unseen(character) {
                Some(name) => named(&mut page, &format!("U+{:04X}", u32::from(character)), name),
                // Writing to a string does not fail.
                None => drop(Escaper::new(&mut page).write_char(character)),
            }
        }
        for byte in chunk.invalid() {
            named(&mut page, &format!("\\x{byte:02X}"), "a byte that is no UTF-8");
        }
    }
    PreEscaped(page)
}

/// A mark in place of a character.
fn named(page: &mut String, label: &str, name: &str) {
    let mark = html! { b.char title=(name) { (label) } };
    page.push_str(&mark.0);
}

/// Prose of the catalogue: what stands between backticks is code.
pub(in crate::report) fn prose(text: &str) -> Markup {
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
fn unseen(character: char) -> Option<&'static str> {
    Some(match character {
        '\n' | '\t' => return None,
        '\0' => "NUL",
        '\r' => "carriage return",
        '\u{1B}' => "escape",
        '\u{1}'..='\u{1F}' | '\u{7F}'..='\u{9F}' => "control character",
        '\u{AD}' => "soft hyphen",
        '\u{61C}' => "Arabic letter mark",
        '\u{200B}' => "zero width space",
        '\u{200C}' => "zero width non-joiner",
        '\u{200D}' => "zero width joiner",
        '\u{200E}' => "left-to-right mark",
        '\u{200F}' => "right-to-left mark",
        '\u{202A}' => "left-to-right embedding",
        '\u{202B}' => "right-to-left embedding",
        '\u{202C}' => "pop directional formatting",
        '\u{202D}' => "left-to-right override",
        '\u{202E}' => "right-to-left override",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "pop directional isolate",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{FEFF}' => "byte order mark",
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' => "Hangul filler",
        '\u{180E}' | '\u{2060}'..='\u{206F}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}' => {
            "invisible character"
        }
        _ if u32::from(character) & 0xFFFE == 0xFFFE => "noncharacter",
        _ => return None,
    })
}

/// What is shown of a long list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Element(usize),
    /// So many that are left out.
    Gap(usize),
}

/// A list of at most so many elements is shown whole.
const MOST: usize = 60;

/// Of a longer one its beginning, its end, and what stands around marked elements, up to a limit.
fn folded(length: usize, is_marked: impl Fn(usize) -> bool) -> Vec<Shown> {
    let mut shown = Vec::new();
    let mut near_marks = 0;
    let mut wanted = vec![length <= MOST; length];
    for at in 0..length {
        let is_edge = at < 15 || at + 5 >= length;
        let is_near = near_marks < MOST && is_marked(at);
        near_marks += usize::from(is_near);
        let reach = if is_near { at.saturating_sub(2)..(at + 3).min(length) } else { at..at + 1 };
        if is_edge || is_near {
            wanted.get_mut(reach).into_iter().flatten().for_each(|wanted| *wanted = true);
        }
    }
    for (at, is_wanted) in wanted.into_iter().enumerate() {
        match (is_wanted, shown.last_mut()) {
            (true, _) => shown.push(Shown::Element(at)),
            (false, Some(Shown::Gap(gap))) => *gap += 1,
            (false, _) => shown.push(Shown::Gap(1)),
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
        @for shown in folded(list.len(), is_marked) {
            @match shown {
                Shown::Gap(left_out) => li.gap { "… " (count(left_out as u64)) " more …" },
                Shown::Element(at) => (row(at, &list[at])),
            }
        }
    }
}
