//! turnproof answers, for anyone who builds or changes an agent's message pipeline: *is it still
//! right, and if not, what is the smallest conversation that shows it?*
//!
//! Agent clients hold far more than user and assistant turns: progress, attachments, notices,
//! tombstones, tool results stored twice. They write it to a transcript, read it back after a
//! crash, and squeeze it into what a model's API accepts; each of these steps has broken in the
//! field. This crate holds a reference implementation, generators, rules and a suite for it.
//!
//! # Messages
//!
//! [`message`] types every kind of message and block, and loses nothing that it does not know.
//!
//! ```
//! use turnproof::message::{Entry, Factory, FixedContext, Message};
//!
//! let mut context = FixedContext::new(1);
//! let prompt: Message = Factory::new(&mut context).user("hello").into();
//! let line = serde_json::to_string(&prompt)?;
//! let again: Entry = serde_json::from_str(&line)?;
//! assert_eq!(again.into_message(), Some(prompt));
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! # Transcripts
//!
//! [`transcript`] reads sessions as they lie on disk, damaged ones too: every byte belongs to one
//! record, blank or rejected range.
//!
//! ```
//! use turnproof::transcript::Transcript;
//!
//! let torn = b"{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"assis";
//! let transcript = Transcript::from_bytes(torn.to_vec());
//! assert_eq!(transcript.len(), 1);
//! assert_eq!(transcript.defects()[0].kind.rule(), "wire/terminated");
//! ```
//!
//! # Streams
//!
//! [`stream`] makes messages of a model's stream, one a block, and keeps the log of what a loop has
//! yielded, with what was withdrawn.
//!
//! ```
//! use turnproof::message::{AssistantBody, FixedContext, TextBlock};
//! use turnproof::stream::{Delta, EventLog, ModelEvent, ReplyLines};
//!
//! let (mut context, mut lines, mut log) = (FixedContext::new(1), ReplyLines::new(None), EventLog::new());
//! for event in [
//!     ModelEvent::message_start(AssistantBody::default()),
//!     ModelEvent::block_start(0, TextBlock::new("").into()),
//!     ModelEvent::block_delta(0, Delta::Text("Hello.".into())),
//!     ModelEvent::block_stop(0),
//! ] {
//!     log.append_yielded(lines.apply(&event, &mut context));
//! }
//! assert_eq!(log.live().len(), 1);
//! lines.abandon(&mut context).into_iter().for_each(|tombstone| log.append(tombstone));
//! assert_eq!((log.live().len(), log.slots().len()), (0, 1));
//! ```
//!
//! # Normalization
//!
//! [`normalize`] makes of messages a request that every host accepts, stage by stage, or what a UI shows.
//!
//! ```
//! use turnproof::message::{Event, Factory, FixedContext, Message};
//! use turnproof::normalize::api::{Options, Role, normalize_for_api};
//!
//! let mut context = FixedContext::new(1);
//! let reply: Message = Factory::new(&mut context).assistant("Hello. \n").into();
//! let messages = [Event::from(reply)];
//! let turns = normalize_for_api(&messages, &Options::default());
//! assert_eq!(turns.iter().map(|turn| turn.role).collect::<Vec<_>>(), [Role::User, Role::Assistant]);
//! ```
//!
//! # Sessions
//!
//! [`transcript::write`] records messages, [`transcript::resume`] finds the conversation again, and
//! [`engine`] is the loop that ties them, step by step.
//!
//! ```
//! use turnproof::engine::{Engine, Input};
//! use turnproof::message::FixedContext;
//!
//! let mut engine = Engine::new(FixedContext::new(1));
//! assert!(engine.step(&Input::Type("hello".into())).request.is_some());
//! engine.step(&Input::Crash(0));
//! engine.step(&Input::Resume);
//! assert_eq!(engine.messages().len(), 1);
//! ```
//!
//! # Rules
//!
//! [`rules`] is the catalogue: data and oracles that never call the code they judge.
//!
//! ```
//! let rule = turnproof::rules::find("wire/no-lone-surrogate").ok_or("no such rule")?;
//! assert!(rule.sources.contains(&"anthropics/claude-code#3277"));
//! # Ok::<(), &str>(())
//! ```
//!
//! # Scenarios
//!
//! [`scenario`] makes plans of transcripts from seeds, fuzz bytes, proptest or JSON (feature `suite`).
//!
//! # The suite
//!
//! [`suite`] plays scenarios to a [`subject`], the built-in reference or your own, judges it by the
//! rules, and shrinks what it finds (feature `suite`).
#![cfg_attr(
    feature = "suite",
    doc = r#"
```
use turnproof::subject::Reference;
use turnproof::suite::{Options, run};

let options = Options { cases: 20, rules: turnproof::rules::matching("wire/*"), ..Options::default() };
let report = run(&Reference, &options, &[], &mut |_| {})?;
assert!(report.holds());
# Ok::<(), rayon::ThreadPoolBuildError>(())
```
"#
)]
#![cfg_attr(
    feature = "suite",
    doc = r#"
Every method of a subject, with a body that does next to nothing (`docs/samples/skeleton.rs`):

```
"#,
    doc = include_str!("../docs/samples/skeleton.rs"),
    doc = r#"
# let supports_all = turnproof::operation::Operation::ALL.iter().all(|operation| Mine.supports(*operation));
# assert!(supports_all);
```
"#
)]

#[cfg(feature = "check")]
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "report")]
pub mod report;

/// Every kind of message and block. Nothing that is not known is lost.
pub mod message {
    pub use turnproof_reference::message::{
        Assistant, AssistantBody, Attachment, Block, Content, Context, Entry, Envelope, Event, Factory, FixedContext,
        Kind, Maybe, Message, NormalizedMessage, Progress, RedactedThinking, SIDE_KINDS, SUBTYPES, ServerToolResult,
        SideRecord, System, SystemContext, TextBlock, Thinking, Tombstone, ToolResult, ToolUse, Typed, Usage, User,
        UserBody, constants, id,
    };
}

/// Text that is kept as it was written.
pub mod json {
    pub use turnproof_reference::json::{Fields, Number, Raw, Text};
}

/// Messages of a model's stream.
pub mod stream {
    pub use turnproof_reference::stream::{
        Accumulator, Change, Delta, EventLog, ModelEvent, ReplyLines, Slot, StreamError,
    };
}

/// Sessions on disk: reading, resuming, forking, writing.
pub mod transcript {
    pub use turnproof_reference::transcript::{Chunks, Defect, DefectKind, Found, Record, Scanner, Transcript, fork};

    /// Finds the conversation of a session again.
    pub mod resume {
        pub use turnproof_reference::transcript::resume::{NotFound, Resume, ResumeOptions, resume, resume_file};
    }

    /// Writes sessions that survive crashes and full disks.
    pub mod write {
        pub use turnproof_reference::transcript::write::{
            Background, Disk, FileDisk, MemoryDisk, RecordError, RecordHints, Recorder, RecorderOptions, TeamInfo,
        };
    }
}

/// What is sent to the API, and what a UI shows.
pub mod normalize {
    pub use turnproof_reference::normalize::{estimate_tokens, ui};

    /// Makes requests.
    pub mod api {
        pub use turnproof_reference::normalize::api::{
            Incremental, Options, Role, STAGES, Trace, Turn, normalize_for_api, normalize_traced, to_json,
        };
    }

    /// Makes the requests of the client 2.1.332, to compare.
    pub mod client {
        pub use turnproof_reference::normalize::client::{ClientOptions, ClientRole, ClientTurn, normalize_as_client};
    }
}

/// The loop of a client, step by step.
pub mod engine {
    pub use turnproof_reference::engine::{Engine, Input, Options, Step, play};
}

/// A damaged session made whole.
pub mod repair {
    #[cfg(feature = "check")]
    pub use crate::check::repair_broken;
    pub use turnproof_reference::repair::{Change, Removed, Repair, RepairError, RepairOptions, repair};
}

/// What was sent: the requests that a session proves.
pub mod sent {
    pub use turnproof_reference::sent::{Body, Hash, Keep, Refused, Sent, SentError, SentRequest};
}

/// What sessions cost.
pub mod usage {
    pub use turnproof_reference::usage::{Tally, usage_by_reply};
}

/// Sessions without what was written in them.
pub mod scrub {
    pub use turnproof_reference::scrub::Scrubber;
}

/// The catalogue of what must hold. The functions never call what they judge.
pub mod rules {
    pub use turnproof_rules::rules::{
        CATALOGUE, Place, Rule, Sentence, Severity, Verdict, Violation, choose, find, matching,
    };
}

/// What a subject can do, as plain data.
pub mod operation {
    pub use turnproof_rules::operation::{
        Conversation, ConversationRecord, FactoryCall, Folding, Host, MadeMessage, Moment, Operation, Parsed,
        ParsedRecord, Played, RecordAnswer, RecordHints, RecordStep, Refusal, Rejected, RepairedFile, Report, Request,
        RequestError, RequestOptions, RequestText, ResponseRefusal, StreamFault, StreamItem, StreamText, TeamInfo,
        UsageRow, Violations, violations,
    };
}

/// Plans of conversations, and how they are played.
#[cfg(feature = "suite")]
pub mod scenario {
    pub use turnproof_suite::scenario::{
        Case, Plan, Profile, SESSION_DAMAGES, Scenario, Seeded, SessionDamage, Source, strategy,
    };
}

/// Who is judged: the reference, your own code, or a program in any language.
#[cfg(feature = "suite")]
pub mod subject {
    pub use turnproof_suite::subject::program::{Limits, Program, Setup, StartError, serve};
    pub use turnproof_suite::subject::{Crash, Outcome, Output, Panic, Reference, Subject};
}

/// Runs, known deviations, shrinking.
#[cfg(feature = "suite")]
pub mod suite {
    pub use turnproof_suite::suite::conformance::Conformance;
    pub use turnproof_suite::suite::{
        Deviation, Failure, Known, Options, Regression, RegressionError, Report, RuleCount, load_regressions, run,
        shrink, size,
    };
}

/// A mock of the Messages API that judges who asks it.
#[cfg(feature = "mock")]
pub mod mock {
    pub use turnproof_mock::{
        Change, Exchange, Fault, Finding, Mock, OnIllegal, Recording, Script, ScriptError, Settings, StartError, Step,
        Verdict, Watched, faults,
    };
}

/// The laws of the fuzz targets.
#[cfg(feature = "suite")]
pub mod fuzzing {
    pub use turnproof_suite::fuzzing::{PARSE, TARGETS, Target, find};
}

pub use turnproof_rules::assert_legal;
#[cfg(feature = "suite")]
pub use turnproof_suite::conformance;

/// Runs the Rust examples of the pages in `docs/` that have some.
#[cfg(all(doctest, feature = "cli"))]
mod pages {
    #[doc = include_str!("../docs/engine.md")]
    struct Engine;
    #[doc = include_str!("../docs/library.md")]
    struct Library;
    #[doc = include_str!("../docs/pipeline.md")]
    struct Pipeline;
    #[doc = include_str!("../docs/recorder.md")]
    struct Recorder;
}
