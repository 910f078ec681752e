//! The files of *subagents* beside a session.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnproof_reference::transcript::Transcript;
use walkdir::{DirEntry, WalkDir};

use crate::report::view::AgentFile;

/// So many files are read, and so many bytes of them all.
const FILES: usize = 40;
const BYTES: u64 = 32 << 20;

/// So many files are named.
const NAMED: usize = 1_000;

/// A note beside a file of more bytes is not read.
const NOTE: u64 = 64 << 10;

/// The subagents of a session: those below its folder, and those beside it that one of its results names. They come in
/// the order in which they began.
pub(super) fn beside(session: &Path, transcript: &Transcript) -> Vec<AgentFile> {
    let below = WalkDir::new(session.with_extension("").join("subagents")).sort_by_file_name();
    let below = below.into_iter().flatten().map(DirEntry::into_path).filter(|path| id(path).is_some());
    let named = named(transcript).into_iter().map(|agent| session.with_file_name(format!("agent-{agent}.jsonl")));
    let files = below.chain(named.filter(|path| path != session && path.is_file())).take(NAMED);
    let mut left = BYTES;
    let mut agents: Vec<(String, AgentFile)> =
        files.enumerate().filter_map(|(at, path)| read(&path, at < FILES, &mut left)).collect();
    agents.sort_by(|(one, _), (other, _)| one.cmp(other));
    agents.into_iter().map(|(_, agent)| agent).collect()
}

/// The id in the name of a subagent's file.
fn id(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.strip_prefix("agent-")?.strip_suffix(".jsonl")
}

/// The ids of subagents that results name, as far as they can be part of a file's name.
fn named(transcript: &Transcript) -> BTreeSet<String> {
    let agent = |record: turnproof_reference::transcript::Record<'_>| {
        let result = record.head.tool_use_result?;
        let result: Value = serde_json::from_slice(&record.bytes[result.start as usize..result.end as usize]).ok()?;
        Some(result.get("agentId")?.as_str()?.to_owned())
    };
    let is_plain = |id: &String| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    transcript.records().filter_map(agent).filter(is_plain).collect()
}

/// A subagent, and when it began.
fn read(path: &Path, is_read: bool, left: &mut u64) -> Option<(String, AgentFile)> {
    let bytes = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    let rest = left.checked_sub(bytes).filter(|_| is_read);
    let transcript = rest.and_then(|_| fs::read(path).ok()).map(Transcript::from_bytes);
    if transcript.is_some() {
        *left = rest.unwrap_or(*left);
    }
    let note = note(&path.with_extension("meta.json"));
    let of = |name: &str| note.get(name).and_then(Value::as_str).map(str::to_owned);
    let first = transcript.as_ref().and_then(|transcript| {
        transcript.records().find_map(|record| Some(record.text(record.head.time?).into_owned()))
    });
    let agent = AgentFile {
        name: path.display().to_string(),
        id: id(path)?.to_owned(),
        kind: of("agentType"),
        description: of("description"),
        call: of("toolUseId"),
        transcript,
    };
    // What has no time comes last.
    Some((first.unwrap_or_else(|| "\u{10FFFF}".to_owned()), agent))
}

/// What the client noted beside a subagent's file.
fn note(path: &PathBuf) -> Value {
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= NOTE);
    let text = is_small.then(|| fs::read(path).ok()).flatten().unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or(Value::Null)
}
