//! *Texts*: plain ones first, then constants of the protocol, texts that look like JSON, and texts that need escapes.

use crate::message::constants::{
    CANCEL, INTERRUPTION, INTERRUPTION_FOR_TOOL_USE, MISSING_TOOL_RESULT, NO_CONTENT, NO_RESPONSE_REQUESTED,
    PLAN_REJECTION_PREFIX, REJECT, REJECT_WITH_REASON_PREFIX, SUBAGENT_REJECT, SUBAGENT_REJECT_WITH_REASON_PREFIX,
    SYNTHETIC_MODEL, automatic_denial, classifier_denial, dont_ask_denial,
};

pub(in crate::scenario) enum Spelling {
    /// Written as it is.
    Said(&'static str),
    /// Written as JSON, with escapes.
    Escaped(&'static str),
    /// Made from a constant and more.
    Made(fn() -> String),
    /// The same part many times.
    Long(&'static str, usize),
}
use crate::scenario::{choices, forms};
use Spelling::{Escaped, Long, Made, Said};

/// The context that some requests have.
pub(in crate::scenario) const CONTEXT: &str = "\n# The project\n\nIt is a crate.\n";

choices! {
    /// A text.
    PoolText: Spelling {
        Plain "plain" "a letter" => Said("a");
        Another "another" "another letter" => Said("b");
        Words "words" "several words" => Said("a longer text, of several words");
        Empty "empty" "the empty text" => Said("");
        Blank "blank" "white space alone" => Said(" \n\t ");
        NoContent "no-content" "the text that stands for no content" => Said(NO_CONTENT);
        NoContentInBrackets "no-content-in-brackets" "its other form" => Said("[no content]");
        Interruption "interruption" "the text of an interruption" => Said(INTERRUPTION);
        InterruptionForToolUse "interruption-for-tool-use" "the text of an interruption of a tool" => Said(INTERRUPTION_FOR_TOOL_USE);
        Cancel "cancel" "the text of a cancelled action" => Said(CANCEL);
        Reject "reject" "the text of a rejection" => Said(REJECT);
        NoResponseRequested "no-response-requested" "the text of a turn that nobody wants" => Said(NO_RESPONSE_REQUESTED);
        MissingResult "missing-result" "the text of a result that is missing" => Said(MISSING_TOOL_RESULT);
        LikeARecord "like-a-record" "a text that looks like a record" => Said(r#"{"type":"user","uuid":"u1","sessionId":"s"}"#);
        LikeGluedRecords "like-glued-records" "a text that looks like the seam of two records" => Said("}{\"type\":\"user\"");
        Digits "digits" "a text of digits" => Said("12345678901234567890");
        LineSeparators "line-separators" "raw U+2028, U+2029 and U+0085" => Said("line one\u{2028}line two\u{2029}\u{85}");
        RightToLeft "right-to-left" "right-to-left letters and an override" => Said("\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{202E}abc");
        Emoji "emoji" "emoji and combining marks" => Said("emoji 😀 e\u{301} ñ 漢字");
        Backslashes "backslashes" "a path with backslashes, and quotes" => Said(r#"C:\users\new "quoted""#);
        NulInside "nul-inside" "U+0000 inside a text" => Escaped(r"NUL \u0000 inside");
        EscapedPair "escaped-pair" "a surrogate pair as escapes" => Escaped(r"a pair \ud83d\ude00 in two");
        Long "long" "ten thousand characters" => Long("long ", 2_000);
        OddEscapes "odd-escapes" "escapes that nobody needs" => Escaped(r"\u0041\/\b\f");
        ByteOrderMark "byte-order-mark" "a byte order mark alone" => Said("\u{FEFF}");
        BlankControls "blank-controls" "control characters that only some call blank" => Said("\u{1C}\u{1F}");
        BlankWide "blank-wide" "white space beyond ASCII" => Said("\u{A0}\u{3000}");
        BlankEnd "blank-end" "a text that ends blank" => Said("ends blank \n\u{FEFF}");
        BlankBeginning "blank-beginning" "a text that begins blank" => Said("  begins blank");
        ZeroWidth "zero-width" "a space without width, which is not blank" => Said("\u{200B}");
        HalfAPair "half-a-pair" "a lone high surrogate" => Escaped(r"half a pair \ud83d");
        SwappedPair "swapped-pair" "a low surrogate before a high one" => Escaped(r"\ude00 \ud83d");
        RejectWithReason "reject-with-reason" "the text of a rejection with a reason" => Made(|| format!("{REJECT_WITH_REASON_PREFIX}use another tool"));
        SubagentReject "subagent-reject" "the text of a subagent's rejection" => Said(SUBAGENT_REJECT);
        SubagentRejectWithReason "subagent-reject-with-reason" "the text of a subagent's rejection with a reason" => Made(|| format!("{SUBAGENT_REJECT_WITH_REASON_PREFIX}not there"));
        PlanRejection "plan-rejection" "the text of a rejected plan" => Made(|| format!("{PLAN_REJECTION_PREFIX}1. look"));
        RuleDenial "rule-denial" "the text of a denial by a rule" => Made(|| automatic_denial("Bash"));
        DontAskDenial "dont-ask-denial" "the text of a denial in the mode that never asks" => Made(|| dont_ask_denial("Bash"));
        ClassifierDenial "classifier-denial" "the text of a denial by a classifier" => Made(|| classifier_denial("it deletes files"));
        SyntheticModel "synthetic-model" "the name of the model that is none" => Said(SYNTHETIC_MODEL);
        LikeBlocks "like-blocks" "a text that looks like a list of blocks" => Said(r#"[{"type":"text","text":"a"},{"type":"tool_use"}]"#);
        LikeNull "like-null" "a text that looks like null" => Said("null");
        LineEnds "line-ends" "line ends of three sorts" => Said("one\rtwo\r\nthree\n\tfour");
        JoinedEmoji "joined-emoji" "emoji that are joined of several" => Said("\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{1F1E9}\u{1F1EA} \u{1F44D}\u{1F3FD}");
        Noncharacters "noncharacters" "code points that are no characters" => Said("\u{FFFE}\u{10FFFF}\u{E000}\u{FFFD}");
        NulAlone "nul-alone" "U+0000 alone" => Escaped(r"\u0000");
        HalfAPairAtTheEnd "half-a-pair-at-the-end" "a text cut between the halves of a pair" => Escaped(r"a text that was cut\ud83d");
        LineFeedEnd "line-feed-end" "a text that ends with a line feed" => Said("ends with a line feed\n");
        InterruptionMentioned "interruption-mentioned" "a text that mentions an interruption" => Said("It printed [Request interrupted by user] and went on.");
        Paragraphs "paragraphs" "a text of two paragraphs" => Said("one paragraph\n\nand another\nof two lines");
        LikeAnError "like-an-error" "a text that begins as an error does" => Said("Error: no file of this name");
        InterruptionThenMore "interruption-then-more" "a text that begins with that of an interruption" => Said("[Request interrupted by user], it printed.");
        Context "context" "the context of the project" => Said(CONTEXT);
    }
}

impl PoolText {
    /// The text as a JSON string with its quotes.
    pub fn token(self) -> String {
        match self.what() {
            Said(text) => quoted(text),
            Escaped(token) => format!("\"{token}\""),
            Made(make) => quoted(&make()),
            Long(part, times) => format!("\"{}\"", part.repeat(*times)),
        }
    }

    /// The text of an interruption: of the model, or of a tool that it waits for.
    pub(in crate::scenario) fn interruption(has_open_calls: bool) -> Self {
        if has_open_calls { Self::InterruptionForToolUse } else { Self::Interruption }
    }
}

/// A text as a JSON string.
pub(in crate::scenario) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

forms! {
    /// What a synthetic API error says, and which media it refuses. Some only seem to refuse media.
    Refusal {
        ServerError "API Error: 500 internal server error"
        ImageTooLarge "API Error: image exceeds 5 MB maximum"
        ImageNotProcessed "API Error: Could not process image"
        ImageInUpperCase "The IMAGE was Too Large"
        PdfPages "A maximum of 100 PDF pages may be provided"
        PdfLocked "The PDF specified is password protected"
        PdfNotValid "The PDF specified was not valid"
        PdfInvalid "API Error: invalid pdf"
        PdfNotRead "could not read the PDF"
        RequestTooLarge "Request too large (max 32MB)"
        RequestTooLargeType r#"{"type":"error","error":{"type":"request_too_large"}}"#
        RequestWithBoth "the request was too large: an image and a PDF"
        ImageFine "the image was fine"
        TooLarge "too large"
        PdfAlone "a pdf came along"
        Nothing ""
    }
}
