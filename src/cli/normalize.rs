//! `turnproof normalize`: turn the messages of a session into a request, or into what a UI or a bridge shows.

mod noted;
mod source;

use std::io::{self, BufWriter, Stdout, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use self::noted::Noted;
use self::source::{Source, Taken};
use super::sessions::InMemory;
use super::streams::Format;
use super::values::host;
use super::{Exit, Failure, columns, stdout};
use crate::report::{json_line, normalization};
use turnproof_reference::message::{Block, Event, Message};
use turnproof_reference::normalize::api::{Options, Turn, normalize_for_api, normalize_traced, to_json};
use turnproof_reference::normalize::client::{ClientOptions, normalize_as_client};
use turnproof_reference::normalize::estimate_block_tokens;
use turnproof_reference::normalize::ui::{
    bridge_view, collapse_read_search, group_tool_uses, normalize_for_ui, reorder_for_ui,
};
use turnproof_rules::operation::Host;

/// Turn the messages of a session into a request, or into what a UI or a bridge shows
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof normalize --for api session.jsonl                    the request, a turn a line
  turnproof normalize --for api --in-file-order session.jsonl    of all records, branches and all
  turnproof normalize --for api --trace session.jsonl >/dev/null what each stage did to each message
  turnproof normalize --for api --estimate session.jsonl >/dev/null about how many tokens the request has
  turnproof normalize --for api --as-client --prompt go session.jsonl  what the client sends when it resumes
  turnproof normalize --for api --whole session.jsonl | turnproof check --request -
  turnproof normalize --for ui session.jsonl | jq '.[].uuid'     the ids that a UI derives
  turnproof normalize --for ui --fold session.jsonl              runs of tool calls, each as one group
  turnproof normalize --for bridge session.jsonl                 what another UI gets: no meta, no groups
  turnproof normalize --for api session.jsonl | turnproof check --request -

FILE is a transcript, or messages alone. Of a transcript the conversation is taken that `turnproof resume` finds; \
all messages in file order, if it finds none. Messages alone are taken as they stand: a JSON array, or one a line \
with no parentUuid that names another record. The result is a JSON array on standard output. Standard error says \
how many messages of how many were taken, and has the trace, the estimate and what cannot be read.")]
pub(super) struct Arguments {
    /// A transcript, or messages as a JSON array or one a line; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Whom the result is for
    #[arg(long = "for", value_enum, value_name = "WHOM")]
    for_whom: Whom,
    /// The host that the request is for
    #[arg(long, default_value = "portable", value_parser = host())]
    profile: Host,
    /// Project context that goes in front of the first user message
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// A tool that the request offers; may be given several times. If given, server calls and tool
    /// references that need another tool go
    #[arg(long = "tool", value_name = "NAME")]
    tools: Vec<String>,
    /// Show what the client 2.1.332 itself sends of a session, to compare (`--for api`)
    #[arg(long, conflicts_with_all = ["trace", "context"])]
    as_client: bool,
    /// The model that the request asks; newer models get reminders as turns of `system` (`--as-client`)
    #[arg(long, value_name = "NAME", requires = "as_client")]
    model: Option<String>,
    /// The prompt with which the session is resumed (`--as-client`)
    #[arg(long, value_name = "TEXT", requires = "as_client")]
    prompt: Option<String>,
    /// Print a whole body: with the system prompt, the tools and the parameters of the last request that the session
    /// notes (`--for api`)
    #[arg(long, conflicts_with = "trace")]
    whole: bool,
    /// Print on standard error, message by message, which stage did what
    #[arg(long)]
    trace: bool,
    /// Print on standard error about how many tokens the request has, made from lengths alone (`--for api`)
    #[arg(long)]
    estimate: bool,
    /// Fold calls that only read or search, then calls of one tool in one reply, into groups (`--for ui`)
    #[arg(long)]
    fold: bool,
    /// Take all messages of a transcript in file order, and not its conversation
    #[arg(long)]
    in_file_order: bool,
    /// Do not print on standard error how many messages were taken
    #[arg(long, short)]
    quiet: bool,
    /// How to print on standard error what was taken, and the trace; as JSON, a line for each stage
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    memory: InMemory,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whom {
    /// The Messages API: turns of `{role, content}`
    Api,
    /// A UI: one message a block, each call followed by its hooks and results
    Ui,
    /// A bridge to another UI: the messages without meta messages, groups unfolded
    Bridge,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if arguments.estimate && arguments.for_whom != Whom::Api {
        return Err(Failure::Usage("`--estimate` counts a request; use it with `--for api`".into()));
    }
    if (arguments.as_client || arguments.whole) && arguments.for_whom != Whom::Api {
        return Err(Failure::Usage("`--as-client` and `--whole` make a request; use them with `--for api`".into()));
    }
    if arguments.fold && arguments.for_whom != Whom::Ui {
        return Err(Failure::Usage("`--fold` changes what a UI shows; use it with `--for ui`".into()));
    }
    let source = Source::of(&arguments.file, arguments.in_file_order, &arguments.memory)?;
    match arguments.for_whom {
        Whom::Api if arguments.as_client => as_client(arguments, &told(arguments, source)?)?,
        Whom::Api if arguments.trace => for_api_traced(arguments, &told(arguments, source)?)?,
        Whom::Api => for_api(arguments, &told(arguments, source)?)?,
        Whom::Ui => {
            let shown = reorder_for_ui(normalize_for_ui(without_events(told(arguments, source)?)));
            match arguments.fold {
                true => write_list(&group_tool_uses(collapse_read_search(shown)))?,
                false => write_list(&shown)?,
            }
        }
        Whom::Bridge => write_list(&bridge_view(without_events(told(arguments, source)?)))?,
    }
    Ok(Exit::Held)
}

/// All messages; standard error says what was taken.
fn told(arguments: &Arguments, source: Source) -> Result<Vec<Event>, Failure> {
    let (messages, taken) = source.messages(&arguments.memory)?;
    tell(arguments, &taken)?;
    Ok(messages)
}

fn tell(arguments: &Arguments, taken: &Taken) -> Result<(), Failure> {
    match arguments.format {
        _ if arguments.quiet => {}
        Format::Json => taken.print_json()?,
        Format::Human if taken.is_nothing() => {
            eprintln!("turnproof: {} holds no message", arguments.file.display());
        }
        Format::Human => taken.print(),
    }
    Ok(())
}

/// The messages, without what passes by in a running client.
fn without_events(messages: Vec<Event>) -> Vec<Message> {
    messages.into_iter().filter_map(Event::into_message).collect()
}

/// Writes the request.
fn for_api(arguments: &Arguments, messages: &[Event]) -> Result<(), Failure> {
    let turns = normalize_for_api(messages, &arguments.options());
    match arguments.whole {
        true => Noted::of(&arguments.file)?.write_body(&to_json(&turns))?,
        false => write_turns(&turns)?,
    }
    print_estimate(arguments, &turns);
    Ok(())
}

/// Writes the request that the client itself would send. The last request of the session says which model is asked and
/// which tools there are, where nobody else does.
fn as_client(arguments: &Arguments, messages: &[Event]) -> Result<(), Failure> {
    let noted = Noted::of(&arguments.file)?;
    let options = ClientOptions {
        model: arguments.model.clone().or_else(|| noted.model()),
        tools: arguments.options().tools.or_else(|| noted.tools()),
        prompt: arguments.prompt.clone(),
    };
    let turns = normalize_as_client(messages, &options);
    match arguments.whole {
        true => noted.write_body(&json_of(&turns)?)?,
        false => write_list(&turns)?,
    }
    if arguments.estimate {
        print_tokens(turns.into_iter().flat_map(|turn| turn.content.into_blocks()));
    }
    Ok(())
}

fn json_of<T: Serialize>(elements: &T) -> Result<String, Failure> {
    serde_json::to_string(elements).map_err(|error| Failure::Internal(error.to_string()))
}

/// Writes the request, and on standard error which stage did what.
fn for_api_traced(arguments: &Arguments, messages: &[Event]) -> Result<(), Failure> {
    let (turns, trace) = normalize_traced(messages, &arguments.options());
    match arguments.format {
        Format::Human => eprint!("{}", normalization::by_message(messages, &turns, &trace, columns())),
        Format::Json => trace.steps.iter().try_for_each(|step| json_line(&mut io::stderr(), step))?,
    }
    print_estimate(arguments, &turns);
    write_turns(&turns)
}

fn write_turns(turns: &[Turn<'_>]) -> Result<(), Failure> {
    let mut list = List::begin()?;
    turns.iter().try_for_each(|turn| list.push(|json| turn.push_json(json)))?;
    list.end()
}

/// Writes a JSON array.
fn write_list<T: Serialize>(elements: &[T]) -> Result<(), Failure> {
    let mut list = List::begin()?;
    for element in elements {
        let element = json_of(element)?;
        list.push(|json| json.push_str(&element))?;
    }
    list.end()
}

/// Prints about how many tokens the turns have, if anybody asks.
fn print_estimate(arguments: &Arguments, turns: &[Turn<'_>]) {
    if arguments.estimate {
        print_tokens(turns.iter().flat_map(|turn| &turn.content).map(|part| part.to_block()));
    }
}

fn print_tokens(blocks: impl Iterator<Item = Block>) {
    let tokens = blocks.map(|block| estimate_block_tokens(&block)).fold(0, u64::saturating_add);
    eprintln!("turnproof: the request has about {tokens} tokens");
}

impl Arguments {
    fn options(&self) -> Options {
        Options {
            tools: (!self.tools.is_empty()).then(|| self.tools.iter().cloned().collect()),
            profile: self.profile,
            context: self.context.clone(),
        }
    }
}

/// A JSON array on standard output, an element a line.
struct List {
    out: BufWriter<Stdout>,
    is_empty: bool,
    /// The element that is written.
    json: String,
}

impl List {
    fn begin() -> Result<Self, Failure> {
        let mut out = stdout();
        out.write_all(b"[")?;
        Ok(Self { out, is_empty: true, json: String::new() })
    }

    /// Writes an element, which is appended as JSON.
    fn push(&mut self, write: impl FnOnce(&mut String)) -> Result<(), Failure> {
        self.json.clear();
        self.json.push_str(if self.is_empty { "\n" } else { ",\n" });
        self.is_empty = false;
        write(&mut self.json);
        Ok(self.out.write_all(self.json.as_bytes())?)
    }

    fn end(mut self) -> Result<(), Failure> {
        self.out.write_all(if self.is_empty { b"]\n" } else { b"\n]\n" })?;
        Ok(self.out.flush()?)
    }
}
