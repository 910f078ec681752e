//! From messages to a *request*: turns of alternating roles that the Messages API accepts, made stage by stage.
//!
//! [`STAGES`] is the list of stages as data. Each is a pure function from list to list, in a file of its own.
//! [`normalize_traced`] says what each did to which message and why. [`Incremental`] keeps a request up to date while
//! messages are appended.
//!
//! ```
//! use turnproof_reference::message::{Event, Factory, FixedContext, Message};
//! use turnproof_reference::normalize::api::{Options, normalize_for_api};
//!
//! let mut context = FixedContext::new(1);
//! let mut factory = Factory::new(&mut context);
//! let messages: Vec<Event> = vec![
//!     Message::from(factory.user("hello")).into(),
//!     Message::from(factory.user("are you there?")).into(),
//!     Message::from(factory.assistant("yes  ")).into(),
//! ];
//! let turns = normalize_for_api(&messages, &Options::default());
//! assert_eq!(
//!     serde_json::to_string(&turns)?,
//!     concat!(
//!         r#"[{"role":"user","content":[{"type":"text","text":"hello"},"#,
//!         r#"{"type":"text","text":"are you there?"}]},"#,
//!         r#"{"role":"assistant","content":[{"type":"text","text":"yes"}]}]"#,
//!     )
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! SPEC.md sections 6.1 to 6.11 define the stages, in the order in which they run.
//!
//! Ids are compared as they are shown, U+FFFD in place of a lone surrogate. A text is *blank* when nothing in
//! it is more than white space to Rust, JavaScript or Python: `White_Space`, U+FEFF and U+001C to U+001F.

mod attachment;
mod convert;
mod draft;
mod drop_hidden;
mod drop_internal;
mod fit;
mod ids;
mod incremental;
mod listed;
mod merge;
mod pair_tools;
mod prepend_context;
mod regroup_replies;
mod reorder_attachments;
mod repeated;
mod server_tools;
mod stored;
mod strip_media;
mod tidy_blocks;
mod tidy_turns;
mod trace;

pub(crate) use attachment::{blocks as attachment_blocks, rendered};
pub use draft::to_json;
pub use draft::{Part, Role, Turn};
pub(crate) use drop_hidden::why_hidden;
pub use incremental::Incremental;
pub(crate) use listed::Media;
pub(crate) use server_tools::is_server_part;
pub use stored::as_stored;
pub(crate) use stored::{Fixed, fixed, sent, without_halves_of_server_tools};
pub use trace::{Effect, StageNote, StageTrace, Trace};
pub(crate) use turnproof_format::is_blank;

use std::collections::HashSet;

use crate::message::Event;
use crate::operation::Host;

use draft::Draft;
use ids::Paired;
use listed::Listed;
use trace::Notes;

/// What a request is made for, beside the messages.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The names of the tools that the request offers. If given, what needs another tool is dropped:
    /// server calls with their results, and references to tools.
    pub tools: Option<HashSet<String>>,
    /// The host that must accept the request. Every request is legal for all of them; for
    /// [`Host::Anthropic`] a server call that still runs may end the request.
    pub profile: Host,
    /// Project context, which is placed in front of the first user message.
    pub context: Option<String>,
}

/// One stage: its name, what it does, and how.
pub struct Stage {
    /// The name, as traces print it.
    pub name: &'static str,
    /// What it does, one sentence without a full stop.
    pub title: &'static str,
    /// Whether it puts right what a client should never have stored.
    pub repairs: bool,
    run: Run,
}

/// The function of a stage, by what it works on.
enum Run {
    /// Messages as they are listed.
    Listed(for<'a> fn(Vec<Listed<'a>>, &mut Pass<'_>) -> Vec<Listed<'a>>),
    /// From listed messages to drafts of turns.
    Convert(for<'a> fn(Vec<Listed<'a>>, &mut Pass<'_>) -> Vec<Draft<'a>>),
    /// Drafts of turns.
    Drafts(for<'a> fn(Vec<Draft<'a>>, &mut Pass<'_>) -> Vec<Draft<'a>>),
}

/// The stages, in the order in which they run.
pub const STAGES: &[Stage] = &[
    reorder_attachments::STAGE,
    drop_hidden::STAGE,
    strip_media::STAGE,
    drop_internal::STAGE,
    convert::STAGE,
    regroup_replies::STAGE,
    tidy_blocks::STAGE,
    merge::STAGE,
    pair_tools::STAGE,
    tidy_turns::STAGE,
    prepend_context::STAGE,
];

/// One run over a list of messages: what the stages share.
struct Pass<'o> {
    options: &'o Options,
    /// What was paired before the list, when it continues another one, and in it.
    paired: &'o mut Paired,
    surroundings: Surroundings,
    notes: Notes,
}

/// What surrounds a list that is a part of a longer one.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    /// How many messages stand before it.
    before: usize,
    /// Whether they are turns.
    continues: bool,
    /// Whether a reply follows it.
    is_followed: bool,
}

/// Makes a request of messages: turns of alternating roles, legal for every host whatever the messages are; no turns
/// when there is nothing to send. Time and memory are linear in the input; blocks are borrowed unless they change.
pub fn normalize_for_api<'a>(messages: &'a [Event], options: &Options) -> Vec<Turn<'a>> {
    run(messages, options, &mut Paired::default(), Surroundings::default(), Notes::new(false)).0
}

/// Makes the same request as [`normalize_for_api`], and says what each stage did.
pub fn normalize_traced<'a>(messages: &'a [Event], options: &Options) -> (Vec<Turn<'a>>, Trace) {
    let (turns, notes) = run(messages, options, &mut Paired::default(), Surroundings::default(), Notes::new(true));
    (turns, notes.into_trace())
}

/// Runs all stages over a list; `paired` holds the calls that stand before it.
fn run<'a>(
    messages: &'a [Event],
    options: &Options,
    paired: &mut Paired,
    surroundings: Surroundings,
    notes: Notes,
) -> (Vec<Turn<'a>>, Notes) {
    let mut pass = Pass { options, paired, surroundings, notes };
    let drafts = run_stages(messages, STAGES.iter(), &mut pass);
    (drafts.into_iter().map(Turn::from).collect(), pass.notes)
}

/// Runs some of the stages over a list.
fn run_stages<'a, 's>(
    messages: &'a [Event],
    stages: impl Iterator<Item = &'s Stage>,
    pass: &mut Pass<'_>,
) -> Vec<Draft<'a>> {
    let mut listed = listed::list(messages, pass.surroundings.before);
    let mut drafts = Vec::new();
    for stage in stages {
        let before = listed.len() + drafts.len();
        match stage.run {
            Run::Listed(run) => listed = run(listed, pass),
            Run::Convert(run) => drafts = run(std::mem::take(&mut listed), pass),
            Run::Drafts(run) => drafts = run(drafts, pass),
        }
        pass.notes.end_of_stage(stage, before, listed.len() + drafts.len());
    }
    drafts
}
