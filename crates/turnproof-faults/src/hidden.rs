//! A *hidden* string looks harmless to the reference, and is shown again afterwards. So a fault skips one stage only.

use turnproof_rules::operation::Value;

/// The beginning of every hidden string. Such a string is a legal id, an unknown type, a text that is not blank, and a
/// member that the API may know.
const MARK: &str = "srvtoolu_hidden_";

pub(super) fn hide(text: &str) -> String {
    let digits = text.bytes().map(|byte| format!("{byte:02x}"));
    [MARK.to_owned()].into_iter().chain(digits).collect()
}

/// Hides the type of a block, so that all of the block passes.
pub(super) fn hide_type(block: &mut Value) {
    hide_member(block, "type");
}

pub(super) fn hide_member(object: &mut Value, name: &str) {
    if let Some(member) = object.get_mut(name)
        && let Some(text) = member.as_str()
    {
        *member = Value::from(hide(text));
    }
}

/// Shows a hidden string; `None` when it is not hidden.
pub(super) fn show(text: &str) -> Option<String> {
    let digits = text.strip_prefix(MARK)?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    String::from_utf8(digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>()?).ok()
}

pub(super) fn show_all(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(shown) = show(text) {
                *text = shown.into();
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(show_all),
        Value::Object(members) => {
            members.values_mut().for_each(show_all);
            let all = std::mem::take(members).into_iter();
            members.extend(all.map(|(name, value)| (show(&name).map_or(name, Into::into), value)));
        }
        _ => {}
    }
}
