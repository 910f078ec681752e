//! A law is *broken* when it panics, at a place and with a message whose first words say what does not hold.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use super::Target;

/// How a law broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where it panicked, as `file:line:column`.
    pub place: String,
    /// What the panic said.
    pub message: String,
}

impl Broken {
    /// What of the law does not hold; see [`words`].
    pub fn words(&self) -> String {
        words(&self.message)
    }

    /// Whether the same of the law does not hold: the place is the same, and so are the [words](Self::words).
    pub fn is_like(&self, other: &Self) -> bool {
        self.place == other.place && self.words() == other.words()
    }
}

/// The words of a panic that do not depend on the input: its first line up to the first colon, with `#` for each
/// number. Panics of the standard library have no colon; of these, text between backquotes or after a semicolon is left
/// out.
///
/// ```
/// use turnproof::fuzzing::words;
///
/// assert_eq!(words("wire/utf8: at byte 3: 0xff"), "wire/utf8");
/// assert_eq!(words("range end index 9 out of range for slice of length 4"),
///     "range end index # out of range for slice of length #");
/// ```
pub fn words(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    match line.split_once(": ") {
        Some((words, _)) => without_numbers(words),
        None => without_numbers(&without_quotes(line.split("; ").next().unwrap_or_default())),
    }
}

fn without_quotes(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "…" });
    parts.collect::<Vec<_>>().join("`")
}

/// The text with `#` for each number that is a word of its own; `utf8` does not change.
fn without_numbers(text: &str) -> String {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        result.push_str(if word.bytes().all(|byte| byte.is_ascii_digit()) { "#" } else { word });
        rest = after;
    }
    result
}

/// How an input breaks the law of a target; `None` when the law holds. A panic counts even when it is caught: under a
/// fuzzer it would have ended the process.
///
/// ```
/// use turnproof::fuzzing::{PARSE, broken_by};
///
/// assert_eq!(broken_by(&PARSE, b"{}\n"), None);
/// ```
pub fn broken_by(target: &Target, bytes: &[u8]) -> Option<Broken> {
    first_panic(|| target.hold(bytes))
}

thread_local! {
    /// In a thread that is watched: its first panic, as soon as there is one.
    static FIRST: RefCell<Option<Option<Broken>>> = const { RefCell::new(None) };
}

/// The first panic of some work. It is kept instead of printed; panics of other work go where they went before.
pub(super) fn first_panic(work: impl FnOnce()) -> Option<Broken> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !is_kept(panic) {
                before(panic);
            }
        }));
    });
    FIRST.set(Some(None));
    let ended = catch_unwind(AssertUnwindSafe(work));
    let first = FIRST.take().flatten();
    // Where another hook has taken the place of this one, the payload is all there is.
    let unseen = |payload: Box<dyn std::any::Any + Send>| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default();
        Broken { place: String::new(), message: text.to_owned() }
    };
    first.or_else(|| ended.err().map(unseen))
}

/// Keeps a panic of a watched thread; gives whether the thread is watched.
fn is_kept(panic: &PanicHookInfo<'_>) -> bool {
    let keep = |first: &mut Option<Broken>| {
        first.get_or_insert_with(|| Broken {
            place: panic.location().map(ToString::to_string).unwrap_or_default(),
            message: panic.payload_as_str().unwrap_or_default().to_owned(),
        });
    };
    FIRST.try_with(|first| first.borrow_mut().as_mut().map(keep).is_some()).unwrap_or(false)
}
