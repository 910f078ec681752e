//! *Extras*: members beyond the usual ones that any line may have, a bit for each.

/// Members beyond the usual ones, as JSON.
pub const EXTRAS: [&str; 16] = [
    r#""cwd":"/home/a","gitBranch":"main","version":"2.1.42","userType":"external","slug":"a-b""#,
    r#""logicalParentUuid":"00000000-0000-4000-8000-000000000001""#,
    r#""agentId":"agent1","teamName":"crew""#,
    r#""novelty":{"deep":[1,2.50,-0.0,1e400,123456789012345678901234567890]}"#,
    r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000001","anchorUuid":"u1","tailUuid":"00000000-0000-4000-8000-000000000002"}}"#,
    r#""compactMetadata":null"#,
    r#""requestId":"req_1","error":null,"apiError":"rate_limit","advisorModel":"m""#,
    r#""toolUseResult":{"stdout":"a","stderr":"","interrupted":false,"isImage":false}"#,
    r#""toolUseResult":"Error: a","sourceToolAssistantUUID":"00000000-0000-4000-8000-000000000001""#,
    r#""toolUseID":"toolu_1","parentToolUseID":"toolu_1","data":{"type":"bash_progress","output":"a"}"#,
    r#""leafUuid":"00000000-0000-4000-8000-000000000001","messageId":"u1","summary":"a""#,
    r#""0":"m","1":"e","2":"s","origin":{"kind":"human"},"supersedesUuids":["u1"]"#,
    r#""novelty":{"deep":[1,2.50,-0.0,1e40,123456789012345678901234567890]}"#,
    r#""retractedMessageUuids":["u1"]"#,
    r#""compactMetadata":{"trigger":"manual","preTokens":1000,"preservedMessages":{"anchorUuid":"03000000-0000-4000-8000-000000000003","uuids":["01000000-0000-4000-8000-000000000001","02000000-0000-4000-8000-000000000002"]}}"#,
    r#""supersedesUuids":["02000000-0000-4000-8000-000000000002"]"#,
];

/// A number that no double holds: a list of messages with one is read differently everywhere.
pub const HUGE: &str = "1e400";

/// The index of the extra that holds [`HUGE`].
pub const HUGE_NUMBER: u32 = 3;

/// What came before a boundary.
pub const LOGICAL_PARENT: u16 = 1 << 1;

/// Of a subagent's line.
pub const AGENT: u16 = 1 << 2;

/// A boundary's metadata with a segment.
pub const KEEPS_SEGMENT: u16 = 1 << 4;

/// A boundary without metadata.
pub const NULL_METADATA: u16 = 1 << 5;

/// A boundary's metadata with a list of messages.
pub const KEEPS_MESSAGES: u16 = 1 << 14;

/// The message whose call a result answers.
pub const SOURCE: u16 = 1 << 8;

/// A record takes the place of the one with [`NAMED_ID`].
pub const SUPERSEDES: u16 = 1 << 11;

/// A record withdraws the one with [`NAMED_ID`].
pub const RETRACTS: u16 = 1 << 13;

/// A record takes the place of the second line that has its own id.
pub const SUPERSEDES_SECOND: u16 = 1 << 15;

/// The number of the id that extras name.
pub const NAMED_ID: u8 = 11;

#[cfg(test)]
mod tests {
    use super::super::{id, own_id};
    use super::*;

    #[test]
    fn each_named_extra_holds_what_its_name_says() {
        let named = id(NAMED_ID);
        let second = id(own_id(1));
        for (extra, members) in [
            (LOGICAL_PARENT, ["logicalParentUuid", ""]),
            (AGENT, ["agentId", "teamName"]),
            (KEEPS_SEGMENT, ["compactMetadata", "preservedSegment"]),
            (NULL_METADATA, ["compactMetadata", "null"]),
            (KEEPS_MESSAGES, ["compactMetadata", "preservedMessages"]),
            (SOURCE, ["sourceToolAssistantUUID", "toolUseResult"]),
            (SUPERSEDES, ["supersedesUuids", named]),
            (RETRACTS, ["retractedMessageUuids", named]),
            (SUPERSEDES_SECOND, ["supersedesUuids", second]),
            (1 << HUGE_NUMBER, ["novelty", HUGE]),
        ] {
            let text = EXTRAS[extra.trailing_zeros() as usize];
            assert!(members.iter().all(|member| text.contains(member)), "{members:?} in {text}");
        }
    }
}
