//! *Transcripts*: they are read, judged, recorded, and resumed.

mod abridged;
mod adapter_claude_agent_sdk;
mod asked;
mod cases;
mod chunks;
mod corpus;
mod field;
mod healthy;
mod official_after_repair;
mod reader;
mod reasons;
mod record;
mod repair;
mod resume;
mod scrub;
mod sent;
#[path = "../common/transcripts.rs"]
mod transcripts;
mod watched;
