//! The *model* is a second, slow and simple way to count what replies cost: it gathers all lines of each reply first,
//! and looks at them as often as it likes.

use std::collections::BTreeMap;

use crate::json::Tree;
use crate::operation::UsageRow;
use crate::rules::wire::model::records;

/// The members of usage that are counted, in the order of [`Tokens`].
pub(super) const COUNTED: [&str; 4] =
    ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/// Tokens by their sort.
pub(super) type Tokens = [u64; COUNTED.len()];

/// A line of a reply.
#[derive(Debug)]
struct CountedLine {
    file: usize,
    session: Option<String>,
    model: Option<String>,
    is_sidechain: bool,
    is_copy: bool,
    tokens: [Option<u64>; COUNTED.len()],
}

/// A reply, as it is counted.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) session: Option<String>,
    pub(super) model: Option<String>,
    pub(super) is_sidechain: bool,
    pub(super) is_unknown: bool,
    pub(super) tokens: Tokens,
    /// What each line of it says, one after the other.
    pub(super) of_each_line: Vec<Tokens>,
}

/// What makes lines lines of one reply.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Reply {
        id: String,
        request: Option<String>,
    },
    Uuid(String),
    /// The line has no name: its file, and its first byte.
    Alone(usize, usize),
}

/// The replies of some files.
pub(super) fn replies(files: &[Vec<u8>]) -> Vec<Reply> {
    let mut replies: BTreeMap<Name, Vec<CountedLine>> = BTreeMap::new();
    for (file, bytes) in files.iter().enumerate() {
        for (_, start, _, tree) in records(bytes) {
            if let Some(line) = line(file, &tree) {
                replies.entry(name(file, start, &tree)).or_default().push(line);
            }
        }
    }
    replies.into_values().map(|lines| reply(&lines)).collect()
}

fn string(object: Option<&Tree<'_>>, member: &str) -> Option<String> {
    object?.member(member)?.text().map(std::borrow::Cow::into_owned)
}

fn name(file: usize, start: usize, record: &Tree<'_>) -> Name {
    match string(record.member("message"), "id").filter(|id| !id.is_empty()) {
        Some(id) => Name::Reply { id, request: string(Some(record), "requestId") },
        None => string(Some(record), "uuid").map_or(Name::Alone(file, start), Name::Uuid),
    }
}

/// The line that a record is, if a model wrote it.
fn line(file: usize, record: &Tree<'_>) -> Option<CountedLine> {
    record.member("type").filter(|kind| kind.says("assistant"))?;
    let message = record.member("message");
    let model = string(message, "model");
    let is_object = |usage: &&Tree<'_>| matches!(usage, Tree::Object(_));
    let usage = message.and_then(|message| message.member("usage")).filter(is_object);
    let usage = usage.or_else(|| record.member("usage").filter(is_object));
    let tokens = COUNTED.map(|member| whole_number(usage?.member(member)?));
    let is_sidechain = record.member("isSidechain") == Some(&Tree::Boolean(true));
    (model.as_deref() != Some("<synthetic>")).then(|| CountedLine {
        file,
        session: string(Some(record), "sessionId"),
        model,
        is_sidechain,
        is_copy: matches!(record.member("forkedFrom"), Some(Tree::Object(_))),
        tokens,
    })
}

/// A number that is whole, not negative, and so small that a double holds it exactly.
fn whole_number(value: &Tree<'_>) -> Option<u64> {
    let Tree::Number(digits) = value else { return None };
    let double: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    let is_whole = double.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&double);
    is_whole.then_some(double as u64)
}

fn reply(lines: &[CountedLine]) -> Reply {
    let head = lines.iter().find(|line| !line.is_copy).unwrap_or(&lines[0]);
    let mut known = [None; COUNTED.len()];
    for (sort, known) in known.iter_mut().enumerate() {
        // The last line of each file that has the number, and the greatest of those.
        let in_file = |file| lines.iter().rev().filter(|line| line.file == file).find_map(|line| line.tokens[sort]);
        *known = lines.iter().filter_map(|line| in_file(line.file)).max();
    }
    Reply {
        session: head.session.clone(),
        model: head.model.clone(),
        is_sidechain: lines.iter().all(|line| line.is_sidechain),
        is_unknown: known.iter().all(Option::is_none),
        tokens: known.map(Option::unwrap_or_default),
        of_each_line: lines.iter().map(|line| line.tokens.map(Option::unwrap_or_default)).collect(),
    }
}

/// The tokens of rows or replies, sort by sort.
pub(super) fn sum(all: impl Iterator<Item = Tokens>) -> Tokens {
    all.fold([0; COUNTED.len()], |sum, tokens| std::array::from_fn(|sort| sum[sort].saturating_add(tokens[sort])))
}

/// The tokens of a row.
pub(super) fn tokens(row: &UsageRow) -> Tokens {
    [row.input_tokens, row.output_tokens, row.cache_creation_input_tokens, row.cache_read_input_tokens]
}
