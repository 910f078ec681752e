//! The *words* of an error, without what differs each time: numbers, quotes, signs between words.

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Word(Word),
    /// Any number of words.
    Any,
}

/// A word in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// Whether it is a later step of a path such as `messages.3.content`.
    is_step: bool,
}

/// The pieces of a template.
pub(super) fn pieces(template: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = template;
    let mut before = ' ';
    while let Some((text, name, after)) = next_placeholder(rest) {
        pieces.extend(words_after(before, text).into_iter().map(Piece::Word));
        if name != "n" {
            pieces.push(Piece::Any);
        }
        (rest, before) = (after, '}');
    }
    pieces.extend(words_after(before, rest).into_iter().map(Piece::Word));
    pieces
}

/// The text before the first placeholder, its name, and what follows.
fn next_placeholder(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find('{')?;
        let end = start + text.get(start..)?.find('}')?;
        let name = text.get(start + 1..end)?;
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Some((text.get(..start)?, name, text.get(end + 1..)?));
        }
        from = start + 1;
    }
}

/// The last message in a body, at any depth of JSON in JSON; the text itself where there is none.
pub(super) fn message(text: &str) -> &str {
    let after = |(at, name): (usize, &str)| text.get(at + name.len()..).and_then(quoted_value);
    text.rmatch_indices("message").find_map(after).unwrap_or(text)
}

/// The string that is the value of a key whose closing quote begins the text. Quotes may be escaped.
fn quoted_value(text: &str) -> Option<&str> {
    let value = text.trim_start_matches('\\').strip_prefix(['"', '\''])?.trim_start().strip_prefix(':')?.trim_start();
    let slashes = value.len() - value.trim_start_matches('\\').len();
    let quote = value.get(slashes..)?.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    let (opening, inner) = value.split_at_checked(slashes + quote.len_utf8())?;
    let mut ends = inner.match_indices(opening).map(|(at, _)| at);
    let end = ends.find(|&at| inner.get(..at).is_some_and(|before| !before.ends_with('\\')));
    inner.get(..end.unwrap_or(inner.len()))
}

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word> {
    words_after(' ', text)
}

fn words_after(before: char, text: &str) -> Vec<Word> {
    let (mut words, mut before) = (Vec::new(), before);
    let mut chars = text.chars().peekable();
    while let Some(&first) = chars.peek() {
        if is_of_word(first) {
            let mut word = String::new();
            while let Some(char) = chars.next_if(|&char| is_of_word(char)) {
                word.extend(char.to_lowercase());
                // Texts lose apostrophes in the quotes of a shell.
                if chars.clone().nth(1).is_some_and(char::is_alphabetic) {
                    chars.next_if(|char| matches!(char, '\'' | '\u{2019}'));
                }
            }
            if !word.bytes().all(|byte| byte.is_ascii_digit()) {
                words.push(Word { text: word, is_step: before == '.' });
            }
            before = 'a';
            continue;
        }
        chars.next();
        match first {
            // An escape of JSON: what follows belongs to it.
            '\\' => {
                let is_hex = chars.next_if_eq(&'u').is_some();
                for _ in 0..if is_hex { 4 } else { 0 } {
                    chars.next_if(char::is_ascii_hexdigit);
                }
                chars.next_if(|char| !is_hex && "nrtbf".contains(*char));
            }
            // A colour of a terminal.
            '\u{1b}' => {
                while chars.next_if(|char| !char.is_ascii_alphabetic()).is_some() {}
                chars.next();
            }
            _ => {}
        }
        before = first;
    }
    words
}

fn is_of_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
