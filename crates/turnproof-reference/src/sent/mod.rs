//! What was *sent*: the requests that a session proves, rebuilt from the notes that the client left of them (SPEC.md
//! section 3.10).
//!
//! The client notes a request by hashes: so many turns of another request, and turns that are new. A turn that it cannot
//! find in the lines of the file has a line of its own. [`Sent`] finds each turn again, checks the hashes, and gives the
//! body of a request.
//!
//! ```text
//! shapes, turns, lines ── Notes ──> hashes ── body ──> the request, and whether the digest fits
//! ```

mod body;
mod canonical;
mod error;
mod flaws;
mod hash;
mod held;
mod lines;
mod note;
mod notes;
mod refusal;
mod renamed;
mod weight;

use std::io::{self, Read};

pub use body::Body;
pub use error::SentError;
pub use hash::Hash;
pub use note::{PromptTokens, SentRequest};
use notes::Notes;
pub use refusal::Refused;
pub(crate) use renamed::Renamed;
pub use weight::Weight;

use crate::rules::SentFact;
use crate::transcript::{Found, Scanner};

/// How much of a file is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All that bodies are made of.
    Bodies,
    /// The hashes alone: bodies cannot be made, and memory does not grow with the texts.
    Hashes,
}

/// The requests of a session.
///
/// ```
/// use turnproof_reference::sent::{Keep, Sent};
///
/// let session = br#"{"type":"user","uuid":"u1","message":{"role":"user","content":"hi"}}"#;
/// assert!(Sent::read(&session[..], Keep::Bodies)?.requests().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Sent {
    notes: Notes,
}

impl Sent {
    /// Reads the notes of a file. Fails when it cannot be read.
    pub fn read(file: impl Read, keep: Keep) -> io::Result<Self> {
        let mut notes = Notes::new(keep);
        Scanner::default().file(file, |found| {
            if let Found::Record(record) = found {
                notes.record(&record);
            }
        })?;
        Ok(Self { notes })
    }

    /// The requests, in the order of the file.
    pub fn requests(&self) -> &[SentRequest] {
        &self.notes.requests
    }

    /// The body of a request, by its number from 0.
    ///
    /// # Errors
    /// What of it the file does not hold.
    pub fn body(&self, index: usize) -> Result<Body, SentError> {
        body::body(&self.notes, index)
    }

    /// The index of the last request of the session itself, whose agents have files of their own.
    pub fn last(&self) -> Option<usize> {
        self.notes.requests.iter().rposition(|request| request.agent.is_none())
    }

    /// How large each request from one on is, in their order; `None` where the file does not hold all of it. No body is
    /// made for it.
    pub fn weights(&self, from: usize) -> Vec<Option<Weight>> {
        weight::weights(&self.notes, from)
    }

    /// The body of a request with other turns in the place of its own: a JSON array.
    ///
    /// # Errors
    /// What of the body the file does not hold.
    pub fn body_with(&self, index: usize, messages: &str) -> Result<String, SentError> {
        let body = self.body(index)?.json;
        Ok(body::with_messages(&body, messages).unwrap_or(body))
    }

    /// What is wrong with the notes, for the rules on them, in the order of the file.
    pub fn facts(&self) -> Vec<SentFact> {
        flaws::facts(&self.notes)
    }
}
