//! *Blocks* of a plain dialogue: texts, images, documents, calls, results and thinking, in the forms that libraries meet.

use serde::{Deserialize, Serialize};

use crate::scenario::line::is_default;
use crate::scenario::{Choice, choices};

choices! {
    /// What a text says, as JSON.
    Words: &'static str {
        Letter "letter" "a text of one letter" => r#""a""#;
        Another "another" "another text of one letter" => r#""b""#;
        Sentence "sentence" "a text of several words" => r#""Look at the file, and say what it does.""#;
        Lines "lines" "a text of several lines" => r#""one\n\n  two\r\nthree\ttabs""#;
        Unicode "unicode" "a text with emoji, combining marks and CJK" => r#""😀 e\u0301 漢字 \u202eabc""#;
        LikeJson "like-json" "a text that looks like a list of blocks" => r#""[{\"type\":\"text\",\"text\":\"a\"}]""#;
        LikeMarkup "like-markup" "a text that looks like a call in markup" => r#""<tool_use id=\"1\">a</tool_use>""#;
        BlankBeginning "blank-beginning" "a text that begins blank" => r#""  a""#;
        BlankEnd "blank-end" "a text that ends blank" => r#""a \n""#;
        Empty "empty" "the empty text" => r#""""#;
        Blank "blank" "a text of white space alone" => r#"" \n\t ""#;
    }
}

/// How many texts are not blank. They are the first ones.
pub(super) const SAID: u8 = 9;

choices! {
    /// An image, as JSON.
    Picture: &'static str {
        Png "png" "an image in base64" => r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}"#;
        Gif "gif" "an image of another type" => r#"{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}}"#;
        Url "url" "an image by its address" => r#"{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}"#;
    }
}

choices! {
    /// A document, as JSON.
    Paper: &'static str {
        Pdf "pdf" "a document in base64" => r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"}}"#;
        Titled "titled" "a document with a title and a context" => r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0xLjQK"},"title":"a","context":"b"}"#;
        Text "text" "a document of plain text" => r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}"#;
        Url "url" "a document by its address" => r#"{"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}}"#;
    }
}

choices! {
    /// What a call calls: name and input, as JSON members.
    CallShape: &'static str {
        Usual "usual" "a call with a text as argument" => r#""name":"run","input":{"command":"ls"}"#;
        NoInput "no-input" "a call without arguments" => r#""name":"now","input":{}"#;
        Nested "nested" "a call with nested arguments, null and lists" => r#""name":"edit","input":{"deep":{"list":[1,null,{"a":"b"}],"on":true},"none":[]}"#;
        Unicode "unicode" "a call whose arguments are beyond ASCII" => r#""name":"write","input":{"text":"😀 é\n漢字 \"quoted\" \\"}"#;
        Numbers "numbers" "a call with fractions and exponents" => r#""name":"scale","input":{"by":0.1,"to":1e21,"less":-2.5}"#;
        LargeNumber "large-number" "a call with a whole number that no double holds" => r#""name":"open","input":{"id":9007199254740993}"#;
        LikeJson "like-json" "a call with JSON as text" => r#""name":"run","input":{"code":"{\"a\": [1, \"b\\n\"]}"}"#;
        OddName "odd-name" "a call of a tool whose name has dashes and underscores" => r#""name":"mcp__my-server__get_a-b_2","input":{"a":1}"#;
        Cut "cut" "a call whose arguments were cut off, kept as text" => r#""name":"run","input":"{\"command\":\"l""#;
    }
}

/// How many calls have an object as input. They are the first ones.
pub(super) const WHOLE_CALLS: u8 = 8;

choices! {
    /// What a result holds, as JSON members, each after a comma.
    ResultShape: &'static str {
        Text "text" "a result that is a string" => r#","content":"a""#;
        Blocks "blocks" "a result that is a list of one text" => r#","content":[{"type":"text","text":"a"}]"#;
        Texts "texts" "a result of two texts" => r#","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#;
        Failed "failed" "a result that is an error" => r#","content":"failed","is_error":true"#;
        FailedBlocks "failed-blocks" "a result that is an error, as a list" => r#","content":[{"type":"text","text":"failed"}],"is_error":true"#;
        Succeeded "succeeded" "a result that is said to be no error" => r#","content":"a","is_error":false"#;
        Image "image" "a result that is an image" => r#","content":[{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}}]"#;
        TextAndImage "text-and-image" "a result of a text and an image" => r#","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]"#;
        Lines "lines" "a result with line ends and blanks at its end" => r#","content":"one\r\n  two \n""#;
        LikeJson "like-json" "a result that looks like JSON" => r#","content":"{\"a\": 1.0}""#;
        WithoutContent "without-content" "a result without content" => "";
        NoParts "no-parts" "a result that is an empty list" => r#","content":[]"#;
        EmptyText "empty-text" "a result that is the empty string" => r#","content":"""#;
        BlankPart "blank-part" "a result with a blank text beside another" => r#","content":[{"type":"text","text":" "},{"type":"text","text":"a"}]"#;
        EmptyPart "empty-part" "a result of one empty text" => r#","content":[{"type":"text","text":""}]"#;
    }
}

/// How many results have no blank text. They are the first ones.
pub(super) const SOUND_RESULTS: u8 = 13;

choices! {
    /// Thinking. `@` marks the place of its number.
    Thought: &'static str {
        Signed "signed" "thinking with its signature" => r#"{"type":"thinking","thinking":"I look first (@).","signature":"c2ln@=="}"#;
        Hidden "hidden" "signed thinking without a text" => r#"{"type":"thinking","thinking":"","signature":"c2ln@=="}"#;
        Redacted "redacted" "redacted thinking" => r#"{"type":"redacted_thinking","data":"cmVk@=="}"#;
        Unsigned "unsigned" "thinking without a signature" => r#"{"type":"thinking","thinking":"I look first (@)."}"#;
        EmptySignature "empty-signature" "thinking whose signature is empty" => r#"{"type":"thinking","thinking":"I look first (@).","signature":""}"#;
    }
}

/// How many sorts of thinking are signed. They are the first ones.
pub(super) const SIGNED: u8 = 3;

/// The number of the first odd id. Numbers below it stand for `toolu_0`, `toolu_1` and so on.
pub(in crate::scenario) const HAS_OWN_NUMBER: u8 = 240;

/// Ids that are not of the usual form: name and title of their labels, the id, and whether the API takes it. The illegal
/// ids of `dot` and `colon` become the same when characters are replaced carelessly.
pub(in crate::scenario) const ODD_IDS: [(&str, bool); 8] = [
    ("call_A-1", true),
    ("call_0123456789012345678901234567890123456789012345678901234567890123_a", true),
    ("call_0123456789012345678901234567890123456789012345678901234567890123_b", true),
    ("call:1.a|b", false),
    ("call.1", false),
    ("call:1", false),
    ("", false),
    ("tøølu_1", false),
];

/// How many odd ids are legal. They are the first ones.
pub(super) const LEGAL_ODD: u8 = 3;

/// The id of a call's number.
fn call_id(number: u8) -> String {
    match number.checked_sub(HAS_OWN_NUMBER) {
        None => format!("toolu_{number}"),
        Some(odd) => ODD_IDS[usize::from(odd) % ODD_IDS.len()].0.to_owned(),
    }
}

/// Whether the API takes the id of a call's number.
pub(super) fn is_legal_id(number: u8) -> bool {
    number.checked_sub(HAS_OWN_NUMBER).is_none_or(|odd| ODD_IDS[usize::from(odd) % ODD_IDS.len()].1)
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the fields are named as their types")]
pub enum TurnBlock {
    /// A text.
    Text {
        #[serde(default, skip_serializing_if = "is_default")]
        text: Words,
    },
    /// A call, by the number of its id.
    Call {
        #[serde(default, skip_serializing_if = "is_default")]
        form: CallShape,
        #[serde(default, skip_serializing_if = "is_default")]
        id: u8,
    },
    /// A result, by the number of the call's id.
    Result {
        #[serde(default, skip_serializing_if = "is_default")]
        form: ResultShape,
        #[serde(default, skip_serializing_if = "is_default")]
        id: u8,
    },
    /// Thinking, by its number.
    Thinking {
        #[serde(default, skip_serializing_if = "is_default")]
        form: Thought,
        #[serde(default, skip_serializing_if = "is_default")]
        number: u8,
    },
    /// An image.
    Image {
        #[serde(default, skip_serializing_if = "is_default")]
        form: Picture,
    },
    /// A document.
    Document {
        #[serde(default, skip_serializing_if = "is_default")]
        form: Paper,
    },
}

impl TurnBlock {
    /// Its sort, its form, and the number of its id. The plainest of each is 0.
    pub(in crate::scenario) fn parts(self) -> [u8; 3] {
        match self {
            Self::Text { text } => [0, text.place(), 0],
            Self::Call { form, id } => [1, form.place(), id],
            Self::Result { form, id } => [2, form.place(), id],
            Self::Thinking { form, number } => [3, form.place(), number],
            Self::Image { form } => [4, form.place(), 0],
            Self::Document { form } => [5, form.place(), 0],
        }
    }

    /// The same block in another form, with another number.
    pub(in crate::scenario) fn with(self, form: u8, number: u8) -> Self {
        match self {
            Self::Text { .. } => Self::Text { text: Choice::at(form) },
            Self::Call { .. } => Self::Call { form: Choice::at(form), id: number },
            Self::Result { .. } => Self::Result { form: Choice::at(form), id: number },
            Self::Thinking { .. } => Self::Thinking { form: Choice::at(form), number },
            Self::Image { .. } => Self::Image { form: Choice::at(form) },
            Self::Document { .. } => Self::Document { form: Choice::at(form) },
        }
    }

    /// The number of the id of a call.
    pub(in crate::scenario) const fn call(self) -> Option<u8> {
        if let Self::Call { id, .. } = self { Some(id) } else { None }
    }

    /// The number of the id that a result names.
    pub(in crate::scenario) const fn result(self) -> Option<u8> {
        if let Self::Result { id, .. } = self { Some(id) } else { None }
    }

    /// What a text says.
    pub(in crate::scenario) const fn text(self) -> Option<Words> {
        if let Self::Text { text } = self { Some(text) } else { None }
    }

    pub(in crate::scenario) const fn is_thinking(self) -> bool {
        matches!(self, Self::Thinking { .. })
    }

    /// Its JSON.
    pub(in crate::scenario) fn json(self) -> String {
        match self {
            Self::Text { text } => format!(r#"{{"type":"text","text":{}}}"#, text.what()),
            Self::Call { form, id } => format!(r#"{{"type":"tool_use","id":"{}",{}}}"#, call_id(id), form.what()),
            Self::Result { form, id } => {
                format!(r#"{{"type":"tool_result","tool_use_id":"{}"{}}}"#, call_id(id), form.what())
            }
            Self::Thinking { form, number } => form.what().replace('@', &number.to_string()),
            Self::Image { form } => form.what().to_string(),
            Self::Document { form } => form.what().to_string(),
        }
    }
}
