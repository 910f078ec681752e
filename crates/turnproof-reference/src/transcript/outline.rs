//! The *outline* of a block: its kind, where all that its type may have is there and in order, and nothing else.

use crate::json::{JsonType, Span};

use super::head::Members;
use super::schema::block;

/// A kind of block of which nothing but its ids and names matters to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// `text` that begins with a visible character.
    Text,
    /// `tool_use` with an object as input, called by the model.
    Call,
    /// `tool_result` that is a string.
    Result,
    /// `thinking` that is signed.
    Thinking,
}

/// The type of a block, its outline, its members, and those that it may have.
type Form = (&'static [u8], Outline, &'static [Member], &'static [Member]);

/// A member by its index, and the JSON type that it must have.
type Member = (usize, JsonType);

const FORMS: [Form; 4] = [
    (b"\"text\"", Outline::Text, &[(block::TEXT, JsonType::String)], &[]),
    (
        b"\"tool_use\"",
        Outline::Call,
        &[(block::ID, JsonType::String), (block::NAME, JsonType::String), (block::INPUT, JsonType::Object)],
        &[(block::CALLER, JsonType::Object)],
    ),
    (
        b"\"tool_result\"",
        Outline::Result,
        &[(block::TOOL_USE_ID, JsonType::String), (block::CONTENT, JsonType::String)],
        &[(block::IS_ERROR, JsonType::Bool)],
    ),
    (
        b"\"thinking\"",
        Outline::Thinking,
        &[(block::THINKING, JsonType::String), (block::SIGNATURE, JsonType::String)],
        &[],
    ),
];

/// A signature of so many characters may have been cut.
const SHORT: usize = 128;

/// Inputs of so many brackets may be nested too deep for a request.
const DEEP: usize = 96;

/// Whether a string begins with a plainly visible character.
pub fn begins_visibly(bytes: &[u8], text: Span) -> bool {
    text.of(bytes).get(1).is_some_and(|first| first.is_ascii_graphic() && *first != b'\\' && *first != b'"')
}

/// The outline of a block with these members and no others, where it has one.
pub(super) fn outline(bytes: &[u8], type_name: Span, members: &Members) -> Option<Outline> {
    let name = type_name.of(bytes);
    let (_, outline, required, optional) = FORMS.into_iter().find(|(kind, ..)| *kind == name)?;
    let is_there = |&&(index, found): &&Member| members.of_type(index, found).is_some();
    let there = required.iter().filter(is_there).count();
    // One more is `type`.
    let is_exact = there == required.len() && members.count() == there + optional.iter().filter(is_there).count() + 1;
    let value = |index| members.get(index).map(|slot| slot.span);
    let is_in_order = || match outline {
        Outline::Text => value(block::TEXT).is_some_and(|text| begins_visibly(bytes, text)),
        Outline::Call => {
            let caller = value(block::CALLER);
            caller.is_none_or(|caller| caller.of(bytes) == br#"{"type":"direct"}"#)
                && value(block::INPUT).is_some_and(|input| is_shallow(input.of(bytes)))
        }
        Outline::Result => true,
        Outline::Thinking => value(block::SIGNATURE).is_some_and(|signature| is_whole(signature.of(bytes))),
    };
    (is_exact && is_in_order()).then_some(outline)
}

/// Whether a signature, with its quotes, is long and nothing of it is left out.
fn is_whole(signature: &[u8]) -> bool {
    let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    signature.len() > SHORT && signature[1..signature.len() - 1].iter().all(is_base64)
}

fn is_shallow(json: &[u8]) -> bool {
    json.len() < 2 * DEEP || json.iter().filter(|byte| matches!(byte, b'{' | b'[')).count() < DEEP
}
