//! The *architecture* as a test: which room of `src` may know which, and how a file looks.
//!
//! Dependencies point one way. [`ALLOWED`] is the picture; a path into another room that it does not
//! show fails here, with the file, the line and what to do.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room, and the rooms that it may know beside itself.
const ALLOWED: &[(&str, &[&str])] = &[
    ("json", &[]),
    ("printable", &[]),
    ("message", &["json"]),
    // Plain data; reads JSON that may hold lone surrogates.
    ("operation", &["json"]),
    // An oracle never calls the code that it judges, so no room that reads, writes or normalizes.
    ("rules", &["message", "operation"]),
    ("stream", &["json", "message"]),
    ("transcript", &["json", "message"]),
    ("normalize", &["json", "message", "operation"]),
    ("engine", &["json", "message", "normalize", "operation", "stream", "transcript"]),
    ("check", &["json", "message", "operation", "rules", "transcript"]),
    ("scenario", &["engine", "json", "message", "operation", "stream", "transcript"]),
    ("subject", &["engine", "json", "message", "normalize", "operation", "stream", "transcript"]),
    ("faults", &["message", "operation", "subject", "transcript"]),
    ("suite", &["faults", "message", "operation", "printable", "rules", "scenario", "subject"]),
    (
        "fuzzing",
        &[
            "faults",
            "message",
            "normalize",
            "operation",
            "rules",
            "scenario",
            "stream",
            "subject",
            "suite",
            "transcript",
        ],
    ),
    (
        "report",
        &[
            "check",
            "json",
            "message",
            "normalize",
            "operation",
            "printable",
            "rules",
            "scenario",
            "subject",
            "suite",
        ],
    ),
    (
        "cli",
        &[
            "check",
            "faults",
            "fuzzing",
            "json",
            "message",
            "normalize",
            "operation",
            "report",
            "rules",
            "scenario",
            "stream",
            "subject",
            "suite",
            "transcript",
        ],
    ),
];

/// The longest source file, in lines.
const LONGEST: usize = 500;

#[test]
fn rooms_know_only_the_rooms_that_the_picture_allows() {
    let wrong: Vec<String> = sources().iter().flat_map(|source| source.violations()).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_room_is_in_the_picture() {
    for source in sources().iter().filter(|source| source.room() != "lib" && source.room() != "main") {
        assert!(
            allowed(source.room()).is_some(),
            "{}: `{}` is a new room; add it to ALLOWED in tests/architecture.rs, with the rooms it may know",
            source.path.display(),
            source.room()
        );
    }
}

#[test]
fn the_picture_has_no_circle() {
    for (index, (room, known)) in ALLOWED.iter().enumerate() {
        for other in *known {
            let place = ALLOWED.iter().position(|(name, _)| name == other);
            assert!(
                place.is_some_and(|place| place < index),
                "`{other}` should stand before `{room}` in ALLOWED: rooms know only rooms above them"
            );
        }
    }
}

#[test]
fn every_file_says_first_what_it_is() {
    for source in sources() {
        assert!(
            source.text.starts_with("//! "),
            "{}: begin the file with a `//!` line that says what it is for",
            source.path.display()
        );
    }
}

#[test]
fn no_file_has_two_subjects() {
    for source in sources() {
        let lines = source.text.lines().count();
        assert!(
            lines <= LONGEST,
            "{}: {lines} lines are over {LONGEST}; it has two subjects, give the second a file of its own",
            source.path.display()
        );
    }
}

#[test]
fn no_code_is_unsafe() {
    for source in sources() {
        let code = without_comments_and_strings(&source.text);
        let line = code.lines().position(|line| words(line).any(|word| word == "unsafe"));
        assert!(
            line.is_none(),
            "{}:{}: `unsafe` needs a measured reason, and none is known; use safe code",
            source.path.display(),
            line.unwrap_or_default() + 1
        );
    }
}

#[test]
fn planted_violations_are_found() {
    let planted = |path: &str, text: &str| {
        let source = Source { path: PathBuf::from(path), text: text.to_owned() };
        source.violations().len()
    };
    assert_eq!(planted("src/rules/wire/text.rs", "use crate::transcript::Chunks;"), 1);
    assert_eq!(planted("src/rules/id.rs", "use crate::{\n    operation::{Parsed, parse},\n    json,\n};"), 1);
    assert_eq!(planted("src/message/user.rs", "fn f() -> crate::rules::Rule { todo!() }"), 1);
    assert_eq!(planted("src/json/text.rs", "use super::super::message::Kind;"), 1);
    assert_eq!(planted("src/printable.rs", "use super::rules::Rule;"), 1);
    assert_eq!(planted("src/json/mod.rs", "let quote = '\"'; use crate::cli; let other = '\"';"), 1);
    // Not code, or not another room.
    assert_eq!(planted("src/json/text.rs", "//! See [`crate::message`].\n/* crate::cli */\n"), 0);
    assert_eq!(planted("src/json/text.rs", "let text = \"crate::message\"; let raw = r#\"crate::cli\"#;"), 0);
    assert_eq!(planted("src/json/text.rs", "use super::value::Raw; use crate::json::Text;"), 0);
    assert_eq!(planted("src/check/scan.rs", "use crate::{json::Span, rules::Facts};"), 0);
}

/// A file of `src`.
struct Source {
    /// From the root of the repository.
    path: PathBuf,
    text: String,
}

impl Source {
    /// The room that the file belongs to: its folder in `src`, or its own name.
    fn room(&self) -> &str {
        let inside = self.path.strip_prefix("src").expect("a file of src");
        let first = Path::new(inside.components().next().expect("a name").as_os_str());
        first.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8")
    }

    /// How many `super` lead from the file's own module to the crate.
    fn depth(&self) -> usize {
        let parts = self.path.strip_prefix("src").expect("a file of src").components().count();
        if self.path.ends_with("mod.rs") { parts - 1 } else { parts }
    }

    /// What in this file the picture does not allow.
    fn violations(&self) -> Vec<String> {
        let code = without_comments_and_strings(&self.text);
        let Some(known) = allowed(self.room()) else { return Vec::new() };
        let found = rooms_named(&code, self.depth()).into_iter();
        let wrong = found.filter(|(_, other)| {
            other != self.room() && allowed(other).is_some() && !known.contains(&other.as_str())
        });
        wrong
            .map(|(at, other)| {
                format!(
                    "{}:{}: `{room}` must not know `{other}`. Move what both need to a room above both, hand it \
                     in as plain data, or, if the picture itself should change, change ALLOWED in \
                     tests/architecture.rs and say why",
                    self.path.display(),
                    code[..at].lines().count(),
                    room = self.room(),
                )
            })
            .collect()
    }
}

/// The rooms that a room may know.
fn allowed(room: &str) -> Option<&'static [&'static str]> {
    ALLOWED.iter().find(|(name, _)| *name == room).map(|(_, known)| *known)
}

/// Every file of `src`.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                sources.push(Source { path: path.strip_prefix(root).expect("inside").to_owned(), text });
            }
        }
    }
    assert!(sources.len() > 50, "src is not where this test looks for it");
    sources
}

/// The first names of all paths from the crate's root, and where they stand.
fn rooms_named(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let starts = code.match_indices("crate::").map(|(at, prefix)| at + prefix.len());
    let supers = code.match_indices("super::").filter_map(|(at, _)| {
        let chain = code[at..].split("super::").take_while(|part| part.is_empty()).count();
        let starts_here = !code[..at].ends_with("super::");
        (starts_here && chain >= depth).then_some(at + chain * "super::".len())
    });
    for start in starts.chain(supers) {
        let rest = &code[start..];
        match rest.strip_prefix('{') {
            Some(group) => {
                found.extend(group_names(group).into_iter().map(|(at, name)| (start + 1 + at, name)));
            }
            None => found.extend(words(rest).next().map(|name| (start, name.to_owned()))),
        }
    }
    found
}

/// The first name of each path in `{a::b, c::{d, e}}`, given without its first brace.
fn group_names(group: &str) -> Vec<(usize, String)> {
    let mut names = Vec::new();
    let mut depth = 1;
    let mut expects_name = true;
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => expects_name = true,
            _ if expects_name && depth == 1 && character.is_alphabetic() => {
                names.extend(words(&group[at..]).next().map(|name| (at, name.to_owned())));
                expects_name = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
}

/// The code with everything else turned to spaces; line ends stay.
fn without_comments_and_strings(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_length(rest, code.chars().next_back());
        if skipped == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            code.extend(rest[..skipped].chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
            rest = &rest[skipped..];
        }
    }
    code
}

/// How many bytes of comment, string or character `rest` begins with.
fn skipped_length(rest: &str, before: Option<char>) -> usize {
    let until = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/");
    }
    let is_inside_word = before.is_some_and(|character| character.is_alphanumeric() || character == '_');
    let hashes = rest.bytes().skip(1).take_while(|&byte| byte == b'#').count();
    if rest.starts_with('r') && !is_inside_word && rest[1 + hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = 2 + hashes;
        return rest[inside..].find(&end).map_or(rest.len(), |at| inside + at + end.len());
    }
    match rest.as_bytes()[0] {
        b'"' => quoted_length(rest, '"'),
        // A character, not a lifetime.
        b'\'' if rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'') => {
            quoted_length(rest, '\'')
        }
        _ => 0,
    }
}

/// The length of a literal, its quotes included.
fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}
