//! A *tool* makes another file of a damaged one: turnproof, a public repair tool, or nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use turnproof_reference::message::FixedContext;
use turnproof_reference::repair::{RepairOptions, repair};
use turnproof_reference::transcript::Transcript;
use turnproof_suite::subject::program::Program;
use turnproof_suite::subject::{Crash, Outcome, Subject};

use crate::adapter::Adapter;

pub(super) enum Tool {
    /// Nobody repairs.
    None,
    Ours,
    Public(Box<(Adapter, Program)>),
}

/// What a tool made of a file.
pub(super) struct Made {
    /// The file; the damaged one where the tool failed.
    pub file: Vec<u8>,
    /// What it says that it removed, and keeps.
    pub kept: Vec<Vec<u8>>,
    /// Why there is no repaired file.
    pub failed: Option<String>,
}

impl Tool {
    /// Installs and starts a public tool; the error says why that cannot be done here.
    pub(super) fn start(adapter: Adapter) -> Result<Self, String> {
        let name = adapter.folder.clone();
        adapter.install().map_err(|why| format!("{name}: {why}"))?;
        let program = adapter.start().map_err(|error| format!("{name}: it does not start: {error}"))?;
        Ok(Self::Public(Box::new((adapter, program))))
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::None => "no repair".to_owned(),
            Self::Ours => "turnproof".to_owned(),
            Self::Public(tool) => tool.0.about.title(),
        }
    }

    pub(super) fn repair(&self, damaged: &[u8]) -> Made {
        let failed = |why: String| Made { file: damaged.to_vec(), kept: Vec::new(), failed: Some(why) };
        match self {
            Self::None => Made { file: damaged.to_vec(), kept: Vec::new(), failed: None },
            Self::Ours => {
                let transcript = Transcript::from_bytes(damaged.to_vec());
                match repair(&transcript, &RepairOptions::default(), &mut FixedContext::new(1)) {
                    Ok(repaired) => {
                        let kept = repaired.removed.into_iter().map(|removed| removed.bytes).collect();
                        Made { file: repaired.bytes, kept, failed: None }
                    }
                    Err(error) => failed(error.to_string()),
                }
            }
            // What an adapter names as removed it found by a comparison: the tool itself names and keeps nothing.
            Self::Public(tool) => match catch_unwind(AssertUnwindSafe(|| tool.1.repair(damaged))) {
                Ok(Outcome::Output(repaired)) => Made { file: repaired.bytes, kept: Vec::new(), failed: None },
                Ok(Outcome::Rejected(why)) => failed(why),
                Ok(Outcome::Unsupported) => failed("unsupported".to_owned()),
                Err(payload) => failed(match payload.downcast_ref() {
                    Some(Crash { how, .. }) => how.clone(),
                    None => "it crashed".to_owned(),
                }),
            },
        }
    }
}
