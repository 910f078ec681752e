//! *Results* that are larger than asked for keep their beginning and their end.

use std::ops::Range;

use crate::json::Raw;
use crate::repair::edit;
use crate::repair::file::File;
use crate::repair::quoted;

const OPTION: &str = "--shrink-results";

pub(super) fn fix(file: &mut File, most: usize) {
    let rows = file.rows.stored().rows.clone();
    for row in rows {
        let mut texts = texts(&file.rows[row].bytes);
        texts.sort_by_key(|place| std::cmp::Reverse(place.start));
        for place in texts {
            let token = String::from_utf8_lossy(&file.rows[row].bytes[place.clone()]).into_owned();
            let Some(text) = Raw::from_json(token).ok().and_then(|raw| raw.text()) else { continue };
            if let Some(short) = shortened(text.as_str(), most) {
                let what = format!("of the {} bytes of a result {} are left", text.as_str().len(), short.len());
                file.edit(row, place, quoted(&short).as_bytes(), OPTION, what);
            }
        }
    }
}

/// Where the texts of a record's results are.
fn texts(record: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for block in listed(record, edit::of_message(record, "content")) {
        if !is_of_type(&record[block.clone()], b"\"tool_result\"") {
            continue;
        }
        let content = edit::member(&record[block.clone()], "content");
        let Some(content) = content.map(|range| block.start + range.start..block.start + range.end) else { continue };
        if record[content.start] == b'"' {
            found.push(content);
            continue;
        }
        for part in listed(record, Some(content)) {
            let text =
                edit::member(&record[part.clone()], "text").filter(|_| is_of_type(&record[part.clone()], b"\"text\""));
            found.extend(text.map(|range| part.start + range.start..part.start + range.end));
        }
    }
    found
}

/// Where the elements of a list are in a record.
fn listed(record: &[u8], list: Option<Range<usize>>) -> Vec<Range<usize>> {
    let Some(list) = list else { return Vec::new() };
    let elements = edit::elements(&record[list.clone()]).unwrap_or_default();
    elements.into_iter().map(|range| list.start + range.start..list.start + range.end).collect()
}

fn is_of_type(block: &[u8], name: &[u8]) -> bool {
    block.starts_with(b"{") && edit::member(block, "type").is_some_and(|range| &block[range] == name)
}

/// The beginning and the end of a text that is too long, and between them how much is left out.
fn shortened(text: &str, most: usize) -> Option<String> {
    if text.len() <= most {
        return None;
    }
    let note = |left: usize| format!("\n[{} bytes left out]\n", text.len() - left);
    let room = most.saturating_sub(note(0).len());
    let head = text.floor_char_boundary(room - room / 2);
    let tail = text.ceil_char_boundary(text.len() - room / 2);
    let short = format!("{}{}{}", &text[..head], note(head + text.len() - tail), &text[tail..]);
    Some(short).filter(|short| short.len() < text.len())
}
