//! A *transcript* is a session on disk: one JSON object a line, UTF-8, LF, linked by parent ids.
//!
//! This room turns bytes into records and back. It is for files from the field, so it never fails
//! on content: every byte belongs to exactly one *record*, *blank* or *rejected range*
//! (`wire/every-byte-accounted`), and a record that nobody changed is written back byte for byte.
//!
//! # How a line is read
//!
//! A *line* ends before its LF; only the last one may have none. The LF itself is blank. U+2028,
//! U+2029 and CR end nothing. A line is cut as follows.
//!
//! 1. Each *run of NUL* bytes is a rejected range ([`Reason::Nul`]): JSON never holds a raw NUL.
//!    What lies between runs is a *segment*, read on its own.
//! 2. In a segment, white space of JSON (space, tab, CR) around values is blank, and so is a byte
//!    order mark (EF BB BF) where a value could begin.
//! 3. Where a value begins, a whole JSON object is a *record*, whatever it holds. Anything may
//!    follow it; reading goes on right after it, so records that are glued (`}{`) all come back.
//! 4. Where no whole object begins, a rejected range begins, and goes on to the next *recoverable*
//!    record of the segment, or else to the segment's last byte that is not blank.
//!    Recoverable is a whole object that
//!    * begins with `{"` and an ASCII letter or `_` (as `JSON.stringify` writes records),
//!    * has a `type` that is a string, and at least one of the members [`MARKS`] (content blocks
//!      and nested progress messages have none of them),
//!    * and is not followed, blanks aside, by `,`, `]` or `}`, as an object inside a damaged record
//!      would be.
//!
//! "Whole JSON object" means the grammar of RFC 8259, but strings may hold lone surrogate escapes
//! and bytes that are not UTF-8, and containers may nest 128 deep at most.
//!
//! A rejected range has one [`Reason`], decided in this order:
//! * [`Reason::TooDeep`]: reading it from its first byte fails by nesting;
//! * [`Reason::NotObject`]: it is one whole JSON value that is not an object;
//! * [`Reason::CutShort`]: it begins with `{`, and either the segment ends inside the value, or a
//!   recoverable record follows it in the segment;
//! * [`Reason::InvalidUtf8`]: it is not UTF-8;
//! * [`Reason::NotJson`]: anything else.
//!
//! A line longer than [`MAX_LINE`] is not looked into: it is one rejected range
//! ([`Reason::TooLong`], reported as `wire/json-object`).
//!
//! # What is reported
//!
//! Beside its pieces, a line has [`Defect`]s, each named by the rule that it breaks, at most one of
//! a rule for each record or rejected range, placed at the first byte concerned:
//!
//! | rule | reported for |
//! |---|---|
//! | `wire/json-object` | ranges `NotJson` and `NotObject`; `CutShort` unless one of the next two rows takes it |
//! | `wire/one-record-per-line` | `CutShort` with a record after it on its line; each record after another record or a `CutShort` range on its line: for the pair `CutShort`, record only the range is reported |
//! | `wire/terminated` | the last line when it lacks its LF and holds anything but blanks and NUL, once, at its last piece that is neither |
//! | `wire/no-nul` | ranges `Nul` |
//! | `wire/utf8` | ranges `InvalidUtf8`; records that are not UTF-8 |
//! | `wire/no-lone-surrogate` | records with an escape that is half of a surrogate pair, keys included |
//! | `wire/unique-keys` | records with an object, at any depth, that repeats a key (escapes read, and bytes that are not UTF-8 as U+FFFD) |
//! | `wire/depth` | ranges `TooDeep` |
//! | `wire/typed-fields` | records of a known kind with a known field of the wrong JSON type |
//! | `wire/live-only-kind` | records whose kind must not be on disk |

mod chain;
mod chunk;
mod damage;
mod defect;
pub mod fork;
mod head;
mod record;
pub mod resume;
mod scanner;
mod schema;
mod whole;
pub mod write;

pub use chain::{Chain, ChainLink};
pub use chunk::{Chunk, Chunks, Line, MAX_LINE};
pub use defect::{Defect, DefectKind, Detail, Reason};
pub use head::{Flag, Head, Link};
pub use record::{BlockHead, Record};
pub use scanner::{Found, MARKS, Scanner};
pub use whole::Transcript;
