//! Damages a whole session on disk: each way is a row of the table of damage in SPEC.md section 3.9.
//!
//! Any session can be damaged, a generated one or a real one. The same seed does the same to the same bytes.

mod bytes;
mod content;
mod links;
mod session;

use super::{Seeded, Source};
use session::Session;

/// What happens to a session.
#[derive(Clone, Copy)]
pub struct SessionDamage {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// What happens, in words.
    pub what: &'static str,
    apply: Apply,
}

/// Damages a session; `None` where it has nothing to which this could happen.
type Apply = fn(&mut Session, &mut Seeded) -> Option<()>;

/// All damages, in the order of the table.
pub const SESSION_DAMAGES: &[SessionDamage] = &[
    damage("torn-end", "the last line is cut, and has no end", bytes::torn_end),
    damage("torn-line", "a line is cut short", bytes::torn_line),
    damage("garbage", "a line that is no JSON stands between records", bytes::garbage),
    damage("nul-before", "NUL bytes stand before a record on its line", bytes::nul_before),
    damage("nul-over", "NUL bytes stand in the place of a line", bytes::nul_over),
    damage("glued", "a line has no end, and the next one follows on it", bytes::glued),
    damage("torn-and-glued", "a line is cut short, and the next one follows on it", bytes::torn_and_glued),
    damage("byte-order-mark", "the file begins with a byte order mark", bytes::byte_order_mark),
    damage("carriage-returns", "each line ends with CR LF", bytes::carriage_returns),
    damage("bad-utf8", "a byte that is not UTF-8 stands in a text", bytes::bad_utf8),
    damage("half-surrogate", "half of a surrogate pair stands in a text", bytes::half_surrogate),
    damage("wrong-type", "a known field of a message has a wrong type", links::wrong_type),
    damage("no-uuid", "a message has no uuid", links::no_uuid),
    damage("line-twice", "a line was written twice", links::line_twice),
    damage("two-machines", "a stretch stands twice, with the marks of a conflict", links::two_machines),
    damage("lost-line", "a line was never written", links::lost_line),
    damage("lost-parent", "a message names a parent that is nowhere", links::lost_parent),
    damage("parent-elsewhere", "a message names a record of a subagent as its parent", links::parent_elsewhere),
    damage("circle", "a message names one that comes after it as its parent", links::circle),
    damage("boundary-with-parent", "a boundary has a parent", links::boundary_with_parent),
    damage("boundary-without-logical", "a boundary does not say what it followed", links::boundary_without_logical),
    damage("preserved-lost", "a boundary preserves a message that is not there", links::preserved_lost),
    damage("blank-text", "a reply holds a blank text", content::blank_text),
    damage("half-written-block", "a reply holds a block without what its type requires", content::half_written),
    damage("no-content", "a message has no content", content::no_content),
    damage("call-first", "a call stands before a block of a server tool", content::call_first),
    damage("server-id-twice", "two calls of server tools have one id", content::server_id_twice),
    damage("odd-picture", "an attachment has a picture of a type that no request may carry", content::odd_picture),
    damage("result-lost", "the result of a call was never written", content::result_lost),
    damage("call-lost", "the call of a result was never written", content::call_lost),
    damage("result-twice", "a result stands twice", content::result_twice),
    damage("late-result", "a result stands some turns later", content::late_result),
    damage("call-id-twice", "two calls have one id", content::call_id_twice),
    damage("odd-call-id", "the id of a call is one that the API refuses", content::odd_call_id),
    damage("half-server-pair", "the result of a server tool was never written", content::half_server_pair),
    damage("thinking-last", "a turn ends with thinking", content::thinking_last),
    damage("reply-first", "the conversation begins with a reply", content::reply_first),
    damage("wrong-source", "a result names a source that does not hold its call", content::wrong_source),
];

const fn damage(name: &'static str, what: &'static str, apply: Apply) -> SessionDamage {
    SessionDamage { name, what, apply }
}

impl SessionDamage {
    /// The damaged session; `None` where it has nothing to which this could happen.
    ///
    /// ```
    /// use turnproof_suite::scenario::{SESSION_DAMAGES, Profile, Scenario};
    ///
    /// let session = Scenario::from_seed(1, 0, Profile::Causal).transcript();
    /// let damaged = SESSION_DAMAGES[0].damage(&session, 1);
    /// assert_ne!(damaged, Some(session.clone()));
    /// assert_eq!(damaged, SESSION_DAMAGES[0].damage(&session, 1));
    /// ```
    pub fn damage(&self, file: &[u8], seed: u64) -> Option<Vec<u8>> {
        let mut session = Session::read(file);
        (self.apply)(&mut session, &mut Seeded::new(seed, 0))?;
        Some(session.bytes()).filter(|bytes| bytes != file)
    }
}

/// One of several things; `None` of none.
fn one_of<T: Copy>(source: &mut Seeded, things: &[T]) -> Option<T> {
    let count = u32::try_from(things.len()).ok().filter(|&count| count > 0)?;
    Some(things[source.below(count) as usize])
}
