//! *Text* in a Markdown document: it keeps to its place, whatever it holds.
//!
//! What people and models say is quoted, and code in it is fenced again, with a fence that no line of it closes.
//! Outside of code no text is markup of a page, loads a picture, or leads elsewhere than to `http`.

use turnproof_suite::table::size;

use crate::report::html::text::{boundary, unseen};

/// What a longer text is cut to, and of that so much is its end.
const TAIL: usize = 8;

/// Code, behind a fence that is longer than each in it.
pub(super) fn fenced(prefix: &str, info: &str, code: &str) -> String {
    let mut shown = String::new();
    for line in code.split('\n') {
        shown += &format!("{prefix}{}\n", visible(line));
    }
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    format!("{prefix}{fence}{info}\n{shown}{prefix}{fence}\n")
}

/// A name on one line, as code.
pub(super) fn code(name: &str) -> String {
    let name = visible(&cut(name, 300)).replace('\n', &named('\n'));
    let (fence, pad) = match longest_run(&name) {
        0 if !name.is_empty() => (1, ""),
        longest => (longest + 1, " "),
    };
    let fence = "`".repeat(fence);
    format!("{fence}{pad}{name}{pad}{fence}")
}

/// A text on one line.
pub(super) fn inline(text: &str) -> String {
    plain(&cut(text, 700)).replace('\n', &named('\n'))
}

/// A text on one line within markup of a page, in which nothing is read as Markdown.
pub(super) fn in_markup(text: &str) -> String {
    let text = visible(&cut(text, 300)).replace('\n', &named('\n'));
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// What somebody said, as a quotation. Code in it is fenced again.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::new();
    let mut open: Option<Code<'_>> = None;
    for line in text.split('\n') {
        match &mut open {
            Some(code) if code.is_end(line) => out += &open.take().map(|code| code.fenced()).unwrap_or_default(),
            Some(code) => code.lines.push(line),
            None => match Code::begin(line) {
                Some(code) => open = Some(code),
                None => out += &format!("> {}\n", plain(line)),
            },
        }
    }
    out + &open.map(|code| code.fenced()).unwrap_or_default()
}

/// Code in a text.
struct Code<'a> {
    mark: char,
    length: usize,
    indent: usize,
    info: String,
    lines: Vec<&'a str>,
}

impl<'a> Code<'a> {
    /// The code that a line begins, if it does.
    fn begin(line: &'a str) -> Option<Self> {
        let fence = line.trim_start();
        let mark = fence.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = fence.trim_start_matches(mark);
        let length = fence.len() - info.len();
        let is_fence = length >= 3 && !(mark == '`' && info.contains('`'));
        let is_plain = |character: &char| character.is_ascii_alphanumeric() || "+-#._".contains(*character);
        let info = info.trim().chars().take_while(is_plain).take(20).collect();
        is_fence.then(|| Self { mark, length, indent: line.len() - fence.len(), info, lines: Vec::new() })
    }

    fn is_end(&self, line: &str) -> bool {
        let fence = line.trim();
        fence.len() >= self.length && fence.chars().all(|mark| mark == self.mark)
    }

    fn fenced(self) -> String {
        let without_indent = |line: &&'a str| {
            let blank = line.bytes().take(self.indent).take_while(|byte| *byte == b' ').count();
            line[blank..].to_owned()
        };
        let lines: Vec<String> = self.lines.iter().map(without_indent).collect();
        fenced("> ", &self.info, &lines.join("\n"))
    }
}

/// A text outside of code. Entities are never read as markup, whatever is before them.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    let mut before = ' ';
    while let Some(character) = rest.next() {
        let next = rest.as_str();
        let leads_elsewhere = before == ']' && !next.starts_with("http://") && !next.starts_with("https://");
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '!' if next.starts_with('[') => out += "&#33;",
            '(' if leads_elsewhere => out += "&#40;",
            ':' if before == ']' => out += "&#58;",
            _ => push_visible(&mut out, character),
        }
        before = character;
    }
    out
}

/// A text in which no character hides, or moves what is around it.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| push_visible(&mut out, character));
    out
}

fn push_visible(out: &mut String, character: char) {
    match unseen(character) {
        Some(_) => out.push_str(&named(character)),
        None => out.push(character),
    }
}

fn named(character: char) -> String {
    format!("⟦U+{:04X}⟧", u32::from(character))
}

/// How many backticks are together at most.
fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// A text of which at most about so many bytes are kept: its beginning and its end.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = boundary(text.as_bytes(), most - most / TAIL);
    let tail = boundary(text.as_bytes(), text.len() - most / TAIL);
    format!("{} … {} left out … {}", &text[..head], size((tail - head) as u64, "byte"), &text[tail..])
}
