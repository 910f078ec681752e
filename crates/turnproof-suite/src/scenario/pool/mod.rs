//! *Pools* are the few ids, texts, flags and members that plans are made of. Plain ones come first, so that shrinking
//! ends at them.

mod attachment;
mod block;
mod extra;
mod row;
mod strange;
mod text;

use self::row::{Row, joined, named, rows};
use super::choices;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use turnproof_format::{SIDE_KINDS, SUBTYPES};

pub use attachment::AttachmentForm;
pub(super) use attachment::PLAIN_ATTACHMENTS;
pub(super) use block::{CALLS_IN_A_ROW, MENDED_CALLS, MENDED_RESULTS, PLAIN_CALLS, PLAIN_RESULTS, PLAIN_SERVER_CALLS};
pub use block::{CallForm, MediaForm, ResultForm, ServerCallForm, ServerResultForm, TextForm, ThinkingForm};
pub use extra::Extra;
pub(super) use extra::{ANCHOR_ID, BOUNDARY_ID, HEAD_ID, HUGE, LOOSE_EXTRAS, NAMED_ID, TAIL_ID};
pub use strange::StrangeForm;
pub(super) use text::{CONTEXT, quoted};
pub use text::{PoolText, Refusal};

/// Ids. The first four share their first 24 characters, and so their derived ids; so do the ninth to the eleventh.
const IDS: [&str; 16] = [
    "00000000-0000-4000-8000-000000000001",
    "00000000-0000-4000-8000-000000000002",
    "00000000-0000-4000-8000-000000000003",
    "00000000-0000-4000-8000-000000000004",
    "11111111-2222-4333-9444-555555555555",
    "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee",
    "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE",
    "ffffffff-ffff-4fff-bfff-ffffffffffff",
    "12345678-1234-4234-8234-000000000000",
    "12345678-1234-4234-8234-000000000001",
    "12345678-1234-4234-8234-00000000000a",
    "u1",
    "",
    "ünïcödé-😀-ünïcödé-ünïcödé-ünïcödé",
    "0123456789",
    "not a uuid: longer than thirty-six characters, surely",
];

/// Ids that differ in their first 24 characters, one for each line of the longest plan.
static OWN_IDS: LazyLock<Vec<String>> =
    LazyLock::new(|| (1..=MOST_LINES).map(|line| format!("{line:02}000000-0000-4000-8000-{line:012}")).collect());

/// Ids that are drawn less, after all others: of fewer than ten hexadecimal digits.
const SHORT_IDS: [&str; 4] = ["c0ffee", "0-1", "abcdef012", "0123-45678"];

/// The numbers of these ids: the first one, and how many there are.
pub(super) const SHORT_ID: u8 = ID_COUNT + MOST_LINES;
pub(super) const SHORT_ID_COUNT: u8 = SHORT_IDS.len() as u8;

pub(super) const MOST_LINES: u8 = 40;

pub(super) const ID_COUNT: u8 = IDS.len() as u8;

/// The number of the id that belongs to one line alone.
pub(super) fn own_id(line: usize) -> u8 {
    ID_COUNT + (line % usize::from(MOST_LINES)) as u8
}

pub(super) fn id(which: u8) -> &'static str {
    match which % (SHORT_ID + SHORT_ID_COUNT) {
        which @ 0..ID_COUNT => IDS[usize::from(which)],
        which @ ID_COUNT..SHORT_ID => &OWN_IDS[usize::from(which - ID_COUNT)],
        which => SHORT_IDS[usize::from(which - SHORT_ID)],
    }
}

pub(super) fn session(which: u8) -> &'static str {
    ["5e550000-0000-4000-8000-000000000001", "5e550000-0000-4000-8000-000000000002", "s3"][usize::from(which) % 3]
}

/// How many call ids follow the rules of the API. They are the first ones, and are drawn most.
pub(super) const GOOD_CALLS: u8 = 4;

/// A call with a legal id, and calls whose illegal ids become the same when characters are replaced carelessly.
pub(super) const ALIKE_CALLS: (u8, [u8; 2]) = (1, [4, 5]);

/// Ids of client calls. A careless replacement of an illegal character can give another id of the list.
const CALL_IDS: [&str; 14] = [
    "toolu_0",
    "toolu_1",
    "toolu_2",
    "toolu_3",
    "toolu 1",
    "toolu.1",
    "",
    "tøølu_1",
    "toolu_1 ",
    "call|2/x:3",
    // Longer than 64 characters, and different only after those.
    "toolu_0123456789012345678901234567890123456789012345678901234567_a",
    "toolu_0123456789012345678901234567890123456789012345678901234567_b",
    // One that the API refuses, and the one that the reference makes of it.
    "Bash:1",
    MADE_CALL_ID,
];

/// An id that the reference makes of another one, which it has to replace. Some cases have a call with it.
pub const MADE_CALL_ID: &str = "toolu_505c12379458e36c";

/// The numbers of these two, and of the empty id.
pub(super) const REFUSED_CALL: u8 = 12;
pub(super) const MADE_CALL: u8 = 13;
pub(super) const EMPTY_CALL: u8 = 6;

const SERVER_CALL_IDS: [&str; 12] = [
    "srvtoolu_0",
    "srvtoolu_1",
    "srvtoolu_2",
    "srvtoolu_3",
    "srvtoolu-1",
    "srvtoolu_",
    "",
    "toolu_1",
    "srvtoolu_ü",
    "srvtoolu_1 ",
    "srvtoolu_0123456789012345678901234567890123456789012345678901234567_a",
    "srvtoolu_0123456789012345678901234567890123456789012345678901234567_b",
];

/// How many call ids there are of clients, and as many of servers.
pub(super) const CALL_COUNT: u8 = SERVER_CALL_IDS.len() as u8;

pub(super) fn call_id(which: u8) -> &'static str {
    CALL_IDS[usize::from(which) % CALL_IDS.len()]
}

pub(super) fn server_call_id(which: u8) -> &'static str {
    SERVER_CALL_IDS[usize::from(which) % SERVER_CALL_IDS.len()]
}

choices! {
    /// A flag that any line may have.
    Flag: &'static str {
        IsSidechain "is-sidechain" "a line of a subagent" => "isSidechain";
        IsMeta "is-meta" "a line for the model alone" => "isMeta";
        IsVirtual "is-virtual" "a line that should be in memory alone" => "isVirtual";
        IsVisibleInTranscriptOnly "is-visible-in-transcript-only" "a line that only the transcript shows" => "isVisibleInTranscriptOnly";
        IsCompactSummary "is-compact-summary" "a line flagged as the summary of a compaction" => "isCompactSummary";
        IsApiErrorMessage "is-api-error-message" "a line flagged as an error of the API" => "isApiErrorMessage";
    }
}

pub(super) fn all_true(flags: impl IntoIterator<Item = Flag>) -> BTreeMap<Flag, bool> {
    flags.into_iter().map(|flag| (flag, true)).collect()
}

static NOTICES: [Row; SUBTYPES.len() + 1] = joined(&[&named::<{ SUBTYPES.len() }>(SUBTYPES, &[]), &[("none", "")]]);

rows! {
    /// The subtype of a system message, by its name.
    Subtype of NOTICES {
        INFORMATIONAL "informational"
        LOCAL_COMMAND "local-command"
        API_ERROR "api-error"
        COMPACT_BOUNDARY "compact-boundary"
        MICROCOMPACT_BOUNDARY "microcompact-boundary"
        STOP_HOOK_SUMMARY "stop-hook-summary"
        NONE "none"
    }
}

impl Subtype {
    /// Whether a client may say it at any time. Boundaries come only from compactions.
    pub(super) fn is_notice(self) -> bool {
        !matches!(self, Self::COMPACT_BOUNDARY | Self::MICROCOMPACT_BOUNDARY | Self::NONE)
    }
}

static SIDE_RECORDS: [Row; SIDE_KINDS.len()] = named(SIDE_KINDS, &[]);

rows! {
    /// The kind of a side record.
    SideKind of SIDE_RECORDS {
        SUMMARY "summary"
        LAST_PROMPT "last-prompt"
        FILE_HISTORY_SNAPSHOT "file-history-snapshot"
    }
}
