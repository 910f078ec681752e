//! *Record errors*: why something could not be recorded, and what to do.

use std::io;
use std::path::PathBuf;

/// Why something could not be recorded. Nothing that was queued is lost by any of them.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A message that is to be written has no uuid.
    #[error(
        "message {index} of the list, a `{kind}`, has no uuid, so nothing of the list was queued; give it one \
         (factories do) and record the list again"
    )]
    NoUuid {
        /// Its place in the list, from 0.
        index: usize,
        /// Its `type`.
        kind: &'static str,
    },
    /// The disk took a part, or nothing.
    #[error(
        "the disk took {written} lines, and {queued} still wait in the queue: {source}; make room or mend what is \
         wrong, then flush again"
    )]
    Disk {
        /// How many lines are in the file now that were not before.
        written: usize,
        /// How many lines still wait.
        queued: usize,
        /// What the disk says.
        source: io::Error,
    },
    /// The file has been removed, or another one is in its place.
    #[error(
        "{} no longer names the file that was recorded to, and {queued} lines wait in the queue; put the file \
         back, or take the one that is there (`FileDisk::reopen`), or have a new one made (`FileDisk::make_anew`), \
         then flush again",
        .path.display()
    )]
    Lost {
        /// The file's path.
        path: PathBuf,
        /// How many lines wait.
        queued: usize,
    },
    /// The lines are in the file, but the disk has not confirmed them.
    #[error(
        "all lines are in the file, but the disk did not confirm that they last: {source}; send no request \
         before a later try has been confirmed"
    )]
    NotConfirmed {
        /// What the disk says.
        source: io::Error,
    },
    /// The thread that writes has ended.
    #[error("the thread that writes has ended, so nothing more is written; start a new recorder on the file")]
    Stopped,
}
