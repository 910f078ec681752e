//! *Recording* appends what is new in a list of messages to a transcript.
//!
//! A [`Recorder`] is given the messages of a conversation again and again, and writes only what is new.
//! SPEC.md section 3.2 says which messages are written, with which parents, and what a failing disk leaves.
//!
//! ```text
//! list ── ledger (what is new? which parent?) ──> queue ── flush: one append of whole lines ──> disk
//! ```
//!
//! A message waits in the *queue* until it is *flushed*, so that an assistant line carries the `usage` and
//! the `stop_reason` that came after it was shown. [`Recorder::before_request`] flushes and has the disk
//! confirm, so that a prompt is *durable* before its request goes out.

mod background;
mod disk;
mod file_disk;
mod hints;
mod ledger;
mod preserved;
mod queue;
mod recorder;

pub use background::Background;
pub use disk::{AppendError, Appended, Disk, DiskFault, Failing, MemoryDisk};
pub use file_disk::{FileDisk, write_lines};
pub use hints::{RecordHints, TeamInfo};
pub use recorder::{FlushReport, Held, RecordError, Recorder, RecorderOptions};
