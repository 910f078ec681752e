//! *Texts*: plain ones first, then protocol constants, look-alikes of JSON, and what only escapes
//! can write.

use crate::message::constants::{
    CANCEL, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT, NO_CONTENT, NO_RESPONSE_REQUESTED,
    PLAN_REJECTION_PREFIX, REJECT, REJECT_WITH_REASON_PREFIX, SUBAGENT_REJECT,
    SUBAGENT_REJECT_WITH_REASON_PREFIX, SYNTHETIC_MODEL, automatic_denial, classifier_denial,
    dont_ask_denial,
};

/// How many texts there are.
pub const TEXT_COUNT: u8 = 48;

/// The text of a megabyte, the last one: generators draw from those before it.
pub const MEGABYTE: u8 = TEXT_COUNT - 1;

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
        23 => return r#""\u0041\/\b\f""#.into(),
        // Blank, as Rust or JavaScript or Python see it.
        24 => "\u{FEFF}",
        25 => "\u{1C}\u{1F}",
        26 => "\u{A0}\u{3000}",
        27 => "ends blank \n\u{FEFF}",
        28 => "  begins blank",
        29 => "\u{200B}",
        HALF_A_PAIR | MORE_HALVES => {
            return [r#""half a pair \ud83d""#, r#""\ude00 \ud83d""#][usize::from(which % 2)].into();
        }
        32..39 => return quoted(&denial(which % TEXT_COUNT)),
        39 => SYNTHETIC_MODEL,
        40 => r#"[{"type":"text","text":"a"},{"type":"tool_use"}]"#,
        41 => "null",
        42 => "one\rtwo\r\nthree\n\tfour",
        43 => "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1F1E9}\u{1F1EA} \u{1F44D}\u{1F3FD}",
        44 => "\u{FFFE}\u{10FFFF}\u{E000}\u{FFFD}",
        45 => return r#""\u0000""#.into(),
        46 => return r#""a text that was cut\ud83d""#.into(),
        _ => return format!("\"{}\"", "0123456789abcdef".repeat(65_536)),
    };
    quoted(plain)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The texts of denials with more than a constant in them.
fn denial(which: u8) -> String {
    match which {
        32 => format!("{REJECT_WITH_REASON_PREFIX}use another tool"),
        33 => SUBAGENT_REJECT.to_owned(),
        34 => format!("{SUBAGENT_REJECT_WITH_REASON_PREFIX}not there"),
        35 => format!("{PLAN_REJECTION_PREFIX}1. look"),
        36 => automatic_denial("Bash"),
        37 => dont_ask_denial("Bash"),
        _ => classifier_denial("it deletes files"),
    }
}

/// A text with half of a surrogate pair.
pub const HALF_A_PAIR: u8 = 30;

/// A text with two halves, the wrong way round.
pub const MORE_HALVES: u8 = 31;

/// A text that ends with white space.
pub const BLANK_END: u8 = 27;

/// What a synthetic API error says: nothing about media, what refuses images, documents or both,
/// and what only seems to.
pub const REFUSALS: [&str; 16] = [
    "API Error: 500 internal server error",
    "API Error: image exceeds 5 MB maximum",
    "API Error: Could not process image",
    "The IMAGE was Too Large",
    "A maximum of 100 PDF pages may be provided",
    "The PDF specified is password protected",
    "The PDF specified was not valid",
    "API Error: invalid pdf",
    "could not read the PDF",
    "Request too large (max 32MB)",
    r#"{"type":"error","error":{"type":"request_too_large"}}"#,
    "the request was too large: an image and a PDF",
    // These refuse nothing.
    "the image was fine",
    "too large",
    "a pdf came along",
    "",
];

/// The text of an interruption: of the model, or of a tool that it waits for.
pub fn interruption(is_plain: bool) -> u8 {
    if is_plain { 7 } else { 8 }
}
