//! The *profile* of a request on the command line: the host that it is for.

use clap::ValueEnum;

use crate::operation::Host;

/// The host that a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Profile {
    /// All of them: what any host refuses is refused
    Strict,
    /// The Messages API itself
    Anthropic,
    /// Amazon Bedrock (Converse)
    Bedrock,
    /// Google Vertex AI
    Vertex,
}

impl Profile {
    pub(super) fn host(self) -> Host {
        match self {
            Self::Strict => Host::Strict,
            Self::Anthropic => Host::Anthropic,
            Self::Bedrock => Host::Bedrock,
            Self::Vertex => Host::Vertex,
        }
    }
}
