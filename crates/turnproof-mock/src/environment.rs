//! The *environment* of a client: the variables by which SDKs and clients find the API.

/// A key that opens nothing.
const KEY: &str = "sk-ant-api03-turnproof-mock";

/// What clients read to find the mock at this address, and a key that opens nothing.
pub fn environment(url: &str) -> Vec<(&'static str, String)> {
    vec![
        ("ANTHROPIC_BASE_URL", url.to_owned()),
        ("ANTHROPIC_API_BASE", url.to_owned()),
        ("ANTHROPIC_HOST", url.to_owned()),
        ("ANTHROPIC_API_KEY", KEY.to_owned()),
        ("ANTHROPIC_BEDROCK_BASE_URL", url.to_owned()),
        ("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", url.to_owned()),
        ("ANTHROPIC_VERTEX_BASE_URL", format!("{url}/v1")),
        ("TURNPROOF_MOCK_URL", url.to_owned()),
    ]
}
