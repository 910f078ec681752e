//! An *operation* is something that a subject can be asked to do. Its input and output are plain data, so that a rule
//! can judge them whoever the subject is.
//!
//! Each operation has a file here: its data, what is asked of a subject about one case and how often
//! ([`Observation`](crate::Observation)), and what its rules share. The macro `table` lists them all. Whatever there is
//! once for each operation is made from that list.

pub mod accumulate;
mod bytes;
pub mod check_request;
pub mod check_response;
mod converse;
pub mod derive_uuid;
pub mod fold;
pub mod form;
pub mod history;
mod list;
pub mod make;
mod make_names;
mod messages;
mod named_source;
pub mod normalize_api;
pub mod normalize_ui;
pub mod parse;
pub mod plain;
pub mod play;
pub mod record;
mod recut;
pub mod reorder_ui;
pub mod repair;
pub mod reply;
pub mod request;
pub mod resume;
pub mod short_id;
pub mod talk;
pub mod usage;
mod violations;

pub use accumulate::{Accumulated, StreamFault, StreamItem, StreamText, Streamed};
pub use check_request::{CheckAnswer, Checked, Refusal};
pub use check_response::{CheckResponseAnswer, CheckedResponse, ResponseRefusal};
pub use derive_uuid::{Answer, Derived};
pub use fold::{Folded, Folding};
pub use history::{RequestPair, predecessors, read_requests};
pub use list::{Element, List};
pub use make::{FactoryCall, FixedSource, Made, MadeMessage};
pub use messages::Given;
pub use named_source::SOURCE_OF_CALL;
pub use normalize_api::{ApiNormalized, RequestOptions, RequestText};
pub use normalize_ui::UiNormalized;
pub use parse::{Parsed, ParsedRecord, Reading, Rejected, Report};
pub use plain::{Parts, Plain};
pub use play::{Moment, Played};
pub use record::{CALM, RecordAnswer, RecordHints, RecordStep, Recorded, TeamInfo};
pub use reorder_ui::UiReordered;
pub use repair::{RemovedPiece, RepairAnswer, RepairChange, Repaired, RepairedFile};
pub use reply::{Foreign, Reply, ReplyError, ReplyEvent, ReplyForm};
pub use request::{Form, Host, NoRequest, Request, RequestError};
pub use resume::{Continued, Conversation, ConversationRecord, ResumeAnswer, Resumed, go_on};
pub use short_id::Shortened;
pub use talk::{TalkAnswer, TalkEnd, TalkExchange, TalkMoment, TalkOver, read_talk};
pub use usage::{Counted, UsageAnswer, UsageRow};
pub use violations::{Violations, reply_violations, violations};

pub use crate::json::{Object, Place, Str, Value};
#[doc(hidden)]
pub use serde_json::json as plain_json;

use serde::{Deserialize, Serialize};

/// The table of operations, handed to the macro `$then`. A row has the operation's name and what is judged, in words;
/// the observation that its rules judge; and the methods of a subject, with an input that is empty. The first method is
/// the operation itself, others are further ways to ask the same.
macro_rules! table {
    ($then:ident) => {
        $then! {
            /// Bytes to records and rejected ranges.
            Parse "how a subject reads a file (parse), and in `turnproof check` the file itself" => Reading {
                /// Reads a transcript.
                parse(bytes: &[u8] = b"") -> Parsed;
            }
            /// Messages to a request.
            NormalizeApi "the requests that a subject makes of messages (normalize_api)" => ApiNormalized {
                /// Makes a request of messages: a JSON array of messages in, the turns out.
                normalize_api(messages: &str = "[]", options: &RequestOptions = &RequestOptions::default())
                    -> RequestText;
                /// Makes requests with a kept state: gives the turns (JSON arrays) after each of the messages.
                normalize_api_incremental(
                    messages: &str = "[]", options: &RequestOptions = &RequestOptions::default()
                ) -> Vec<String>;
            }
            /// Messages to what a UI shows.
            NormalizeUi "the messages that a subject makes for a UI (normalize_ui)" => UiNormalized {
                /// Makes of messages what a UI shows: a JSON array of messages in, another one out.
                normalize_ui(messages: &str = "[]") -> String;
            }
            /// Messages in the order in which a UI shows them.
            ReorderUi "the order in which a subject shows messages (reorder_ui)" => UiReordered {
                /// Orders messages as a UI shows them: a JSON array of messages in, the same ones out.
                reorder_ui(messages: &str = "[]") -> String;
            }
            /// Parent id and index to the derived id.
            DeriveUuid "the ids that a subject derives (derive_uuid)" => Derived {
                /// Derives the id of the block at `index` of the message `parent`.
                derive_uuid(parent: &str = "", index: u64 = 0) -> String;
            }
            /// Id to its short form.
            ShortId "the short ids that a subject makes (short_id)" => Shortened {
                /// Shortens an id.
                short_id(uuid: &str = "") -> String;
            }
            /// Lists of messages to lines of a transcript.
            Record "the lines that a subject writes of messages (record)" => Recorded {
                /// Records a session: goes on with a file, step by step, and gives the file after each step.
                record(file: &[u8] = b"", session: &str = "", steps: &[RecordStep] = &[]) -> Vec<RecordAnswer>;
            }
            /// A transcript to the conversation that a user gets back.
            Resume "the conversation that a subject finds in a transcript (resume)" => Resumed {
                /// Finds the conversation that a user gets back from a transcript; `None` when there is none.
                resume(file: &[u8] = b"") -> Option<Conversation>;
            }
            /// Stream events to messages.
            Accumulate "the messages that a subject makes of a model's stream (accumulate)" => Accumulated {
                /// Makes messages of a model's stream.
                accumulate(items: &[StreamItem] = &[]) -> StreamText;
            }
            /// What people, model, tools and disk do, to the log of a loop.
            Play "the log of a subject's loop (play)" => Played {
                /// Plays a conversation: a JSON array of inputs (what people, model, tools and disk do) to the log of
                /// the loop.
                play(inputs: &str = "[]") -> Played;
            }
            /// A request and a host to *legal*, or to what is wrong.
            CheckRequest "what a validator says of requests (check_request)" => Checked {
                /// Checks a request, a body or an array of turns, for a host; gives what is wrong; empty when it is
                /// legal.
                check_request(request: &str = "[]", host: Host = Host::Portable) -> Vec<Refusal>;
            }
            /// A reply to *legal*, or to what is wrong.
            CheckResponse "what a validator says of replies (check_response)" => CheckedResponse {
                /// Checks a reply as it was sent, a stream of events or JSON; gives what is wrong; empty when it is
                /// legal.
                check_response(response: &str = "") -> Vec<ResponseRefusal>;
            }
            /// The call of a factory to its message, and to what predicates say of it.
            Make "the messages that a subject's factories make (make)" => Made {
                /// Calls a factory; gives the messages that it makes, which are one but for `missing_tool_results`.
                make(call: &FactoryCall = &FactoryCall::default()) -> Vec<MadeMessage>;
            }
            /// Transcripts to how many tokens their replies cost.
            Usage "how many tokens a subject says that replies cost (usage)" => Counted {
                /// Counts the tokens of transcripts: the files in the order in which they are read to a row for each
                /// session, model and sort of conversation.
                usage(files: &[Vec<u8>] = &[]) -> Vec<UsageRow>;
            }
            /// A damaged transcript to a repaired one.
            Repair "the file that a subject makes of a damaged transcript (repair)" => Repaired {
                /// Repairs a transcript: gives the whole file, what was changed and what was removed.
                repair(file: &[u8] = b"") -> RepairedFile;
            }
            /// Messages to the same ones with runs of calls in groups.
            Fold "how a subject folds runs of calls, and what it carries over a bridge (fold)" => Folded {
                /// Folds runs of calls: a JSON array of messages in, the same ones with groups out.
                fold(messages: &str = "[]", folding: Folding = Folding::Group) -> String;
                /// Takes a folding back: what `fold` gave in, the messages before out.
                unfold(messages: &str = "[]") -> String;
                /// Gives what another UI gets: a JSON array of messages in, those that people see out, without groups.
                bridge(messages: &str = "[]") -> String;
            }
        }
    };
}

pub(crate) use table;

macro_rules! operations {
    ($(
        #[doc = $doc:literal]
        $variant:ident $describe:literal => $observation:ty {
            $(#[doc = $_method_doc:literal])*
            $method:ident ( $($_argument:ident: $_type:ty = $_empty:expr),* ) -> $_output:ty;
            $(
                $(#[doc = $_more_doc:literal])*
                $more:ident ( $($_more_argument:ident: $_more_type:ty = $_more_empty:expr),* ) -> $_more_output:ty;
            )*
        }
    )*) => {
        /// What a subject can be asked to do (SPEC.md section 10).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Operation {
            $(#[doc = $doc] $variant,)*
            /// Not a subject's doing: the rule judges transcripts themselves, or replies.
            Transcript,
        }

        impl Operation {
            /// Every operation that a subject can do.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$variant),*];

            const COUNT: usize = [$(stringify!($variant)),*].len();

            /// The methods of a subject by name: the operations, and the further ways to ask one.
            pub const METHODS: &[&str] = &[$(stringify!($method), $(stringify!($more),)*)*];

            /// The operation's name in the protocol and in reports.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($method),)*
                    Self::Transcript => "transcript",
                }
            }

            /// What is judged, in words.
            pub const fn describe(self) -> &'static str {
                match self {
                    $(Self::$variant => $describe,)*
                    Self::Transcript => "transcripts, as they lie on disk",
                }
            }
        }
    };
}

table!(operations);
