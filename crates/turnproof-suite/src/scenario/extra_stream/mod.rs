//! Extra streams: short replies that begin, continue, end or travel in a way that is rarely met. Such a stream
//! belongs to no line and to no conversation, so a plan of any profile may have some.

mod event;
mod wire;

use serde::{Deserialize, Serialize};

use crate::operation::StreamItem;

use super::{Choice, Source, choices};

/// More objects than an object may be deep.
macro_rules! many {
    () => {
        concat!(many!(@), many!(@), many!(@), many!(@), many!(@))
    };
    (@) => {
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},"
    };
}

choices! {
    /// The first block of the reply: what it begins with, and the deltas that come.
    ExtraStreamBlock: (&'static str, &'static [&'static str]) {
        Text "text" "a text that is streamed on its own" => (r#"{"type":"text","text":""}"#, &[
            r#"{"type":"text_delta","text":"Grüße "}"#, r#"{"type":"text_delta","text":"😀."}"#]);
        TextBegun "text-begun" "a text that begins in the start of its block" => (r#"{"type":"text","text":"Once"}"#, &[
            r#"{"type":"text_delta","text":" upon"}"#, r#"{"type":"text_delta","text":" a time"}"#]);
        ThinkingBegun "thinking-begun" "thinking that begins in the start of its block" => (r#"{"type":"thinking","thinking":"Well","signature":""}"#, &[
            r#"{"type":"thinking_delta","thinking":", so"}"#, r#"{"type":"signature_delta","signature":"c2lnbmVk"}"#]);
        SignedAtStart "signed-at-start" "thinking whose signature is in the start of its block" => (r#"{"type":"thinking","thinking":"","signature":"c3RhcnQ="}"#, &[
            r#"{"type":"thinking_delta","thinking":"Well"}"#]);
        InputAtStart "input-at-start" "a call whose input is in the start of its block alone" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{"command":"ls"}}"#, &[
            r#"{"type":"input_json_delta","partial_json":""}"#]);
        InputTwice "input-twice" "a call with an input in the start of its block, and another in its deltas" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{"command":"ls"}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\"path\""}"#, r#"{"type":"input_json_delta","partial_json":": \"/a\"}"}"#]);
        Citations "citations" "a text with several citations" => (r#"{"type":"text","text":""}"#, &[
            r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"a","document_index":0}}"#,
            r#"{"type":"text_delta","text":"As said"}"#,
            r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"b","document_index":1}}"#]);
        CitationsBegun "citations-begun" "a text with citations in the start of its block, and more in deltas" => (r#"{"type":"text","text":"","citations":[{"type":"char_location","cited_text":"a","document_index":0}]}"#, &[
            r#"{"type":"text_delta","text":"As said"}"#,
            r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"b","document_index":1}}"#]);
        HalvesOfText "halves-of-text" "a character of a text in two deltas" => (r#"{"type":"text","text":""}"#, &[
            r#"{"type":"text_delta","text":"a\ud83d"}"#, r#"{"type":"text_delta","text":"\ude00b"}"#]);
        HalvesFromStart "halves-from-start" "a character of a text, half in the start of its block and half in a delta" => (r#"{"type":"text","text":"\ud83d"}"#, &[
            r#"{"type":"text_delta","text":"\ude00"}"#]);
        HalvesOfThinking "halves-of-thinking" "a character of thinking in two deltas" => (r#"{"type":"thinking","thinking":"","signature":""}"#, &[
            r#"{"type":"thinking_delta","thinking":"\ud83d"}"#, r#"{"type":"thinking_delta","thinking":"\ude00"}"#,
            r#"{"type":"signature_delta","signature":"c2lnbmVk"}"#]);
        HalvesOfInput "halves-of-input" "a character of an input in two deltas" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\"command\":\"\ud83d"}"#, r#"{"type":"input_json_delta","partial_json":"\ude00\"}"}"#]);
        HalfAlone "half-alone" "a text with half of a surrogate pair that stays alone" => (r#"{"type":"text","text":""}"#, &[
            r#"{"type":"text_delta","text":"a\ud83d"}"#, r#"{"type":"text_delta","text":"b"}"#]);
        LargeNumbers "large-numbers" "an input with numbers that no double holds" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\"order\":12345678901234567890,"}"#,
            r#"{"type":"input_json_delta","partial_json":"\"row\":[9007199254740993,-9007199254740993]}"}"#]);
        ServerCall "server-call" "a server tool's call whose input comes in deltas" => (r#"{"type":"server_tool_use","id":"srvtoolu_flow","name":"web_search","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\"query\""}"#, r#"{"type":"input_json_delta","partial_json":":\"a\"}"}"#]);
        McpCall "mcp-call" "an MCP tool's call whose input comes in deltas" => (r#"{"type":"mcp_tool_use","id":"mcptoolu_flow","name":"look","server_name":"s","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\"query\""}"#, r#"{"type":"input_json_delta","partial_json":":\"a\"}"}"#]);
        WholeAtStart "whole-at-start" "a block that is whole in its start" => (r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_flow","content":[{"type":"web_search_result","url":"https://example.com","title":"a","encrypted_content":"ZGF0YQ==","page_age":null}]}"#, &[]);
        Compaction "compaction" "a compaction with content that only the API reads" => (r#"{"type":"compaction","content":null,"encrypted_content":null}"#, &[
            r#"{"type":"compaction_delta","content":"What","encrypted_content":"Zmlyc3Q="}"#,
            r#"{"type":"compaction_delta","content":"What happened","encrypted_content":"c2Vjb25k"}"#]);
        Fallback "fallback" "a block that names another model" => (r#"{"type":"fallback","from":{"model":"claude-opus-4-5"},"to":{"model":"claude-haiku-4-5"}}"#, &[]);
        CompactionOfAnother "compaction-of-another" "a delta of a compaction inside another block" => (r#"{"type":"block_of_tomorrow","content":"a"}"#, &[
            r#"{"type":"compaction_delta","content":"b"}"#]);
        Handover "handover" "a block of another type that names a model" => (r#"{"type":"handover","to":{"model":"claude-haiku-4-5"}}"#, &[]);
        TextInput "text-input" "a call whose start has a text as its input" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":"ls"}"#, &[
            r#"{"type":"input_json_delta","partial_json":""}"#]);
        TwoWords "two-words" "an input with two numbers in a row" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\"n\":1"}"#, r#"{"type":"input_json_delta","partial_json":"\n2}"}"#]);
        InputOfLines "input-of-lines" "an input on several lines" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":"{\n  \"command\": \"ls\",\n  \"n\": [1,\n 2]"}"#,
            r#"{"type":"input_json_delta","partial_json":"\n}"}"#]);
        WideInput "wide-input" "an input of many small objects" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{}}"#, &[
            concat!(r#"{"type":"input_json_delta","partial_json":"{\"list\":["#, many!(), r#"{}]}"}"#)]);
        WideBlock "wide-block" "a block of many small objects" => (concat!(r#"{"type":"block_of_tomorrow","list":["#, many!(), "{}]}"), &[]);
        TextAstray "text-astray" "a delta of text inside thinking" => (r#"{"type":"thinking","thinking":"","signature":""}"#, &[
            r#"{"type":"thinking_delta","thinking":"Well"}"#, r#"{"type":"text_delta","text":"astray"}"#,
            r#"{"type":"signature_delta","signature":"c2lnbmVk"}"#]);
        DeltaOfTomorrow "delta-of-tomorrow" "a text with a delta of a type that nobody knows" => (r#"{"type":"text","text":""}"#, &[
            r#"{"type":"text_delta","text":"As"}"#, r#"{"type":"delta_of_tomorrow","text":" never"}"#, r#"{"type":"text_delta","text":" said"}"#]);
        OtherMembers "other-members" "a block with members that nobody knows" => (r#"{"type":"text","text":"a","novelty":{"order":12345678901234567890},"nothing":null}"#, &[]);
        BlankInput "blank-input" "a call whose input is white space alone" => (r#"{"type":"tool_use","id":"toolu_flow","name":"Bash","input":{}}"#, &[
            r#"{"type":"input_json_delta","partial_json":" "}"#, r#"{"type":"input_json_delta","partial_json":"\n"}"#]);
    }
}

choices! {
    /// What the start of the reply holds.
    ExtraStreamStart: &'static str {
        Usual "usual" "a reply that begins without a block" => r#""content":[],"usage":{"input_tokens":10,"output_tokens":1}"#;
        WithText "with-text" "a reply whose start holds a text" => r#""content":[{"type":"text","text":"given"}],"usage":{"input_tokens":10,"output_tokens":1}"#;
        WithCall "with-call" "a reply whose start holds a call and its input" => r#""content":[{"type":"tool_use","id":"toolu_given","name":"Read","input":{"file_path":"/a"}}],"usage":{"input_tokens":10,"output_tokens":1}"#;
        OfManyCounts "of-many-counts" "a reply whose first usage has many members" => r#""content":[],"usage":{"input_tokens":10,"cache_creation_input_tokens":7,"cache_read_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":7,"ephemeral_1h_input_tokens":0},"output_tokens":1,"server_tool_use":null,"service_tier":"standard"}"#;
        OfInnerCounts "of-inner-counts" "a reply whose first usage has counts inside counts" => r#""content":[],"usage":{"input_tokens":10,"cache_creation":{"ephemeral_5m_input_tokens":7,"ephemeral_1h_input_tokens":3},"output_tokens":1,"server_tool_use":{"web_search_requests":1,"web_fetch_requests":1}}"#;
        OtherMembers "other-members" "a reply whose start has members that nobody knows" => r#""content":[],"container":null,"novelty":{"a":1},"usage":{"input_tokens":10,"output_tokens":1,"novel_tokens":2}"#;
        WithReason "with-reason" "a reply whose start says why it stops" => r#""content":[],"stop_reason":"end_turn","stop_sequence":"","usage":{"input_tokens":10,"output_tokens":1}"#;
    }
}

choices! {
    /// The `message_delta`s, without their type.
    ExtraStreamEnd: &'static [&'static str] {
        Usual "usual" "a reply that ends with its reason and its cost" => &[r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20}"#];
        Sequence "sequence" "a reply that names the sequence at which it stopped" => &[r#""delta":{"stop_reason":"stop_sequence","stop_sequence":"END"},"usage":{"output_tokens":20}"#];
        AllCounts "all-counts" "a reply whose end counts more than its output" => &[r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":12,"cache_creation_input_tokens":null,"cache_read_input_tokens":6,"output_tokens":20,"output_tokens_details":{"thinking_tokens":3},"server_tool_use":{"web_search_requests":1,"web_fetch_requests":0}}"#];
        Twice "twice" "a reply that says twice how it ends, and another time less" => &[
            r#""delta":{"stop_reason":"pause_turn","stop_sequence":"A"},"usage":{"input_tokens":12,"output_tokens":30}"#,
            r#""delta":{"stop_reason":"end_turn","stop_sequence":"B"},"usage":{"input_tokens":11,"output_tokens":20}"#];
        ThenNull "then-null" "a reply whose second end has null in each place" => &[
            r#""delta":{"stop_reason":"stop_sequence","stop_sequence":"END","container":{"id":"container_1","expires_at":"2030-01-01T00:00:00Z"}},"usage":{"input_tokens":12,"output_tokens":20}"#,
            r#""delta":{"stop_reason":null,"stop_sequence":null,"container":null},"usage":{"input_tokens":null,"output_tokens":25},"context_management":null"#];
        ThenCost "then-cost" "a reply whose second end has its cost alone" => &[
            r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20}"#,
            r#""delta":{},"usage":{"output_tokens":25}"#];
        ThenReason "then-reason" "a reply whose second end has its reason alone" => &[
            r#""delta":{"stop_reason":null,"stop_sequence":null},"usage":{"output_tokens":20}"#,
            r#""delta":{"stop_reason":"max_tokens","stop_sequence":null}"#];
        Inside "inside" "a reply whose end has other members in its delta" => &[r#""delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal","category":null,"explanation":"a"},"container":{"id":"container_1","expires_at":"2030-01-01T00:00:00Z"},"context_management":{"applied_edits":[]},"novelty":{"a":1}},"usage":{"output_tokens":20}"#];
        Beside "beside" "a reply whose end has other members beside its delta" => &[r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20},"context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919","cleared_tool_uses":2}]},"input_transformations":[{"type":"image_resized"}]"#];
        Fixed "fixed" "a reply whose end names what its start has said" => &[r#""delta":{"id":"msg_other","type":"other","role":"user","model":"other","content":[],"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20}"#];
        OddReason "odd-reason" "a reply whose second end has a reason that is no text" => &[
            r#""delta":{"stop_reason":"end_turn","stop_sequence":"END"},"usage":{"output_tokens":20}"#,
            r#""delta":{"stop_reason":7,"stop_sequence":[]},"usage":{"output_tokens":25}"#];
        SequenceGone "sequence-gone" "a reply whose second end has another reason, and no sequence" => &[
            r#""delta":{"stop_reason":"stop_sequence","stop_sequence":"END"},"usage":{"output_tokens":20}"#,
            r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":25}"#];
        None "none" "a reply that ends without its reason and its cost" => &[];
        PartOfACount "part-of-a-count" "a reply whose end counts again, with less inside a count" => &[r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":9},"server_tool_use":{"web_search_requests":2}}"#];
        ThenSequence "then-sequence" "a reply whose second end has the sequence alone" => &[
            r#""delta":{"stop_reason":"stop_sequence","stop_sequence":null},"usage":{"output_tokens":20}"#,
            r#""delta":{"stop_sequence":"END"},"usage":{"output_tokens":20}"#];
        NovelNull "novel-null" "a reply whose end has null in the place of a count that nobody knows" => &[r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":20,"novel_tokens":null}"#];
        LowerCounts "lower-counts" "a reply whose end counts less than its start" => &[r#""delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":4,"output_tokens":0}"#];
    }
}

choices! {
    /// What happens to the reply, or beside it.
    ExtraStreamFate {
        Whole "whole" "a reply of its own that is whole";
        OpenToTheEnd "open-to-the-end" "a reply whose last block has no stop";
        NoStop "no-stop" "a reply that ends without its last event";
        CutShort "cut-short" "a reply that ends between two blocks, and is not given up";
        CutInABlock "cut-in-a-block" "a reply that ends inside a block, and is not given up";
        Error "error" "an error after a finished block, and nothing is given up";
        ErrorInABlock "error-in-a-block" "an error inside a block after a finished one, and nothing is given up";
        GivenUp "given-up" "a whole reply that is given up, and another";
        GivenUpInABlock "given-up-in-a-block" "a reply that is given up inside a block, and another";
        GivenUpTwice "given-up-twice" "a reply that is given up twice before another block has come";
        Answered "answered" "a result that joins before the reply continues";
        AnsweredWithImage "answered-with-image" "a result of an image that joins inside a block";
        Spoken "spoken" "a prompt that joins inside a block";
        AnsweredThenGivenUp "answered-then-given-up" "a result whose call is given up after it";
        SpokenThenGivenUp "spoken-then-given-up" "a prompt that joins a reply that is given up";
        TwoOpen "two-open" "two blocks that are open at once";
        LateDelta "late-delta" "a delta of a block that has stopped, when the next one is open";
        TheSameAgain "the-same-again" "a reply that says the same in two blocks";
        AnotherReply "another-reply" "a reply after a reply in one stream";
        AnsweredInWordsThenGivenUp "answered-in-words-then-given-up" "a result and words in one message, whose call is given up after it";
        PingInABlock "ping-in-a-block" "a ping between the deltas of a block";
        ErrorThenMore "error-then-more" "an error after a finished block, and a stream that continues behind it";
        ErrorThenReply "error-then-reply" "an error after a finished block, and another reply behind it in one stream";
        BeginsInACall "begins-in-a-call" "a block that begins inside a call whose input is cut";
        NamedThenGivenUp "named-then-given-up" "a result that names its call, which is given up, and another call with its id";
    }
}

choices! {
    /// How the events travel.
    ExtraStreamWire {
        Events "events" "a stream of events";
        Bytes "bytes" "a stream of bytes";
        NoSpace "no-space" "bytes whose fields have no space after the colon";
        NoName "no-name" "bytes whose events have no name";
        NameAlone "name-alone" "bytes whose events have their type as name alone";
        ByteOrderMark "byte-order-mark" "bytes that begin with a byte order mark, and events without a name";
        Comments "comments" "bytes with comments, also between the lines of an event";
        DataLines "data-lines" "bytes whose data comes in two lines";
        ReturnsAndFeeds "returns-and-feeds" "bytes whose lines end with CR LF";
        Returns "returns" "bytes whose lines end with CR";
        OtherFields "other-fields" "bytes with fields that nobody needs, and an event without data";
        UnfinishedEvent "unfinished-event" "bytes that end inside an event";
        NamelessAgain "nameless-again" "bytes in which each event comes again without a name and a type";
        TwoSpaces "two-spaces" "bytes in which an event comes again without a type, and with two spaces before its name";
    }
}

/// A stream of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExtraStreamPlan {
    /// The first block.
    pub block: ExtraStreamBlock,
    /// What the start of the reply holds.
    pub start: ExtraStreamStart,
    /// How the reply ends.
    pub end: ExtraStreamEnd,
    /// What happens to it.
    pub fate: ExtraStreamFate,
    /// How its events travel.
    pub wire: ExtraStreamWire,
}

impl ExtraStreamPlan {
    /// The stream.
    pub(super) fn items(&self) -> Vec<StreamItem> {
        wire::sent(self.wire, event::happens(self))
    }

    /// The plan as numbers; the plainest of each is 0.
    pub(super) fn choices(&self) -> [u8; 5] {
        let Self { block, start, end, fate, wire } = self;
        [block.place(), start.place(), end.place(), fate.place(), wire.place()]
    }

    /// The plan of such numbers.
    pub(super) fn of_choices([block, start, end, fate, wire]: [u8; 5]) -> Self {
        Self {
            block: Choice::at(block),
            start: Choice::at(start),
            end: Choice::at(end),
            fate: Choice::at(fate),
            wire: Choice::at(wire),
        }
    }
}

/// Half of the plans have a stream of their own.
pub(super) fn extra_streams(source: &mut dyn Source) -> Vec<ExtraStreamPlan> {
    let has_one = !source.once_in(5);
    has_one.then(|| extra_stream(source)).into_iter().collect()
}

fn extra_stream(source: &mut dyn Source) -> ExtraStreamPlan {
    let (start, mut end) = match source.below(24) {
        // Counts inside counts are seen where both ends of a reply have them, and so are counts that nobody knows.
        0 | 1 => (ExtraStreamStart::OfInnerCounts, ExtraStreamEnd::PartOfACount),
        2 => (ExtraStreamStart::OtherMembers, ExtraStreamEnd::NovelNull),
        _ => (any(source), any(source)),
    };
    // Who knows one open block alone is seen where two are open.
    let fate = if source.once_in(12) { ExtraStreamFate::TwoOpen } else { any(source) };
    if fate == ExtraStreamFate::OpenToTheEnd && source.once_in(3) {
        // The last event alone stops the block.
        end = ExtraStreamEnd::None;
    }
    ExtraStreamPlan { block: any(source), start, end, fate, wire: any(source) }
}

/// The plainest, or any.
fn any<T: Choice>(source: &mut dyn Source) -> T {
    if source.once_in(3) { T::at(0) } else { T::at(source.byte(T::count())) }
}
