//! *Halves* of surrogate pairs: a half on its own is read as a stand-in character. Two that come one after the other
//! are then joined, as the pieces of a text are.

use crate::json::{Object, Value};

use crate::json::Text;
use crate::operation::Plain;

/// The stand-in of the first half; the others follow. They are for private use: what a text with one means is unknown.
const FIRST: u32 = 0xF_3A00;

/// How many halves there are.
const COUNT: u32 = 0x800;

/// The first half of all.
const FIRST_HALF: u32 = 0xD800;

/// Reads JSON text, each half on its own as its stand-in.
pub(super) fn read(json: &str) -> serde_json::Result<Plain> {
    Plain::spelled(json, spell)
}

fn spell(text: &Text<'_>) -> String {
    let Text::Torn(units) = text else { return text.lossy().into_owned() };
    let stand_in = |half: u16| char::from_u32(FIRST + u32::from(half) - FIRST_HALF).unwrap_or('\u{FFFD}');
    let decoded = char::decode_utf16(units.iter().copied());
    decoded.map(|read| read.unwrap_or_else(|half| stand_in(half.unpaired_surrogate()))).collect()
}

/// Whether a text has stand-ins, or characters that look like them.
pub(super) fn has_stand_ins(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(|character| half(character).is_some())
}

/// The half that a stand-in character replaces.
fn half(character: char) -> Option<u16> {
    let place = u32::from(character).checked_sub(FIRST).filter(|place| *place < COUNT)?;
    u16::try_from(FIRST_HALF + place).ok()
}

/// The text with halves that meet joined; one that stays alone is U+FFFD.
pub(super) fn joined(text: &str) -> String {
    if !has_stand_ins(text) {
        return text.to_owned();
    }
    let mut units = Vec::new();
    for character in text.chars() {
        match half(character) {
            Some(half) => units.push(half),
            None => units.extend_from_slice(character.encode_utf16(&mut [0; 2])),
        }
    }
    String::from_utf16_lossy(&units)
}

/// The value with halves that meet joined in each text.
pub(super) fn settled(value: Value) -> Value {
    match value {
        Value::String(text) => Value::from(joined(&text)),
        Value::Array(elements) => elements.into_iter().map(settled).collect(),
        Value::Object(members) => Value::Object(settled_members(members)),
        other => other,
    }
}

pub(super) fn settled_members(members: Object) -> Object {
    members.into_iter().map(|(name, value)| (joined(&name), settled(value))).collect()
}
