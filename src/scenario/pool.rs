//! *Pools* are the few ids, texts, flags and members that plans draw from: plain ones first, so
//! that shrinking ends at them, and nasty ones after.

use crate::message::constants::{
    CANCEL, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT, NO_CONTENT, NO_RESPONSE_REQUESTED,
    REJECT,
};

/// The ids. Those of the third group share their first 24 characters, and so their derived ids.
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
    "ünïcödé-ünïcödé-ünïcödé-ünïcödé",
    "0123456789",
    "not a uuid: longer than thirty-six characters, surely",
];

/// How many ids there are.
pub const ID_COUNT: u8 = IDS.len() as u8;

/// An id.
pub fn id(which: u8) -> &'static str {
    IDS[usize::from(which) % IDS.len()]
}

/// A session.
pub fn session(which: u8) -> &'static str {
    ["5e550000-0000-4000-8000-000000000001", "5e550000-0000-4000-8000-000000000002", "s3"]
        [usize::from(which) % 3]
}

/// How many texts there are.
pub const TEXT_COUNT: u8 = 24;

/// A text, as a JSON string with its quotes.
pub fn text(which: u8) -> String {
    let plain = match which % TEXT_COUNT {
        0 => "a",
        1 => "b",
        2 => "a longer text, of several words",
        3 => "",
        4 => " \n\t ",
        5 => NO_CONTENT,
        6 => "[no content]",
        7 => INTERRUPTION,
        8 => INTERRUPTION_FOR_TOOL_USE,
        9 => CANCEL,
        10 => REJECT,
        11 => NO_RESPONSE_REQUESTED,
        12 => MISSING_TOOL_RESULT,
        13 => r#"{"type":"user","uuid":"u1","sessionId":"s"}"#,
        14 => "}{\"type\":\"user\"",
        15 => "12345678901234567890",
        16 => "line one\u{2028}line two\u{2029}\u{85}",
        17 => "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{202E}abc",
        18 => "emoji 😀 e\u{301} ñ 漢字",
        19 => r#"C:\users\new "quoted""#,
        // Texts that only escapes can write.
        20 => return r#""NUL \u0000 inside""#.into(),
        21 => return r#""a pair \ud83d\ude00 as escapes""#.into(),
        22 => return format!("\"{}\"", "long ".repeat(2_000)),
        _ => return r#""\u0041\/\b\f""#.into(),
    };
    serde_json::Value::from(plain).to_string()
}

/// The flags that any line may have.
pub const FLAGS: [&str; 6] = [
    "isSidechain",
    "isMeta",
    "isVirtual",
    "isVisibleInTranscriptOnly",
    "isCompactSummary",
    "isApiErrorMessage",
];

/// Members beyond the usual ones, as JSON.
pub const EXTRAS: [&str; 12] = [
    r#""cwd":"/home/a","gitBranch":"main","version":"2.1.42","userType":"external","slug":"a-b""#,
    r#""logicalParentUuid":"00000000-0000-4000-8000-000000000001""#,
    r#""agentId":"agent1""#,
    r#""novelty":{"deep":[1,2.50,-0.0,1e400,123456789012345678901234567890]}"#,
    r#""compactMetadata":{"trigger":"auto","preTokens":1000,"preservedSegment":{"headUuid":"00000000-0000-4000-8000-000000000001","anchorUuid":"u1","tailUuid":"00000000-0000-4000-8000-000000000002"}}"#,
    r#""compactMetadata":null"#,
    r#""requestId":"req_1","error":null,"apiError":"rate_limit","advisorModel":"m""#,
    r#""toolUseResult":{"stdout":"a","stderr":"","interrupted":false,"isImage":false}"#,
    r#""toolUseResult":"Error: a","sourceToolAssistantUUID":"00000000-0000-4000-8000-000000000001""#,
    r#""toolUseID":"toolu_1","parentToolUseID":"toolu_1","data":{"type":"bash_progress","output":"a"}"#,
    r#""leafUuid":"00000000-0000-4000-8000-000000000001","messageId":"u1","summary":"a""#,
    r#""0":"m","1":"e","2":"s","origin":{"kind":"human"},"supersedesUuids":["u1"]"#,
];
