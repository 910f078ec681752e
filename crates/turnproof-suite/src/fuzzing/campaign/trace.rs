//! A *trace* is what a program wrote to standard error when it died: where, and by which error. It distinguishes
//! crashes that end with the same exit code.

/// The most characters of an error: one may hold the whole input.
const LONGEST: usize = 80;

/// Where a program died and by which error, if it says so; the same for each input that it dies of in this way.
pub(super) fn trace(said: &str) -> Option<String> {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let error = lines.iter().rev().find(|line| is_error(line)).or(lines.last())?;
    // Python names the innermost place last, others first.
    let place = lines
        .iter()
        .rfind(|line| line.starts_with("File \""))
        .or_else(|| lines.iter().find(|line| line.starts_with("at ") || line.contains("panicked at ")));
    let error: String = words(error).chars().take(LONGEST).collect();
    Some(match place {
        Some(place) => format!("{error}, {}", without_folders(place)),
        None => error,
    })
}

/// Whether a line begins with the name of an error.
fn is_error(line: &str) -> bool {
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
    is_name && ["Error", "Exception", "Interrupt", "Exit"].iter().any(|ending| name.ends_with(ending))
}

/// A place without the folders of its file, which are other ones on each machine.
fn without_folders(place: &str) -> String {
    let word = |word: &str| match word.rsplit_once('/') {
        Some((before, name)) => {
            let mark: String = before.chars().take_while(|letter| matches!(letter, '"' | '(')).collect();
            format!("{mark}{name}")
        }
        None => word.to_owned(),
    };
    place.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// The words of a program's error that do not depend on the input: its first line up to the first colon, with `#` for
/// each number. Where there is no colon, text between backquotes or after a semicolon is left out.
pub(super) fn words(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    match line.split_once(": ") {
        Some((words, _)) => without_numbers(words),
        None => without_numbers(&without_quotes(line.split("; ").next().unwrap_or_default())),
    }
}

fn without_quotes(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "…" });
    parts.collect::<Vec<_>>().join("`")
}

/// The text with `#` for each number that is a word of its own; `utf8` does not change.
fn without_numbers(text: &str) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        result.push_str(if word.bytes().all(|byte| byte.is_ascii_digit()) { "#" } else { word });
        rest = after;
    }
    result
}
