//! The *architecture* as a test: which room of `src` may know which, and how a file looks.
//!
//! Dependencies point one way. Cargo holds the arrows between crates, so an oracle cannot know the code that it judges.
//! [`ALLOWED`] is the picture of the rest. A path into another room that it does not show fails here, with the file,
//! the line and what to do.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// Each room, and the rooms that it may know beside itself. `oracle` is the crate `turnproof-rules`.
const ALLOWED: &[(&str, &[&str])] = &[
    ("oracle", &[]),
    ("json", &[]),
    ("printable", &[]),
    ("message", &["json"]),
    ("stream", &["json", "message"]),
    ("normalize", &["json", "message", "oracle"]),
    ("transcript", &["json", "message"]),
    // What a repair gives must be legal as it is stored, and content is fixed as a request fixes it.
    ("repair", &["json", "message", "normalize", "oracle", "transcript"]),
    ("scrub", &["message", "transcript"]),
    ("usage", &["json", "message", "normalize", "oracle", "transcript"]),
    ("engine", &["json", "message", "normalize", "oracle", "stream", "transcript"]),
    ("check", &["json", "message", "normalize", "oracle", "repair", "transcript"]),
    ("scenario", &["engine", "json", "message", "oracle", "stream", "transcript"]),
    ("subject", &["engine", "json", "message", "normalize", "oracle", "repair", "stream", "transcript", "usage"]),
    ("suite", &["message", "oracle", "printable", "scenario", "subject"]),
    ("fuzzing", &["message", "normalize", "oracle", "scenario", "stream", "subject", "suite", "transcript"]),
    (
        "report",
        &[
            "check",
            "json",
            "message",
            "normalize",
            "oracle",
            "printable",
            "repair",
            "scenario",
            "subject",
            "suite",
            "transcript",
        ],
    ),
    (
        "cli",
        &[
            "check",
            "fuzzing",
            "json",
            "message",
            "normalize",
            "oracle",
            "printable",
            "repair",
            "report",
            "scenario",
            "scrub",
            "stream",
            "subject",
            "suite",
            "transcript",
            "usage",
        ],
    ),
];

/// What the root package names as its own, and is the oracle's.
const OF_THE_ORACLE: [&str; 2] = ["operation", "rules"];

/// The longest source file, in lines.
const LONGEST: usize = 500;

#[test]
fn rooms_know_only_the_rooms_that_the_picture_allows() {
    let wrong: Vec<String> = sources("src").iter().flat_map(Source::violations).collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_room_is_in_the_picture() {
    for source in sources("src").iter().filter(|source| !["lib", "main"].contains(&source.room())) {
        assert!(
            allowed(source.room()).is_some(),
            "{}: `{}` is a new room; add it to ALLOWED in {}, with the rooms it may know",
            source.path.display(),
            source.room(),
            file!()
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
fn every_file_says_first_what_it_is_and_has_one_subject() {
    for source in ["src", "crates", "fuzz"].into_iter().flat_map(sources) {
        let (path, lines) = (source.path.display(), source.text.lines().count());
        assert!(source.text.starts_with("//! "), "{path}: begin the file with a `//!` line that says what it is for");
        assert!(
            lines <= LONGEST,
            "{path}: {lines} lines are over {LONGEST}; it has two subjects, give the second a file of its own"
        );
    }
}

#[test]
fn planted_violations_are_found() {
    let planted = |path: &str, text: &str| {
        let source = Source { path: PathBuf::from(path), text: text.to_owned() };
        source.violations().len()
    };
    assert_eq!(planted("src/message/user.rs", "use crate::transcript::Chunks;"), 1);
    assert_eq!(planted("src/json/mod.rs", "use crate::{\n    operation::{Parsed, parse},\n    message,\n};"), 2);
    assert_eq!(planted("src/message/user.rs", "fn f() -> crate::rules::Rule { loop {} }"), 1);
    assert_eq!(planted("src/message/user.rs", "use turnproof_rules::rules::Rule;"), 1);
    assert_eq!(planted("src/json/text.rs", "use super::super::message::Kind;"), 1);
    assert_eq!(planted("src/printable.rs", "use super::rules::Rule;"), 1);
    assert_eq!(planted("src/message/mod.rs", "fn f() { assert!(crate::cli::main() == '\"'); }"), 1);
    // Not code, or not another room.
    assert_eq!(planted("src/json/text.rs", "//! See [`crate::message`].\n/* crate::cli */\n"), 0);
    assert_eq!(
        planted("src/json/text.rs", "const A: &str = \"crate::message\"; const B: &str = r#\"crate::cli\"#;"),
        0
    );
    assert_eq!(planted("src/json/text.rs", "use super::value::Raw; use crate::json::Text;"), 0);
    assert_eq!(planted("src/check/scan.rs", "use crate::{json::Span, rules::Facts};"), 0);
}

/// A source file.
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
        let Some(known) = allowed(self.room()) else { return Vec::new() };
        let tokens = self.text.parse().unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        let mut named = Vec::new();
        rooms_named(tokens, self.depth(), &mut named);
        named.retain(|(other, _)| other != self.room() && allowed(other).is_some() && !known.contains(&other.as_str()));
        let reported = |(other, span): (String, Span)| {
            format!(
                "{}:{}: `{}` must not know `{other}`. Move what both need to a room above both, hand it in as plain \
                 data, or, if the picture itself should change, change ALLOWED in {} and say why",
                self.path.display(),
                span.start().line,
                self.room(),
                file!()
            )
        };
        named.into_iter().map(reported).collect()
    }
}

/// The rooms that a room may know.
fn allowed(room: &str) -> Option<&'static [&'static str]> {
    ALLOWED.iter().find(|(name, _)| *name == room).map(|(_, known)| *known)
}

/// Every Rust file below a folder of the repository.
fn sources(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join(folder)];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                sources.push(Source { path: path.strip_prefix(root).expect("inside").to_owned(), text });
            }
        }
    }
    assert!(!sources.is_empty(), "{folder} is not where this test looks for it");
    sources
}

/// The rooms at the head of all paths from the crate's root, and where they stand.
fn rooms_named(tokens: TokenStream, depth: usize, named: &mut Vec<(String, Span)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        if let TokenTree::Group(group) = &tokens[at] {
            rooms_named(group.stream(), depth, named);
        }
        match after_root(&tokens[at..], depth) {
            Some(length) => {
                at += length;
                match &tokens.get(at) {
                    Some(TokenTree::Ident(room)) => name(&room.to_string(), room.span(), named),
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                        heads(group.stream(), named);
                        at += 1;
                    }
                    _ => {}
                }
            }
            None if is_word(&tokens[at], "turnproof_rules") => {
                named.push(("oracle".to_owned(), tokens[at].span()));
                at += 1;
            }
            None => at += 1,
        }
    }
}

/// How many tokens lead to the crate's root: of `crate::`, or of as many `super::` as the file is deep. `None` when
/// none do.
fn after_root(tokens: &[TokenTree], depth: usize) -> Option<usize> {
    let colons = |at: usize| (at..at + 2).all(|at| is_punctuation(tokens.get(at), ':'));
    if is_word(tokens.first()?, "crate") && colons(1) {
        return Some(3);
    }
    let chain = (0..)
        .take_while(|step| tokens.get(step * 3).is_some_and(|token| is_word(token, "super")) && colons(step * 3 + 1));
    let chain = chain.count();
    (chain > 0 && chain >= depth).then_some(chain * 3)
}

/// The first name of each path in `{a::b, c::{d, e}}`.
fn heads(group: TokenStream, named: &mut Vec<(String, Span)>) {
    let mut is_head = true;
    for token in group {
        match &token {
            TokenTree::Ident(room) if is_head => name(&room.to_string(), room.span(), named),
            _ => {}
        }
        is_head = is_punctuation(Some(&token), ',');
    }
}

fn name(room: &str, span: Span, named: &mut Vec<(String, Span)>) {
    let room = if OF_THE_ORACLE.contains(&room) { "oracle" } else { room };
    named.push((room.to_owned(), span));
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_punctuation(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punctuation)) if punctuation.as_char() == character)
}
