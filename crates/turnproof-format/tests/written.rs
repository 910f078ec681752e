//! What is *written* from the tables, between two marks each: the tables of SPEC.md, and parts of the dictionaries of the
//! fuzz targets. `TURNPROOF_WRITE_TABLES=1 cargo test -p turnproof-format` writes them.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use turnproof_format::attachments::{A_TEXT, ATTACHMENTS, Attachment, EVERYTHING, MEDIUM_OF};
use turnproof_format::shapes::{self, Form, SHAPES};
use turnproof_format::words::{REQUEST_NAMES, STREAM_NAMES};
use turnproof_format::{
    DELTA_TYPES, DELTAS, ERROR_KINDS, EVENT_TYPES, EVENTS, Home, Kind, MCP_CALL, MCP_RESULT, ROLES, SERVER_RESULTS,
    SERVER_TOOLS, SIDE_KINDS, STOP_REASONS, SUBTYPES, texts,
};

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
        ("attachments", attachments()),
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

/// Neighbours that are alike are one row.
fn attachments() -> String {
    let is_alike = |one: &Attachment, other: &Attachment| {
        (one.events, one.told, one.never, one.free) == (other.events, other.told, other.never, other.free)
    };
    let cell = |entries: &[&str]| match entries {
        [] => "nothing".to_owned(),
        entries => entries.iter().map(|entry| in_words(entry)).collect::<Vec<_>>().join(", "),
    };
    let row = |rows: &[Attachment]| {
        let kinds = in_code(&rows.iter().map(|row| row.kind).collect::<Vec<_>>());
        let row = &rows[0];
        let events = if row.events.is_empty() { String::new() } else { format!(" at {}", in_code(row.events)) };
        format!("{kinds}{events} | {} | {} | {}", cell(row.told), cell(row.never), cell(row.free))
    };
    table("kind | told | never | free", ATTACHMENTS.chunk_by(is_alike).map(row))
}

/// An entry of the table of attachments, paths as code.
fn in_words(entry: &str) -> String {
    match entry.strip_prefix(MEDIUM_OF) {
        Some(path) => format!("{MEDIUM_OF}`{path}`"),
        None if [A_TEXT, EVERYTHING].contains(&entry) => entry.to_owned(),
        None => format!("`{entry}`"),
    }
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

/// The text with what is written between the marks; panics where a mark is missing. A mark is a comment.
fn with_parts(text: &str, (before, after): (&str, &str), parts: &[(&str, String)]) -> String {
    let mut text = text.to_owned();
    for (name, part) in parts {
        let mark = format!("{before}written from the format: {name}{after}\n");
        let begin = text.find(&mark).unwrap_or_else(|| panic!("no mark {mark}")) + mark.len();
        let end = text[begin..].find(&format!("{before}end{after}\n"));
        text.replace_range(begin..begin + end.unwrap_or_else(|| panic!("no end after {mark}")), part);
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Asserts that a file of the repository has these parts, or writes them.
fn hold(name: &str, comment: (&str, &str), parts: &[(&str, String)]) {
    let path = root().join(name);
    let expected = with_parts(&fs::read_to_string(&path).unwrap(), comment, parts);
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
    hold("SPEC.md", ("<!-- ", " -->"), &parts());
}

#[test]
fn the_dictionaries_have_the_words() {
    let types = |words: &[&str]| entries(r#""type":"$""#, words);
    let blocks = || entries(r#"{"type":"$""#, &shapes::types().collect::<Vec<_>>());
    let events = types(EVENT_TYPES) + &entries("event: $\n", EVENT_TYPES);
    hold_dictionary(
        "transcript",
        &[
            ("kinds", types(&Kind::ALL.map(Kind::name)) + &types(SIDE_KINDS)),
            ("subtypes", entries(r#""subtype":"$""#, SUBTYPES)),
            ("blocks", blocks()),
            ("texts", entries("$", texts::TEXTS)),
        ],
    );
    hold_dictionary(
        "stream",
        &[
            ("events", events),
            ("deltas", entries(r#"{"type":"$""#, DELTA_TYPES)),
            ("blocks", blocks()),
            ("members", entries(r#""$":"#, STREAM_NAMES)),
            ("reasons to stop", entries(r#""stop_reason":"$""#, STOP_REASONS)),
        ],
    );
    let tools: Vec<&str> = SERVER_TOOLS.iter().flat_map(|(_, tools)| *tools).copied().collect();
    hold_dictionary(
        "request",
        &[
            ("members", entries(r#""$":"#, REQUEST_NAMES)),
            ("roles", entries(r#"{"role":"$","content":"#, ROLES)),
            ("blocks", blocks()),
            ("server tools", entries(r#""name":"$""#, &tools)),
            ("sources", sources()),
        ],
    );
}

fn hold_dictionary(name: &str, parts: &[(&str, String)]) {
    hold(&format!("fuzz/dictionaries/{name}.dict"), ("# ", ""), parts);
}

/// The types of sources, and of media in them.
fn sources() -> String {
    let members = ["image", "document"].into_iter().filter_map(shapes::block).flat_map(|block| &block.members);
    let sources = members.filter(|member| member.name == "source").flat_map(|member| match &member.form {
        Form::Typed(sources) => sources.as_slice(),
        _ => &[],
    });
    let media = sources.clone().flat_map(|source| &source.members).flat_map(|member| match &member.form {
        Form::Only(words) => words.as_slice(),
        _ => &[],
    });
    let types: Vec<&str> = sources.map(|source| source.name).collect();
    let media: Vec<&str> = media.copied().collect();
    entries(r#""source":{"type":"$""#, &types) + &entries(r#""media_type":"$""#, &media)
}

/// Lines of a dictionary: each word in its form, of which libFuzzer takes 64 bytes.
fn entries(form: &str, words: &[&str]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let entry: String = form.replace('$', &word.replace('\n', "\\n")).chars().take(64).collect();
        let quoted = entry.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\x0a");
        let line = format!("\"{quoted}\"\n");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}
