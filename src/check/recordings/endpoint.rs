//! An *endpoint* of the Messages API, by the address that a request was sent to.

use turnproof_rules::operation::Host;

/// Where a request was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    /// The host whose rules judge it.
    pub(super) host: Host,
    /// The host by the name that the recording has, where no rules are for it: a gateway, a mock server.
    pub(super) gateway: Option<String>,
    /// What is asked there.
    pub(super) asks: Asks,
}

/// What is asked at an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// A message.
    Message,
    /// How many tokens a request has.
    Tokens,
    /// Messages, later.
    Batch,
}

impl Endpoint {
    /// The endpoint at an address, which may be a path alone; `None` for one that is not of the Messages API.
    pub(super) fn of(url: &str) -> Option<Self> {
        let url = url.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = match url.split_once("://").map(|(_, rest)| rest.split_once('/').unwrap_or((rest, "")))
        {
            Some(parts) => parts,
            None if url.starts_with('/') => ("", url),
            // A placeholder for the beginning of an address.
            None => url.split_once('/').unwrap_or(("", url)),
        };
        let host = authority.rsplit('@').next().unwrap_or_default();
        let path = path.replace("%3A", ":").replace("%3a", ":");
        let path = path.trim_matches('/');
        Self::of_cloud(host, path).or_else(|| Self::of_messages(host, path))
    }

    /// The endpoint that a plain recording names by its host and its kind.
    pub(super) fn named(host: &str, kind: Option<&str>) -> Option<Self> {
        let asks = match kind {
            None | Some("messages") => Asks::Message,
            Some("count_tokens") => Asks::Tokens,
            Some("batches") => Asks::Batch,
            Some(_) => return None,
        };
        let known = match host {
            "anthropic" | "api.anthropic.com" => Some(Host::Anthropic),
            "bedrock" | "bedrock-invoke" => Some(Host::BedrockInvoke),
            "bedrock-converse" => Some(Host::BedrockConverse),
            "vertex" => Some(Host::Vertex),
            _ => None,
        };
        Some(Self::new(known, host, asks))
    }

    fn new(host: Option<Host>, name: &str, asks: Asks) -> Self {
        let gateway = || if name.is_empty() { "no host named".to_owned() } else { name.to_owned() };
        let gateway = host.is_none().then(gateway);
        Self { host: host.unwrap_or(Host::Anthropic), gateway, asks }
    }

    /// Bedrock and Vertex, which name the model in the path. Others' models are not asked by the Messages API.
    fn of_cloud(host: &str, path: &str) -> Option<Self> {
        let is_claude = path.contains("anthropic") || path.contains("claude");
        let (host, asks) = if host.contains("bedrock") || path.starts_with("model/") {
            match path.rsplit('/').next()? {
                "converse" | "converse-stream" => (Host::BedrockConverse, Asks::Message),
                "invoke" | "invoke-with-response-stream" => (Host::BedrockInvoke, Asks::Message),
                _ if path.ends_with("v1/messages") => {
                    return Some(Self::new(Some(Host::BedrockInvoke), "", Asks::Message));
                }
                _ => return None,
            }
        } else if host.contains("aiplatform") || path.contains("publishers/anthropic/") {
            match path.rsplit(':').next()? {
                "rawPredict" | "streamRawPredict" if path.contains("count-tokens") => (Host::Vertex, Asks::Tokens),
                "rawPredict" | "streamRawPredict" => (Host::Vertex, Asks::Message),
                _ => return None,
            }
        } else {
            return None;
        };
        is_claude.then(|| Self::new(Some(host), "", asks))
    }

    /// The API itself, and whoever has its paths.
    fn of_messages(host: &str, path: &str) -> Option<Self> {
        let ends = [
            ("v1/messages", Asks::Message),
            ("v1/messages/count_tokens", Asks::Tokens),
            ("v1/messages/batches", Asks::Batch),
        ];
        let is_at = |end: &str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let (_, asks) = ends.into_iter().find(|(end, _)| is_at(end))?;
        let is_known = host == "anthropic.com" || host.ends_with(".anthropic.com");
        Some(Self::new(is_known.then_some(Host::Anthropic), host, asks))
    }

    /// The row of a table that it belongs to: a host, or a gateway and whose rules judge it.
    pub(super) fn row(&self) -> String {
        match &self.gateway {
            None => self.host.name().to_owned(),
            Some(gateway) => format!("{gateway} (as {})", self.host.name()),
        }
    }
}
