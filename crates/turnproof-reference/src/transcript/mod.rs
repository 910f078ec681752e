//! A *transcript* is a session on disk: one JSON object a line, UTF-8, LF, linked by parent ids.
//!
//! This room turns bytes into records and back. Its files come from the field, so reading never fails on
//! content. SPEC.md section 3.5 says how a line is read and what is reported.
//!
//! ```text
//! bytes ── Chunks ──> lines ── Scanner ──> records, blanks, rejected ranges; defects
//! records ── resume ──> the conversation ── fork ──> its copy under new ids
//! messages ── write ──> bytes
//! ```
//!
//! Every byte belongs to exactly one *record*, *blank* or *rejected range*. A record that nobody changed is written
//! back byte for byte. A [`Defect`] names the rule that a line breaks, and stands at the first byte concerned.

mod chunk;
mod damage;
mod defect;
pub mod fork;
mod head;
mod outline;
mod provisional;
mod record;
pub mod resume;
mod scanner;
mod schema;
mod whole;
pub mod write;

pub use chunk::{Chunk, Chunks, Line, MAX_LINE};
pub use defect::{Defect, DefectKind, Detail, Reason};
pub use head::{Flag, Head, Link};
pub use outline::{Outline, begins_visibly};
pub(crate) use provisional::is_provisional;
pub use record::read_entry;
pub use record::{BlockHead, Record};
pub use scanner::{Found, Scanner};
pub use whole::Transcript;
