//! The *profile* of a request on the command line: the host that it is for.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::operation::Host;

/// Reads the name of a host.
pub(super) fn host() -> impl TypedValueParser<Value = Host> {
    let values = [
        ("strict", "All of them: what any host refuses is refused"),
        ("anthropic", "The Messages API itself"),
        ("bedrock", "Amazon Bedrock (Converse)"),
        ("vertex", "Google Vertex AI"),
    ];
    let values = values.map(|(name, help)| PossibleValue::new(name).help(help));
    let named = |name: String| Host::ALL.into_iter().find(|host| host.name() == name).unwrap_or(Host::Strict);
    PossibleValuesParser::new(values).map(named)
}
