//! What is *written* from the tables: those of SPEC.md, each between two marks. `TURNPROOF_WRITE_TABLES=1 cargo test -p
//! turnproof-format` writes them.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use turnproof_format::shapes::SHAPES;
use turnproof_format::{
    DELTAS, ERROR_KINDS, EVENTS, Home, Kind, MCP_CALL, MCP_RESULT, SERVER_RESULTS, SERVER_TOOLS, SIDE_KINDS, SUBTYPES,
    texts,
};

/// What ends a table.
const END: &str = "<!-- end -->\n";

/// The longest line of SPEC.md.
const LONGEST: usize = 120;

/// The parts of SPEC.md that are written, by the name in the mark before them.
fn parts() -> Vec<(&'static str, String)> {
    vec![
        ("kinds", kinds()),
        (
            "side records",
            listed(
                "A transcript also holds *side records*:",
                SIDE_KINDS,
                ". They are kept and are never in the chain. The list is open. A record of an unknown `type` is kept too.",
            ),
        ),
        (
            "subtypes",
            listed(
                "The `subtype` of a system message names its kind. The known ones are",
                SUBTYPES,
                ". Others are carried unchanged.",
            ),
        ),
        ("short texts", short_texts()),
        ("long texts", long_texts()),
        ("results of server tools", listed("The results of server tools are", &SERVER_RESULTS, ".")),
        ("events", effects("event", "effect", EVENTS)),
        ("deltas", effects("delta", "effect on the open block", DELTAS)),
        ("kinds of errors", error_kinds()),
        ("shapes", format!("```text\n{SHAPES}```\n")),
        ("server tools", server_tools()),
    ]
}

fn kinds() -> String {
    let on_disk = |kind: Kind| match kind.home() {
        Home::Transcript => "yes | yes",
        Home::OldTranscripts => "accepted when read, never written | never",
        Home::Memory => "never | no",
    };
    let rows =
        Kind::ALL.map(|kind| format!("`{}` | {} | {} | {}", kind.name(), on_disk(kind), kind.sent(), kind.meaning()));
    table("`type` | on disk | in the chain | sent to the API | meaning", rows)
}

fn short_texts() -> String {
    let row = |(title, text): &(&str, &str)| match *text {
        texts::NO_CONTENT => format!("{title} | `{text}`; when read, `{}` means the same", texts::NO_CONTENT_BRACKETED),
        text => format!("{title} | `{text}`"),
    };
    let is_short =
        |(title, text): &&(&str, &str)| !title.is_empty() && text.len() <= 50 && *text != texts::NO_CONTENT_BRACKETED;
    table("name | text", texts::NAMED.iter().filter(is_short).map(row))
}

fn long_texts() -> String {
    let mut block = String::from("```\n");
    for (title, text) in texts::NAMED.iter().filter(|(title, text)| !title.is_empty() && text.len() > 50) {
        writeln!(block, "{title}").unwrap();
        for line in wrapped(&text.replace('\n', "\\n"), LONGEST - 4) {
            writeln!(block, "    {line}").unwrap();
        }
    }
    block + "```\n"
}

fn effects(first: &str, second: &str, rows: &[(&str, &str)]) -> String {
    table(&format!("{first} | {second}"), rows.iter().map(|(name, effect)| format!("`{name}` | {effect}")))
}

fn error_kinds() -> String {
    let row = |(kind, types, meaning): &(&str, &[&str], &str)| match types {
        [] => format!("`{kind}` | none: {meaning}"),
        types => format!("`{kind}` | {}", in_code(types)),
    };
    table("`apiError` | `error.type` of the API", ERROR_KINDS.iter().map(row))
}

fn server_tools() -> String {
    let row = |(result, tools): &(&str, &[&str])| match *result {
        MCP_RESULT => format!("a tool called by `{MCP_CALL}` | `{result}`"),
        result => format!("{} | `{result}`", in_code(tools)),
    };
    let other = format!("a tool of another name | any type but `{MCP_RESULT}`");
    table("call | result", SERVER_TOOLS.iter().map(row).chain([other]))
}

/// A table with this head and these rows, `|` between the cells.
fn table(head: &str, rows: impl IntoIterator<Item = String>) -> String {
    let line = "---|".repeat(head.split(" | ").count());
    let rows: String = rows.into_iter().map(|row| format!("| {row} |\n")).collect();
    format!("| {head} |\n|{line}\n{rows}")
}

fn in_code(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// A paragraph: how it begins, words, how it ends.
fn listed(begin: &str, words: &[&str], end: &str) -> String {
    let [others @ .., last] = words else { panic!("no words") };
    wrapped(&format!("{begin} {} and `{last}`{end}", in_code(others)), LONGEST).join("\n") + "\n"
}

/// The lines of a text, each at most so long.
fn wrapped(text: &str, longest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= longest {
            line.extend([" ", word]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The text with what is written between the marks; panics where a mark is missing.
fn with_parts(text: &str, parts: &[(&str, String)]) -> String {
    let mut text = text.to_owned();
    for (name, part) in parts {
        let mark = format!("<!-- written from the format: {name} -->\n");
        let begin = text.find(&mark).unwrap_or_else(|| panic!("no mark {mark}")) + mark.len();
        let end = begin + text[begin..].find(END).unwrap_or_else(|| panic!("no end after {mark}"));
        text.replace_range(begin..end, part);
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Asserts that a file of the repository has this text, or writes it.
fn hold(name: &str, expected: &str) {
    let path = root().join(name);
    if env::var_os("TURNPROOF_WRITE_TABLES").is_some() {
        fs::write(path, expected).unwrap();
        return;
    }
    let found = fs::read_to_string(&path).unwrap();
    let differs = found.lines().zip(expected.lines()).enumerate().find(|(_, (found, expected))| found != expected);
    assert!(
        found == expected,
        "{name} is not what the tables say; `TURNPROOF_WRITE_TABLES=1 cargo test -p turnproof-format` writes it: {differs:?}"
    );
}

#[test]
fn the_specification_has_the_tables() {
    let spec = fs::read_to_string(root().join("SPEC.md")).unwrap();
    hold("SPEC.md", &with_parts(&spec, &parts()));
}
