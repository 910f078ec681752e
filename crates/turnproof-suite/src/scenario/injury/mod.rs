//! An *injury* is what happens to a whole session on disk: a row of the table of damage in SPEC.md section 3.9.
//!
//! Any session can be injured, a generated one or a real one. The same seed does the same to the same bytes.

mod bytes;
mod content;
mod links;
mod session;

use super::{Seeded, Source};
use session::Session;

/// What happens to a session.
#[derive(Clone, Copy)]
pub struct Injury {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// What happens, in words.
    pub what: &'static str,
    apply: Apply,
}

/// Injures a session; `None` where it has nothing to which this could happen.
type Apply = fn(&mut Session, &mut Seeded) -> Option<()>;

/// All injuries, in the order of the table.
pub const INJURIES: &[Injury] = &[
    injury("torn-end", "the last line is cut, and has no end", bytes::torn_end),
    injury("torn-line", "a line is cut short", bytes::torn_line),
    injury("garbage", "a line that is no JSON stands between records", bytes::garbage),
    injury("nul-before", "NUL bytes stand before a record on its line", bytes::nul_before),
    injury("nul-over", "NUL bytes stand in the place of a line", bytes::nul_over),
    injury("glued", "a line has no end, and the next one follows on it", bytes::glued),
    injury("torn-and-glued", "a line is cut short, and the next one follows on it", bytes::torn_and_glued),
    injury("byte-order-mark", "the file begins with a byte order mark", bytes::byte_order_mark),
    injury("carriage-returns", "each line ends with CR LF", bytes::carriage_returns),
    injury("bad-utf8", "a byte that is not UTF-8 stands in a text", bytes::bad_utf8),
    injury("half-surrogate", "half of a surrogate pair stands in a text", bytes::half_surrogate),
    injury("wrong-type", "a known field of a message has a wrong type", links::wrong_type),
    injury("no-uuid", "a message has no uuid", links::no_uuid),
    injury("line-twice", "a line was written twice", links::line_twice),
    injury("two-machines", "a stretch stands twice, with the marks of a conflict", links::two_machines),
    injury("lost-line", "a line was never written", links::lost_line),
    injury("lost-parent", "a message names a parent that is nowhere", links::lost_parent),
    injury("parent-elsewhere", "a message names a record of a subagent as its parent", links::parent_elsewhere),
    injury("circle", "a message names one that comes after it as its parent", links::circle),
    injury("boundary-with-parent", "a boundary has a parent", links::boundary_with_parent),
    injury("boundary-without-logical", "a boundary does not say what it followed", links::boundary_without_logical),
    injury("preserved-lost", "a boundary preserves a message that is not there", links::preserved_lost),
    injury("blank-text", "a reply holds a blank text", content::blank_text),
    injury("half-written-block", "a reply holds a block without what its type requires", content::half_written),
    injury("no-content", "a message has no content", content::no_content),
    injury("call-first", "a call stands before a block of a server tool", content::call_first),
    injury("server-id-twice", "two calls of server tools have one id", content::server_id_twice),
    injury("odd-picture", "an attachment has a picture of a type that no request may carry", content::odd_picture),
    injury("result-lost", "the result of a call was never written", content::result_lost),
    injury("call-lost", "the call of a result was never written", content::call_lost),
    injury("result-twice", "a result stands twice", content::result_twice),
    injury("late-result", "a result stands some turns later", content::late_result),
    injury("call-id-twice", "two calls have one id", content::call_id_twice),
    injury("odd-call-id", "the id of a call is one that the API refuses", content::odd_call_id),
    injury("half-server-pair", "the result of a server tool was never written", content::half_server_pair),
    injury("thinking-last", "a turn ends with thinking", content::thinking_last),
    injury("reply-first", "the conversation begins with a reply", content::reply_first),
    injury("wrong-source", "a result names a source that does not hold its call", content::wrong_source),
];

const fn injury(name: &'static str, what: &'static str, apply: Apply) -> Injury {
    Injury { name, what, apply }
}

impl Injury {
    /// The injured session; `None` where it has nothing to which this could happen.
    ///
    /// ```
    /// use turnproof::scenario::{INJURIES, Profile, Scenario};
    ///
    /// let session = Scenario::from_seed(1, 0, Profile::Causal).transcript();
    /// let injured = INJURIES[0].injure(&session, 1);
    /// assert_ne!(injured, Some(session.clone()));
    /// assert_eq!(injured, INJURIES[0].injure(&session, 1));
    /// ```
    pub fn injure(&self, file: &[u8], seed: u64) -> Option<Vec<u8>> {
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
