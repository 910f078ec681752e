//! JSON as the field writes it: a *scanner* that walks bytes once and says where each defect lies,
//! and values that keep what they were read from.
//!
//! Transcripts hold JSON that ordinary readers refuse or silently change: lone surrogate escapes, repeated keys,
//! numbers beyond `f64`, bytes that are not UTF-8. This room has the parts that read such text without loss:
//!
//! * [`Cursor`] walks a value without recursion, and notes the defects that do not stop it;
//! * [`Text`] is a string that may hold lone surrogates, and [`TextBuffer`] joins such strings;
//! * [`Number`], [`Raw`] and [`Fields`] keep the characters they were written with, and their order;
//! * [`Json`] is a value of a text that was walked once: a typed document is read from it.
//!
//! `serde_json` reads everything that no rule looks at. The scanner exists for three things that a tree of values does
//! not give: the byte of a defect, the rest of the line after it, and speed.

mod compact;
mod cursor;
mod hash;
mod key_set;
mod path;
mod shared;
mod special;
mod surrogate;
mod tape;
mod text;
mod token;
mod value;
mod walk;
mod write;

pub use compact::{Compact, compact};
pub use cursor::{Cursor, MAX_DEPTH, Scratch};
pub(crate) use hash::hash_name;
pub(crate) use path::locate_members;
pub use path::{PathStep, locate, path_at};
pub use surrogate::without_lone_surrogates;
pub use tape::Json;
pub(crate) use tape::{Members, Name, walked};
pub use text::decoded;
pub(crate) use text::unescape;
pub use text::{Text, TextBuffer};
pub(crate) use token::named;
pub use token::{Fault, FaultKind, Flaw, FlawKind, JsonType, Key, Span};
pub(crate) use value::WithRepeated;
pub use value::{FieldError, Fields, Number, Raw};
pub(crate) use write::{ObjectWriter, push_quoted};
