//! Blocks that are given up become *texts* in their place.

use std::collections::HashMap;
use std::ops::Range;

use turnproof_format::{MCP_CALL, SERVER_CALL, SERVER_RESULTS};

use super::Dropped;
use crate::json::{Fields, Raw};
use crate::repair::edit;
use crate::repair::file::File;
use crate::repair::quoted;

const OPTION: &str = "--drop";

/// Members on the way to a block that is sent.
const ON_THE_WAY: [&str; 6] = ["message", "content", "attachment", "prompt", "rendered", "tool_references"];

/// What becomes of a block.
enum Becomes {
    /// A block of text.
    Text(String),
    /// An attachment's text, whose name of the file stays.
    TextOfFile(String),
    Nothing,
}

/// A block that is dropped.
struct Found {
    place: Range<usize>,
    becomes: Becomes,
}

pub(super) fn fix(file: &mut File, dropped: &Dropped) {
    let transcript = file.rows.transcript();
    let rows = file.rows.stored().rows.clone();
    let mut of_calls = HashMap::new();
    if let Dropped::ServerTools(_) = dropped {
        for &row in &rows {
            note_calls(transcript.record(row).bytes, &mut of_calls);
        }
    }
    for row in rows {
        let mut found = Vec::new();
        let bytes = transcript.record(row).bytes;
        walk(
            bytes,
            0..bytes.len(),
            &mut |block, is_reference| becomes(dropped, block, is_reference, &of_calls),
            &mut found,
        );
        found.sort_by_key(|found| std::cmp::Reverse(found.place.start));
        for Found { place, becomes } in found {
            match becomes {
                Becomes::Text(text) => {
                    let block = format!(r#"{{"type":"text","text":{}}}"#, quoted(&text));
                    file.edit(row, place, block.as_bytes(), OPTION, format!("`{text}` stands for the block"));
                }
                Becomes::TextOfFile(text) => {
                    let lines = r#""numLines":1,"startLine":1,"totalLines":1"#;
                    let block =
                        format!(r#"{{"type":"text","file":{{"filePath":"","content":{},{lines}}}}}"#, quoted(&text));
                    file.edit(row, place, block.as_bytes(), OPTION, format!("`{text}` stands for the file"));
                }
                Becomes::Nothing => file.take(row, place, OPTION, "without the reference to a tool".to_owned()),
            }
        }
    }
}

/// Notes the names of the server tools that a record calls, by the ids of the calls.
fn note_calls(record: &[u8], names: &mut HashMap<String, String>) {
    let mut note = |block: &Fields, _: bool| {
        let is_call = block.text("type").is_some_and(|name| [SERVER_CALL, MCP_CALL].contains(&name.as_str()));
        if let (true, Some(id), Some(name)) = (is_call, block.text("id"), block.text("name")) {
            names.insert(id.as_str().to_owned(), name.as_str().to_owned());
        }
        None
    };
    walk(record, 0..record.len(), &mut note, &mut Vec::new());
}

/// Finds the blocks that become something else: what `decide` says of a block, and of a reference in a list of them.
fn walk(
    record: &[u8],
    place: Range<usize>,
    decide: &mut impl FnMut(&Fields, bool) -> Option<Becomes>,
    found: &mut Vec<Found>,
) {
    let mut left = vec![(place, false)];
    while let Some((place, is_reference)) = left.pop() {
        let value = &record[place.clone()];
        let within = |range: Range<usize>| place.start + range.start..place.start + range.end;
        if let Some(elements) = edit::elements(value) {
            left.extend(elements.into_iter().map(|range| (within(range), is_reference)));
            continue;
        }
        if !value.starts_with(b"{") {
            continue;
        }
        let fields = Raw::from_bytes(value).ok().and_then(|raw| Fields::from_raw(&raw).ok());
        if place.start > 0
            && let Some(becomes) = fields.and_then(|fields| decide(&fields, is_reference))
        {
            found.push(Found { place, becomes });
            continue;
        }
        for name in ON_THE_WAY {
            left.extend(edit::member(value, name).map(|range| (within(range), name == "tool_references")));
        }
    }
}

fn becomes(
    dropped: &Dropped,
    block: &Fields,
    is_reference: bool,
    of_calls: &HashMap<String, String>,
) -> Option<Becomes> {
    let type_name = block.text("type")?;
    let type_name = type_name.as_str();
    let text = |member: &str| block.text(member).map(|text| text.as_str().to_owned());
    let said = |what: &str| Some(Becomes::Text(format!("[{what} dropped]")));
    match dropped {
        Dropped::Media if !["image", "document", "pdf"].contains(&type_name) => None,
        Dropped::Media if block.get("source").is_some() => said(type_name),
        Dropped::Media if block.get("file").is_some() => Some(Becomes::TextOfFile(format!("[{type_name} dropped]"))),
        Dropped::Media => None,
        Dropped::Thinking if ["thinking", "redacted_thinking"].contains(&type_name) => said("thinking"),
        Dropped::Thinking => None,
        Dropped::ServerTools(wanted) => {
            let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
            if [SERVER_CALL, MCP_CALL].contains(&type_name) {
                let name = text("name").unwrap_or_default();
                return is_wanted(&name).then(|| said(&format!("call of {name}")))?;
            }
            let is_result = SERVER_RESULTS.contains(&type_name)
                || type_name.ends_with("_tool_result") && block.get("tool_use_id").is_some();
            let of_type = type_name.trim_end_matches("_tool_result");
            let name = text("tool_use_id").and_then(|id| of_calls.get(&id).cloned());
            let name = name.unwrap_or_else(|| of_type.to_owned());
            (is_result && (is_wanted(&name) || is_wanted(of_type))).then(|| said(&format!("result of {name}")))?
        }
        Dropped::References(wanted) => {
            let name = text("tool_name").filter(|_| type_name == "tool_reference")?;
            let is_wanted = wanted.as_ref().is_none_or(|wanted| *wanted == name);
            match is_reference {
                true => is_wanted.then_some(Becomes::Nothing),
                false => is_wanted.then(|| said(&format!("reference to the tool {name}")))?,
            }
        }
    }
}
