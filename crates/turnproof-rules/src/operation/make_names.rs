//! A *made name* is the canonical form of an id or a time that a subject made at random or by its clock.
//!
//! Ids and times that a subject makes are other ones each time. With made names the same case gives the same bytes.
//! A made name keeps all that rules judge: the form, the version, the case of the letters, and which ids are equal.

use std::collections::{HashMap, HashSet};

use crate::json::Value;

use super::make::{FactoryCall, MadeMessage};
use super::plain::Plain;

/// The first group of each made id.
const ID: &str = "facade00";

/// The beginning of each made time.
const TIME: &str = "2000-01-01T00:00:00";

/// The made names of one call's answers.
pub(super) struct MadeNames {
    /// All that the caller gives, in lower case: such an id or time is nobody's own.
    given: HashSet<String>,
    /// The arguments, in lower case.
    arguments: String,
    ids: HashMap<String, String>,
}

impl MadeNames {
    pub(super) fn of(call: &FactoryCall) -> Self {
        let of_source = call.source.iter().flat_map(|source| source.ids.iter().chain([&source.now]));
        let given = call.uuid.iter().chain(&call.timestamp).chain(of_source);
        Self {
            given: given.map(|text| text.to_ascii_lowercase()).collect(),
            arguments: call.arguments.to_ascii_lowercase(),
            ids: HashMap::new(),
        }
    }

    /// Puts made names in place of the ids and the time that a subject made for these messages.
    /// A message is left alone if it is no JSON, or has the beginning of a made id already.
    pub(super) fn name(&mut self, messages: &mut [MadeMessage]) {
        for made in messages {
            let Ok(value) = Plain::read(&made.message).map(Plain::into_value) else { continue };
            if made.message.to_ascii_lowercase().contains(ID) {
                continue;
            }
            let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
            let ids = ["/uuid", "/message/id"].into_iter().filter_map(text);
            let ids = ids.filter_map(|id| Some((id, self.id(id)?))).collect::<Vec<_>>();
            let time = text("/timestamp").and_then(|time| Some((time, self.time(time)?)));
            for (old, name) in ids.into_iter().chain(time) {
                made.message = made.message.replace(&format!("\"{old}\""), &format!("\"{name}\""));
            }
        }
    }

    fn is_given(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        self.given.contains(&text) || self.arguments.contains(&text)
    }

    /// The made name of an id; `None` if it is given, or has not the form of a UUID.
    fn id(&mut self, id: &str) -> Option<String> {
        let has_form = fits(id, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh");
        if !has_form || self.is_given(id) {
            return None;
        }
        let number = self.ids.len() + 1;
        Some(self.ids.entry(id.to_owned()).or_insert_with(|| made_id(id, number)).clone())
    }

    /// The made name of a time; `None` if it is given, or does not begin with a date and a time of day.
    fn time(&self, time: &str) -> Option<String> {
        let (moment, rest) = time.split_at_checked(TIME.len())?;
        let is_made = fits(moment, "dddd-dd-ddTdd:dd:dd") && !self.is_given(time);
        let rest = || rest.chars().map(|other| if other.is_ascii_digit() { '0' } else { other });
        is_made.then(|| TIME.chars().chain(rest()).collect())
    }
}

/// The made name of an id that has the form of a UUID: its version, variant and case, and a number.
fn made_id(id: &str, number: usize) -> String {
    let version = id.get(14..15).unwrap_or_default();
    let variant = match id.get(19..20).unwrap_or_default() {
        "8" | "9" | "a" | "b" | "A" | "B" => "8",
        other => other,
    };
    let name = format!("{ID}-0000-{version}000-{variant}000-{number:012x}");
    let has = |is_so: fn(&u8) -> bool| id.bytes().any(|byte| is_so(&byte));
    match (has(u8::is_ascii_uppercase), has(u8::is_ascii_lowercase)) {
        (true, false) => name.to_ascii_uppercase(),
        (true, true) => name.replacen('f', "F", 1),
        (false, _) => name,
    }
}

/// Whether a text has a pattern's form: `d` is a digit, `h` a hexadecimal digit.
fn fits(text: &str, pattern: &str) -> bool {
    let fits_one = |(byte, pattern): (u8, u8)| match pattern {
        b'd' => byte.is_ascii_digit(),
        b'h' => byte.is_ascii_hexdigit(),
        other => byte == other,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits_one)
}
