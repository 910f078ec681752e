//! *Recording* appends what is new in a list of messages to a transcript (spec section 3.2).
//!
//! A `Recorder` is given the list of messages of a conversation as it stands, again and again, and
//! writes only what is new. It does not write at once: what is new is *queued*, and is made into lines when
//! the queue is *flushed*, so that an assistant line carries the `usage` and `stop_reason` that came after
//! it was shown.
//!
//! # Which messages
//!
//! User, assistant, system, attachment and hook result are written. Progress, tombstones, tool-use summaries, groups,
//! stream events, request starts and virtual messages are not (`record/no-ephemeral`); they are as if they were not in the list.
//! A message without a uuid is an error that names its place in the list, before anything of the list is
//! queued. A uuid that is recorded (queued or written, or in the file that was resumed) is not written again
//! (`record/incremental`); but while it waits in the queue, the message given last is the one that will be
//! written (`record/late-fields`).
//!
//! # Which parents
//!
//! The *tip* goes through the list. It begins at null. A recorded message becomes the tip, until the first
//! new one; after that, recorded ones no longer move it (`record/prefix-parent`). A new message gets as its
//! `parentUuid`
//! * the message that `sourceToolAssistantUUID` names, if that is recorded or earlier in the list, and the message holds
//!   a tool result;
//! * null, if it is a compact boundary; its `logicalParentUuid` is kept, or is the last line written or queued
//!   before when it has none;
//! * else the tip;
//!
//! and becomes the tip (`record/chain-links`). `record` gives the tip at the end of the list. What a message says of its own
//! parent is replaced. The recorder adds `sessionId`, and what else its options name (`cwd`, `version`, `gitBranch`,
//! `userType`, `isSidechain`, `agentId`), where a message does not have them.
//!
//! Before a boundary, those new messages of the list that it preserves, up to the segment's tail, are
//! written (`record/boundary-tail-first`): they go before it in list order, the first one's parent being the last line written
//! or queued before, each other one's the one before it, results as above; and when the list comes to them they are recorded ones.
//! They are: for `preservedMessages`, those whose uuid is in `uuids` or `allUuids`; for a `preservedSegment`, those from the
//! head (or, if the head is recorded, from the list's first) to the tail in list order; the boundary and what is a compact summary never among them.
//!
//! # Which lines
//!
//! A flush makes one line of each queued message and appends them all in one write: whole lines, each
//! with its LF, after a LF of its own where the file ends without one (`record/append-only`, `record/whole-lines`).
//! What the file holds is never changed. Two recorders, in one process or two, may write to one file: each
//! append holds the file's lock and starts at its end.
//!
//! When the disk takes only a part, the lines that are wholly there count as written, the rest stays
//! queued, and the caller gets the error; the next flush heals the torn tail with a LF and goes on. A file that has
//! been removed, or another one in its place, is an error too, until it is back or the caller has it made anew.
//! Files are made with mode 0600.
//!
//! A user message is *durable* before the request that it starts: `Recorder::before_request` flushes and makes the disk
//! confirm, unless the options say that nobody waits (a scripted mode).

mod background;
mod disk;
mod error;
mod failing;
mod file_disk;
mod held;
mod ledger;
mod memory_disk;
mod options;
mod preserved;
mod queue;
mod recorder;

pub use background::Background;
pub use disk::{AppendError, Appended, Disk, DiskFault};
pub use error::RecordError;
pub use failing::Failing;
pub use file_disk::FileDisk;
pub use held::Held;
pub use memory_disk::MemoryDisk;
pub use options::RecorderOptions;
pub use recorder::{FlushReport, Recorder};
