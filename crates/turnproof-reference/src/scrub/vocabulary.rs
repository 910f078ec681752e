//! The *vocabulary* are the words of the format: names of members that clients and the API write, the words that their
//! values may be, and the texts that readers look for. All other words are the user's.

use std::collections::HashSet;
use std::sync::LazyLock;

use memchr::memmem;
use turnproof_format::{texts, words};

use crate::message::{AssistantBody, Block, Envelope, Kind, Member, SERVER_RESULTS, Shape, UserBody, members_of_kind};

/// The names of members whose values, when they are one of [`words::values`], are words of the format, beside those
/// of the table of shapes.
const OF_WORDS: &str = "
    type subtype role stop_reason stopReason model version level userType entrypoint permissionMode mode operation
    service_tier speed inference_geo name status trigger hookEvent hookName commandMode kind origin
    priority output_mode error tool_name direction caller category originalModel fallbackModel taskType
    toolDenialKind promptSource sessionKind reminderType edit_mode cell_type isolation
    mimeType severity cellType output_type querySource keep betas effort display path
    renderedRole madeBy rowSource turnOrigin reasonType apiErrorType reasonCode thinkingDisplay streamCutCause
    ruleSource perTurnEffort requestedModel producer grantScope
";

/// The names of members whose values are types of media.
const OF_MEDIA: [&str; 3] = ["type", "media_type", "mimeType"];

/// The kinds of media, of which a type has one before its slash.
const KINDS_OF_MEDIA: [&str; 5] = ["image", "application", "text", "audio", "video"];

/// Words that names of models and versions are made of, beside those of three letters and less.
const OF_MODELS: &str = "claude opus sonnet haiku instant fable synthetic latest preview beta alpha fast gemini \
    flash anthropic global";

/// The members whose values are names of models or versions.
const MODELS: [&str; 5] = ["model", "version", "originalModel", "fallbackModel", "requestedModel"];

/// The members whose inside is the user's, so that long numbers in it are replaced.
const FREE: [&str; 2] = ["input", "toolUseResult"];

/// The tags that clients put around texts.
const TAGS: &str = "
    system-reminder command-name command-message command-args command-contents local-command-stdout
    local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr tool_use_error persisted-output
    task-notification task-id status summary output-file result usage user-prompt-submit-hook user-memory-input
    session-start-hook teammate-message cross-session-message channel analysis ide_opened_file ide_selection
    ide_diagnostics new-diagnostics fork-boilerplate tick
";

/// Texts of clients and of the API, beside the fixed [`texts`], that readers look for.
const PHRASES: [&str; 11] = [
    "API Error",
    "Prompt is too long",
    "Credit balance is too low",
    "Invalid API key",
    "Request timed out",
    "Tool loaded.",
    "Request too large",
    "Image was too large",
    "PDF too large",
    "PDF is password protected",
    "The PDF file was not valid",
];

/// What an error of the API begins with, behind what a client says before.
const ERROR: &[u8] = b"API Error";

/// Words of such errors that say which media the API refused.
const REFUSALS: [&str; 13] = [
    "image",
    "pdf",
    "request too large",
    "request_too_large",
    "request was too large",
    "too large",
    "exceed",
    "could not process",
    "could not",
    "maximum of",
    "password",
    "not valid",
    "invalid",
];

struct Vocabulary {
    names: HashSet<&'static str>,
    of_words: HashSet<&'static str>,
    words: HashSet<&'static str>,
    of_models: HashSet<&'static str>,
    tags: Vec<Vec<char>>,
    phrases: Vec<Vec<char>>,
    /// Whether a tag or phrase begins with this character, of ASCII.
    begins: [bool; 128],
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut names: HashSet<_> = words::names().collect();
    let documents = Kind::ALL.map(members_of_kind);
    let blocks = Block::TYPES.iter().chain(&SERVER_RESULTS).map(|name| Block::members_of(name));
    let bodies = [Envelope::MEMBERS, UserBody::MEMBERS, AssistantBody::MEMBERS];
    documents.into_iter().chain(blocks).chain(bodies).for_each(|members| add_names(members, &mut names));
    let phrases = PHRASES.iter().chain(texts::TEXTS);
    let mut phrases: Vec<Vec<char>> = phrases.map(|phrase| phrase.chars().collect()).collect();
    // The longest that fits is kept.
    phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
    let mut begins = [false; 128];
    phrases.iter().filter_map(|phrase| phrase.first()).for_each(|first| begins[*first as usize & 127] = true);
    begins[b'<' as usize] = true;
    Vocabulary {
        names,
        of_words: OF_WORDS.split_whitespace().chain(words::names_of_words()).collect(),
        words: words::values().collect(),
        of_models: OF_MODELS.split_whitespace().collect(),
        tags: TAGS.split_whitespace().map(|tag| tag.chars().collect()).collect(),
        phrases,
        begins,
    }
});

fn add_names(members: &'static [Member], names: &mut HashSet<&'static str>) {
    for member in members {
        names.insert(member.name);
        let mut shape = &member.shape;
        while let Shape::List(element) = shape {
            shape = element;
        }
        if let Shape::Object(inside) = shape {
            add_names(inside, names);
        }
    }
}

/// Whether a member's name is one of the format. Counts are kept by the names of models.
pub(super) fn is_name(name: &str) -> bool {
    VOCABULARY.names.contains(name) || name.starts_with("claude-") && is_model(name)
}

/// Whether the value of a member is a word of the format.
pub(super) fn is_word(name: &str, value: &str) -> bool {
    VOCABULARY.of_words.contains(name)
        && (is_value(value) || value.split(':').all(is_value) || MODELS.contains(&name) && is_model(value))
}

/// How many bytes at the beginning of a value say its kind of media: those of `image/`, so that a picture of an unknown
/// type is known for one.
pub(super) fn kind_of_media(name: &str, value: &[u8]) -> usize {
    let rest = |kind: &&str| {
        let rest = value.strip_prefix(kind.as_bytes())?;
        rest.strip_prefix(b"\\").unwrap_or(rest).strip_prefix(b"/")
    };
    let rest = KINDS_OF_MEDIA.iter().find_map(rest).filter(|_| OF_MEDIA.contains(&name));
    rest.map_or(0, |rest| value.len() - rest.len())
}

fn is_value(value: &str) -> bool {
    VOCABULARY.words.contains(value)
}

/// Whether a text is the name of a model or version: its words are known, or of three letters at most.
fn is_model(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphabetic());
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:+[]@/".contains(&byte))
        && text.split(|letter: char| !letter.is_ascii_digit()).all(|digits| digits.len() <= 8)
        && words.all(|word| word.len() <= 3 || VOCABULARY.of_models.contains(word))
}

/// Whether a text is a word of the format, as a name or as a value.
pub(super) fn is_vocabulary(text: &[u8]) -> bool {
    text.len() <= 64 && std::str::from_utf8(text).is_ok_and(|text| is_name(text) || is_value(text))
}

/// Whether a quoted word is one of the format, where nobody knows whether it is a name or a value.
pub(super) fn is_quoted_word(text: &str) -> bool {
    is_name(text) || is_value(text)
}

/// Whether the numbers inside of a member are the user's: its name is not of the format, or it holds what a tool was
/// given or gave.
pub(super) fn is_free(name: Option<&str>) -> bool {
    name.is_some_and(|name| FREE.contains(&name) || !is_name(name))
}

/// Whether a text holds an error of the API.
pub(super) fn is_error(text: &[u8]) -> bool {
    memmem::find(text, ERROR).is_some()
}

/// How many characters the words have that begin here and say what the API refused.
pub(super) fn refusal_at(error: &[u8]) -> Option<usize> {
    let begins =
        |words: &&&str| error.get(..words.len()).is_some_and(|text| text.eq_ignore_ascii_case(words.as_bytes()));
    REFUSALS.iter().find(begins).map(|words| words.len())
}

/// How many characters the tag or phrase has that begins here.
pub(super) fn phrase_at(text: impl Iterator<Item = char> + Clone) -> Option<usize> {
    let first = text.clone().next().filter(|first| first.is_ascii())?;
    if !VOCABULARY.begins[first as usize] {
        return None;
    }
    let begins =
        |words: &[char], text: &mut dyn Iterator<Item = char>| words.iter().all(|&letter| text.next() == Some(letter));
    if first == '<' {
        let slash = usize::from(text.clone().nth(1) == Some('/'));
        let tag = VOCABULARY.tags.iter().find(|tag| {
            let mut rest = text.clone().skip(1 + slash);
            begins(tag, &mut rest) && matches!(rest.next(), Some('>' | ' ' | '\n'))
        });
        if let Some(tag) = tag {
            return Some(1 + slash + tag.len());
        }
    }
    let phrase = VOCABULARY.phrases.iter().find(|phrase| begins(phrase, &mut text.clone()));
    phrase.map(Vec::len)
}
