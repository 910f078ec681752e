//! `turnproof find`: where a session lies, and how to open it.

use std::env;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::check::{Class, Summary, TranscriptFile, quoted, session_id, summarize, verdict_of_file};
use crate::report::{json_line, size};

use super::progress::Progress;
use super::sessions::Sessions;
use super::streams::Format;
use super::{Exit, Failure, stdout};

/// Find a session by its id or by words in it, and say how to open it
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof find 5e55a001-0000-4000-8000-000000000001     where a session with this id lies
  turnproof find 5e55a001                                 its beginning is enough
  turnproof find c0de0001-0000-4000-8000-000000000001     the session that holds a message with this id
  turnproof find 'rename the parser'                      sessions that hold these words
  turnproof find parser ~/backup/projects                 in another folder
  turnproof find --format json parser                     for programs

The client opens a session only in the directory in which it was written, and only from the folder that has the name \
of that directory. That is why it says `No conversation found with session ID` of a session that is there. What you \
look for is an id if it has only digits, letters a to f and hyphens, and 8 characters or more. Where no file is named \
by it, the records are searched: it may be the id of a message, or the file was renamed. The exit code is 1 if nothing \
is found.")]
pub(super) struct Arguments {
    /// The id of a session or a subagent, its beginning, or words
    #[arg(value_name = "ID|TEXT")]
    wanted: String,
    /// Where to look [default: ~/.claude/projects]
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// How to print; as JSON, a line for each session
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => projects().ok_or_else(|| Failure::Usage("there is no home folder; name a folder".into()))?,
    };
    if !folder.exists() {
        return Err(Failure::Usage(format!("there is no {}; name the folder that has the sessions", folder.display())));
    }
    let sessions = Sessions::of(std::slice::from_ref(&folder));
    let found = found(&sessions.inputs, &arguments.wanted);
    let mut out = stdout();
    match arguments.format {
        Format::Json => found.iter().try_for_each(|summary| json_line(&mut out, summary))?,
        Format::Human => found.iter().try_for_each(|summary| out.write_all(page(summary, &found).as_bytes()))?,
    }
    out.flush()?;
    if !found.is_empty() {
        return Ok(Exit::Held);
    }
    let all = size(sessions.inputs.len() as u64, "session");
    eprintln!("turnproof: `{}` is in none of {all} in {}", arguments.wanted, folder.display());
    Ok(Exit::Broken)
}

/// The folder in which the client keeps its sessions.
fn projects() -> Option<PathBuf> {
    let configured = env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from);
    let home =
        || env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).map(|home| PathBuf::from(home).join(".claude"));
    Some(configured.or_else(home)?.join("projects"))
}

/// The sessions that are wanted, those with the most messages first. An id that no file is named by may be that of a
/// message, or of a session whose file was renamed: it is looked for in the records.
fn found(inputs: &[TranscriptFile], wanted: &str) -> Vec<Summary> {
    let named = if is_id(wanted) { all_with(inputs, wanted, true) } else { Vec::new() };
    if named.is_empty() { all_with(inputs, wanted, false) } else { named }
}

fn all_with(inputs: &[TranscriptFile], wanted: &str, by_id: bool) -> Vec<Summary> {
    let progress = Progress::new(inputs.iter().map(|input| input.size).sum());
    let mut found = Vec::new();
    for input in inputs {
        progress.add(input.size);
        let has_name = || {
            input.name.rsplit(['/', '\\']).next().is_some_and(|name| {
                name.starts_with(wanted) || name.strip_prefix("agent-").is_some_and(|name| name.starts_with(wanted))
            })
        };
        if by_id && !has_name() {
            continue;
        }
        match summarize(input, (!by_id).then_some(wanted)) {
            Ok(summary) if by_id || summary.line.is_some() => found.push(summary),
            Ok(_) => {}
            Err(error) => progress.suspend(|| eprintln!("turnproof: cannot read {}: {error}", input.name)),
        }
    }
    progress.finish();
    found.sort_by(|one, other| other.messages.cmp(&one.messages).then_with(|| one.path.cmp(&other.path)));
    found
}

fn is_id(wanted: &str) -> bool {
    wanted.len() >= 8 && wanted.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// What is said of a session among those that were found.
fn page(summary: &Summary, found: &[Summary]) -> String {
    let mut page = format!("{}\n", summary.path);
    let mut say = |label: &str, words: &str| page.push_str(&format!("  {label:<10}{words}\n"));
    if let Some(prompt) = &summary.prompt {
        say("begins", prompt);
    }
    let newest = summary.newest.as_ref().map(|newest| format!(", the newest record of {newest}")).unwrap_or_default();
    say("holds", &format!("{}{newest}", size(summary.messages, "message")));
    if let Some(line) = summary.line {
        say("line", &line.to_string());
    }
    let others = found.iter().filter(|other| other.id == summary.id && other.messages > summary.messages).count();
    if others > 0 {
        say("beside", "another file with this id holds more; this one is a stub or an older copy");
    }
    if let Some(id) = &summary.continued_in {
        say("goes on", &format!("in the session {id}: turnproof find {id}"));
    }
    if let Some(class) = broken(summary) {
        let path = quoted(&summary.path);
        say("broken", &format!("{}: `turnproof check {path}` says why", class.name()));
        say("", &format!("turnproof repair {path}"));
    }
    match (&summary.cwd, is_agent(summary)) {
        (_, true) => say("open", "it is a subagent's; open the session whose folder it lies in"),
        _ if summary.messages == 0 => say("open", "there is nothing to open: it holds no message"),
        // The client opens a file by its path too.
        _ if session_id(Path::new(&summary.path)).is_none() => {
            say("open", &format!("claude --resume {}", quoted(&summary.path)))
        }
        (None, _) => say("open", &format!("claude --resume {}", summary.id)),
        (Some(cwd), _) => {
            say("open", &format!("cd {} && claude --resume {}", quoted(cwd), summary.id));
            if !summary.is_in_place {
                let folder = summary.folder().unwrap_or_default();
                say(
                    "but",
                    &format!(
                        "the client looks for it in the folder {folder}: move it there, or to where you work with"
                    ),
                );
                say("", &format!("turnproof repair --move-to DIRECTORY -o FILE {}", quoted(&summary.path)));
            }
        }
    }
    page
}

/// What a session is, where something should be done about it.
fn broken(summary: &Summary) -> Option<Class> {
    let verdict = File::open(&summary.path).and_then(verdict_of_file).ok()?;
    Some(verdict.class).filter(|class| class.is_broken())
}

fn is_agent(summary: &Summary) -> bool {
    summary.id.starts_with("agent-")
}
