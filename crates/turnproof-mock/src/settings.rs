//! *Settings*: where the mock listens, whose rules it judges by, what it answers, and how much it takes.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use turnproof_rules::operation::Host;

use crate::fault::Fault;
use crate::replay::Recording;
use crate::script::Script;

/// What a mock does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens. Port 0 is any that is free.
    pub listen: SocketAddr,
    /// Whose rules judge what is sent to the Messages API. Bedrock's and Vertex's paths have their own.
    pub host: Host,
    /// What happens to a request that the host would refuse.
    pub on_illegal: OnIllegal,
    /// What it says.
    pub script: Script,
    /// The seed of what it says where the script says nothing.
    pub seed: Option<u64>,
    /// What fails, answer by answer.
    pub faults: Vec<Vec<Fault>>,
    /// Answers that were recorded, in order. They come where the script says nothing.
    pub replay: Vec<Recording>,
    /// A folder for records.
    pub record: Option<PathBuf>,
    /// Whether exchanges are shown with their records.
    pub shows_records: bool,
    /// How much it takes.
    pub limits: Limits,
}

/// What happens to a request that the host would refuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegal {
    /// It is refused with the words of the API.
    #[default]
    Refuse,
    /// It is answered, and reported.
    Answer,
}

/// How much the mock takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once. Others wait.
    pub connections: usize,
    /// The bytes of a body, unpacked: as many as the API takes.
    pub body: usize,
    /// The bytes of the head of a request.
    pub head: usize,
    /// The longest that a head or a body may take.
    pub slowest: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 1024, body: 32 << 20, head: 64 << 10, slowest: Duration::from_secs(30) }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            host: Host::Anthropic,
            on_illegal: OnIllegal::default(),
            script: Script::default(),
            seed: None,
            faults: Vec::new(),
            replay: Vec::new(),
            record: None,
            shows_records: false,
            limits: Limits::default(),
        }
    }
}
