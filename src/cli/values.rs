//! The *values* of options: hosts, profiles, severities and times.

use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use turnproof_rules::operation::Host;
use turnproof_rules::rules::Severity;
use turnproof_suite::scenario::Profile;

pub(super) fn host() -> impl TypedValueParser<Value = Host> {
    let names = [
        ("portable", "Every host of every year: what one of them has refused is refused"),
        ("anthropic", "The Messages API itself"),
        ("bedrock-converse", "Amazon Bedrock, by the Converse API"),
        ("bedrock-invoke", "Amazon Bedrock, by InvokeModel"),
        ("vertex", "Google Vertex AI"),
    ];
    one_of(names).map(|name| Host::ALL.into_iter().find(|host| host.name() == name).unwrap_or(Host::Portable))
}

pub(super) fn profile() -> impl TypedValueParser<Value = Profile> {
    let names = [
        ("causal", "Conversations as they can really happen"),
        ("shuffled", "Message kinds in any order, ids and links random"),
        ("hostile", "As shuffled, with lines damaged in the ways of the field"),
        ("plain", "Dialogues that any client of the Messages API can hold; played only when asked for"),
    ];
    let named = |name: String| Profile::EVERY.into_iter().find(|profile| profile.name() == name);
    one_of(names).map(move |name| named(name).unwrap_or(Profile::Causal))
}

pub(super) fn severity() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["info", "warning", "error"]).map(|name| match name.as_str() {
        "info" => Severity::Info,
        "warning" => Severity::Warning,
        _ => Severity::Error,
    })
}

/// Reads one of these names, each with its help.
fn one_of<const N: usize>(names: [(&'static str, &'static str); N]) -> PossibleValuesParser {
    PossibleValuesParser::new(names.map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// A number of bytes such as `64MiB`, `1GiB`; a plain number is bytes.
pub(super) fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match &text[digits.len()..].to_ascii_lowercase()[..] {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err("a unit that does not exist; say for example 64MiB".to_owned()),
    };
    let number: usize = digits.trim().parse().map_err(|_| "no number; say for example 64MiB".to_owned())?;
    number.checked_mul(unit).ok_or_else(|| "too large a number".to_owned())
}

/// A time such as `90s`, `30m` or `8h`; a plain number is seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    let time: jiff::SignedDuration = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Duration::try_from(time).map_err(|_| "a time cannot be negative".to_owned())
}
