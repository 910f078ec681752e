//! *Extras*: additional members that any line may have.

use crate::scenario::choices;

choices! {
    /// Additional members, as JSON.
    Extra: &'static str {
        OfTheClient "of-the-client" "directory, branch, version" => r#""cwd":"/home/a","gitBranch":"main","version":"2.1.42","userType":"external","slug":"a-b""#;
        LogicalParent "logical-parent" "the message before a boundary" => r#""logicalParentUuid":"00000000-0000-4000-8000-000000000001""#;
        Agent "agent" "a subagent and its team" => r#""agentId":"agent1","teamName":"crew""#;
        HugeNumber "huge-number" "a number that no double holds" => r#""novelty":{"deep":[1,2.50,-0.0,1e400,123456789012345678901234567890]}"#;
        PreservedSegment "preserved-segment" "metadata of a compaction, with a segment" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000001","anchorUuid":"u1","tailUuid":"00000000-0000-4000-8000-000000000002"}}"#;
        MetadataNull "metadata-null" "metadata of a compaction that is null" => r#""compactMetadata":null"#;
        Request "request" "a request's id and error" => r#""requestId":"req_1","error":null,"apiError":"rate_limit","advisorModel":"m""#;
        ToolOutput "tool-output" "what a tool gave" => r#""toolUseResult":{"stdout":"a","stderr":"","interrupted":false,"isImage":false,"structuredContent":null}"#;
        ToolError "tool-error" "how a tool failed, and the line of its call" => r#""toolUseResult":"Error: a","sourceToolAssistantUUID":"00000000-0000-4000-8000-000000000001""#;
        ToolIds "tool-ids" "the call that a line is about, and the agent" => r#""agentId":"agent1","toolUseID":"toolu_1","parentToolUseID":"toolu_1","data":{"type":"bash_progress","output":"a"}"#;
        LeafAndSnapshot "leaf-and-snapshot" "the leaf and the message that side records name" => r#""leafUuid":"00000000-0000-4000-8000-000000000001","messageId":"u1","summary":"a""#;
        NumericKeys "numeric-keys" "a message spread into numeric keys" => r#""0":"m","1":"e","2":"s","origin":{"kind":"human"},"supersedesUuids":["u1"]"#;
        LongNumbers "long-numbers" "numbers that lose digits as doubles" => r#""novelty":{"deep":[1,2.50,-0.0,1e40,1E5,1e-7,2.5E+3,-1.0e-12,123456789012345678901234567890]}"#;
        Retracted "retracted" "messages that a notice withdraws" => r#""retractedMessageUuids":["u1"]"#;
        PreservedMessages "preserved-messages" "metadata of a compaction, with messages" => r#""compactMetadata":{"trigger":"manual","preTokens":1000,"preservedMessages":{"anchorUuid":"03000000-0000-4000-8000-000000000003","uuids":["01000000-0000-4000-8000-000000000001","02000000-0000-4000-8000-000000000002"]}}"#;
        Superseded "superseded" "messages that a reply takes the place of" => r#""supersedesUuids":["02000000-0000-4000-8000-000000000002"]"#;
        PreservedBoth "preserved-both" "metadata of a compaction, with a segment and with messages" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000001","anchorUuid":"u1","tailUuid":"00000000-0000-4000-8000-000000000002"},"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000002"]}}"#;
        PreservedGone "preserved-gone" "metadata of a compaction, with a message that is not there" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000001","99999999-0000-4000-8000-000000000098"]}}"#;
        PreservedFew "preserved-few" "metadata of a compaction that names more messages as kept than it brings back" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000002"],"allUuids":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000002"]}}"#;
        RetractedOdd "retracted-odd" "a list of messages to withdraw that holds a number" => r#""retractedMessageUuids":["u1",7]"#;
        NullFields "null-fields" "fields that are null" => r#""cwd":null,"gitBranch":null,"version":null,"userType":null,"slug":null,"createdAt":null,"agentId":null,"teamName":null,"requestId":null,"sourceToolAssistantUUID":null,"supersedesUuids":null,"retractedMessageUuids":null"#;
        EmptyFields "empty-fields" "fields that are the empty text" => r#""cwd":"","gitBranch":"","version":"","userType":"","slug":"","agentId":"","teamName":"""#;
        // The line's time has a wrong type too.
        WrongTypes "wrong-types" "known fields of wrong types" => r#""cwd":7,"gitBranch":["main"],"version":2.1,"userType":{},"slug":false,"createdAt":1767225600,"agentId":7,"isSidechain":"no","requestId":7,"advisorModel":{},"sourceToolUseID":7,"durationMs":"1","hookInfos":"a","compactedToolIds":7,"logicalParentUuid":7"#;
        PreservedTurned "preserved-turned" "metadata of a compaction that names messages in another order than the file" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000002","00000000-0000-4000-8000-000000000001"]}}"#;
        WrongFlags "wrong-flags" "flags that are text or numbers" => r#""isVirtual":"yes","isVisibleInTranscriptOnly":1,"isMeta":"no","isCompactSummary":"true""#;
        WrongSession "wrong-session" "a session that is a number" => r#""sessionId":7,"slug":"no-session""#;
        // These are in patterns alone.
        EmptyOutput "empty-output" "what a tool gave, the empty text" => r#""toolUseResult":"""#;
        FalseOutput "false-output" "what a tool gave, false" => r#""toolUseResult":false"#;
        ZeroOutput "zero-output" "what a tool gave, the number 0" => r#""toolUseResult":0"#;
        PreservedTwice "preserved-twice" "metadata of a compaction that names a message twice" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000002","00000000-0000-4000-8000-000000000001"]}}"#;
        PreservedNowhere "preserved-nowhere" "metadata of a compaction that does not say where what is kept belongs" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"uuids":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000002"]}}"#;
        SegmentNowhere "segment-nowhere" "metadata of a compaction with a segment that belongs nowhere" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000001","anchorUuid":null,"tailUuid":"00000000-0000-4000-8000-000000000002"}}"#;
        PreservedSummary "preserved-summary" "metadata of a compaction that brings back the summary of another" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"00000000-0000-4000-8000-000000000003","uuids":["u1"]}}"#;
        DeniedByAnInterrupt "denied-by-an-interrupt" "a result of a call that was interrupted" => r#""toolDenialKind":"interrupted""#;
        OfPrototypes "of-prototypes" "members with names that objects of JavaScript have" => r#""__proto__":{"a":1},"constructor":"b""#;
        PreservedAllGone "preserved-all-gone" "metadata of a compaction that names a message as kept that is not there" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000002"],"allUuids":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000002","99999999-0000-4000-8000-000000000098"]}}"#;
        SegmentWithoutTail "segment-without-tail" "metadata of a compaction with a segment whose last message is not there" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000001","anchorUuid":"u1","tailUuid":"99999999-0000-4000-8000-000000000098"}}"#;
        OtherAgent "other-agent" "another subagent" => r#""agentId":"agent2""#;
        Forked "forked" "where a copy of a message comes from" => r#""forkedFrom":{"sessionId":"s0","messageUuid":"u0"}"#;
        ForkedNull "forked-null" "a message that comes from nowhere" => r#""forkedFrom":null"#;
        ForkedText "forked-text" "a message that comes from a text" => r#""forkedFrom":"s0""#;
        RequestOfDigits "request-of-digits" "a request whose id begins with a digit" => r#""requestId":"1r""#;
        RequestOfALetter "request-of-a-letter" "a request whose id is a letter" => r#""requestId":"r""#;
        PreservedNone "preserved-none" "metadata of a compaction that keeps no message" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":[]}}"#;
        PreservedAnchor "preserved-anchor" "metadata of a compaction that keeps the record behind which that belongs" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000001","u1"]}}"#;
        PreservedItself "preserved-itself" "metadata of a compaction that keeps the boundary itself" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"u1","uuids":["00000000-0000-4000-8000-000000000001","00000000-0000-4000-8000-000000000003"]}}"#;
        PreservedBoundary "preserved-boundary" "metadata of a compaction that brings back the boundary and the summary of another" => r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedMessages":{"anchorUuid":"00000000-0000-4000-8000-000000000003","uuids":["00000000-0000-4000-8000-000000000004","u1"]}}"#;
        Leaf "leaf" "the leaf that side records name" => r#""leafUuid":"00000000-0000-4000-8000-000000000001","summary":"a""#;
    }
}

/// How many extras any line may have. They are the first ones.
pub(in crate::scenario) const LOOSE_EXTRAS: u8 = Extra::EmptyOutput as u8;

/// The beginning of the number that no double holds, in [`Extra::HugeNumber`].
pub(in crate::scenario) const HUGE: &str = "1e400";

/// The number of the id that extras name.
pub(in crate::scenario) const NAMED_ID: u8 = 11;

/// The numbers of the ids of the lines that [`Extra::PreservedSegment`] begins and ends with.
pub(in crate::scenario) const HEAD_ID: u8 = 0;
pub(in crate::scenario) const TAIL_ID: u8 = 1;

/// The number of the id of the record behind which [`Extra::PreservedSummary`] keeps a summary.
pub(in crate::scenario) const ANCHOR_ID: u8 = 2;

/// The number of the id of the boundary that [`Extra::PreservedBoundary`] brings back.
pub(in crate::scenario) const BOUNDARY_ID: u8 = 3;
