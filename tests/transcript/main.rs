//! *Transcripts*: they are read, judged, recorded, and resumed.

mod adapter_claude_agent_sdk;
mod cases;
mod corpus;
mod field;
mod reader;
mod record;
mod resume;
#[path = "../common/transcripts.rs"]
mod transcripts;
