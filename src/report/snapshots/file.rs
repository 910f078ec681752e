//! The *file* of a snapshot: a head between two lines of `---`, then the text.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use turnproof_rules::operation::Operation;

use super::{Conversation, Fate, SnapshotError, Update};

/// The text of a snapshot; `None` when there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, SnapshotError> {
    match fs::read_to_string(path) {
        Ok(file) => {
            let file = file.replace("\r\n", "\n");
            let text = file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).map(|(_, text)| text);
            Ok(Some(text.unwrap_or(&file).to_owned()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SnapshotError { path: path.to_owned(), error }),
    }
}

/// Writes what is to be reviewed or is accepted. Of what is as reviewed, nothing is left to review.
pub(super) fn put(
    path: &Path,
    fate: Fate,
    update: Update,
    operation: Operation,
    conversation: &Conversation,
    now: &str,
) -> Result<(), SnapshotError> {
    let beside = path.with_extension("snap.new");
    let gone = || match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    let text = || {
        let source = serde_json::to_string(&conversation.source).unwrap_or_default();
        format!("---\nsource: {source}\nexpression: {}\n---\n{now}\n", operation.name())
    };
    let write = |path: &Path| -> io::Result<()> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text())
    };
    let done = match fate {
        Fate::New | Fate::Changed if update != Update::No => write(&beside),
        Fate::Accepted => write(path).and_then(|()| gone()),
        Fate::Same => gone(),
        _ => Ok(()),
    };
    done.map_err(|error| SnapshotError { path: path.to_owned(), error })
}

/// JSON on several lines; each name, text and number as it is written.
pub(super) fn pretty(json: &str) -> String {
    let (mut text, mut depth, mut is_string, mut is_escaped) = (String::new(), 0_usize, false, false);
    let mut characters = json.trim().chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            _ if is_string => {
                is_string = character != '"' || is_escaped;
                is_escaped = character == '\\' && !is_escaped;
                text.push(character);
            }
            '{' | '[' => {
                while characters.next_if(|next| next.is_ascii_whitespace()).is_some() {}
                text.push(character);
                match characters.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => text.push(end),
                    None => {
                        depth += 1;
                        new_line(&mut text, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut text, depth);
                text.push(character);
            }
            ',' => {
                text.push(character);
                new_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ if character.is_ascii_whitespace() => {}
            _ => {
                is_string = character == '"';
                text.push(character);
            }
        }
    }
    text
}

fn new_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
}
