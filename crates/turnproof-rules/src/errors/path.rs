//! The *path* in an error: which turn, block or tool it is about.

/// What an error points to. All indexes count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorPath {
    /// The list of the body: `messages`, `system` or `tools`.
    pub list: &'static str,
    /// The element of the list.
    pub index: usize,
    /// The block of a turn.
    pub block: Option<usize>,
    /// The part of a result.
    pub part: Option<usize>,
}

/// The first path in a text: `messages.3.content.1`, `messages[3].content[1]` or `messages/3/content/1`.
pub fn path_in(text: &str) -> Option<ErrorPath> {
    let lists = ["messages", "system", "tools"];
    let found = lists.iter().flat_map(|list| text.match_indices(list));
    let mut found: Vec<(usize, &str)> = found.collect();
    found.sort_unstable();
    found.into_iter().find_map(|(at, name)| {
        let before = text.get(..at)?.chars().next_back();
        if before.is_some_and(|char| char.is_alphanumeric() || "_/.".contains(char) && !text[..at].ends_with("#/")) {
            return None;
        }
        let list = lists.into_iter().find(|list| *list == name)?;
        let mut steps = text.get(at + name.len()..)?;
        let index = number(&mut steps)?;
        let mut inner = || content(list, &mut steps);
        let block = inner();
        let part = block.and_then(|_| inner());
        Some(ErrorPath { list, index, block, part })
    })
}

/// The first id of a call in the text of an error.
///
/// ```
/// use turnproof_rules::errors::call_in;
///
/// assert_eq!(call_in("found without `tool_result` blocks: toolu_01A."), Some("toolu_01A"));
/// ```
pub fn call_in(text: &str) -> Option<&str> {
    let is_of_word = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
    let is_call = |word: &&str| {
        turnproof_format::ID_PREFIXES.iter().any(|(_, prefix)| word.starts_with(prefix) && word.len() > prefix.len())
    };
    text.split(|char| !is_of_word(char)).find(is_call)
}

/// The number after `content`, which a step such as `tool_result` may stand before.
fn content(list: &str, steps: &mut &str) -> Option<usize> {
    let mut rest = steps.trim_start_matches(is_sign);
    let word = rest.split(|char: char| !char.is_alphanumeric() && char != '_').next()?;
    if word != "content" {
        rest = rest.strip_prefix("tool_result")?.trim_start_matches(is_sign);
    }
    rest = rest.strip_prefix("content").filter(|_| list == "messages")?;
    let index = number(&mut rest)?;
    *steps = rest;
    Some(index)
}

/// The number that follows a sign, such as `.3` or `[3]`.
fn number(steps: &mut &str) -> Option<usize> {
    let rest = steps.strip_prefix(['.', '[', '/'])?;
    let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, rest) = rest.split_at_checked(end)?;
    *steps = rest;
    digits.parse().ok()
}

fn is_sign(char: char) -> bool {
    matches!(char, '.' | '[' | ']' | '/')
}
