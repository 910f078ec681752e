//! A *deck* is a kind of cases: how one is drawn from a seed, played, made smaller and kept.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use turnproof_mock::StartError;

use crate::client::Client;
use crate::play::CaseOutcome;

/// A kind of cases.
pub trait Deck {
    /// A case.
    type Case: Clone + Serialize + DeserializeOwned;

    /// Whom it is played to.
    fn client(&self) -> &Client;

    /// The case of this number. It depends on the seed and the number alone.
    fn draw(&self, seed: u64, number: u64) -> Self::Case;

    /// Plays a case; gives what it comes to.
    ///
    /// # Errors
    /// When it cannot be played.
    fn play(&self, case: &Self::Case) -> Result<CaseOutcome, PlayError>;

    /// The smallest case found in so many tries that `shows` what the first one shows.
    fn smallest(&self, case: &Self::Case, tries: usize, shows: &mut dyn FnMut(&Self::Case) -> bool) -> Self::Case;

    /// How large a case is, in words.
    fn size(&self, case: &Self::Case) -> String;

    /// What people read of a case.
    fn text(&self, case: &Self::Case) -> String;

    /// Writes what of a case is a file of its own, beside the file of that name.
    ///
    /// # Errors
    /// When it cannot be written.
    fn write_beside(&self, _case: &Self::Case, _file: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Why a case cannot be played.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the words say it, and the fields are their values")]
pub enum PlayError {
    #[error("a client needs a folder: {0}")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Mock(#[from] StartError),
    #[error("`{program}` cannot be started: {error}")]
    NoProgram { program: String, error: io::Error },
    #[error("it was stopped")]
    Stopped,
}
