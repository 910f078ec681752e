//! A *trace* is what a program wrote to standard error when it died: where, and by which error. It tells crashes apart
//! that end with the same exit code.

use super::super::broken::words;

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

/// What a crash is without the values of the input: a line that was printed, indexes, and quoted values.
pub(super) fn kind_of_crash(how: &str) -> String {
    const NO_ANSWER: &str = "it printed a line that is no answer";
    if how.starts_with(NO_ANSWER) {
        return NO_ANSWER.to_owned();
    }
    let mut kind = String::new();
    // Of an output of another shape, the path comes first.
    for (index, part) in how.split('`').enumerate() {
        match index {
            0 => kind.push_str(part),
            1 => kind.push_str(&format!("`{}`", without_indexes(part))),
            _ if index % 2 == 1 => kind.push_str("`…`"),
            _ => kind.extend(part.split('"').step_by(2)),
        }
    }
    kind
}

/// A path with `#` for each number in brackets.
fn without_indexes(path: &str) -> String {
    let part = |part: &str| match part.split_once(']') {
        Some((_, rest)) => format!("[#]{rest}"),
        None => format!("[{part}"),
    };
    let mut parts = path.split('[');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |path, next| path + &part(next))
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
