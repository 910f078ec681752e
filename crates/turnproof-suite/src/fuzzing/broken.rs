//! A law is *broken* when it panics. The place of the panic says what does not hold. Of a broken rule it also says
//! which one and in which way.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, panic_any, set_hook, take_hook};
use std::sync::Once;

use crate::rules::Violation;

use super::Target;

/// How a law broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where it panicked, as `file:line:column`.
    pub place: String,
    /// The rule that is broken, and the kind of the violation, as `rule/id#kind`; `None` where the place says what does
    /// not hold.
    pub rule: Option<String>,
    /// What the panic said.
    pub message: String,
}

impl Broken {
    /// Whether the same of the law does not hold: the place is the same, and so is the rule.
    pub fn is_like(&self, other: &Self) -> bool {
        (&self.place, &self.rule) == (&other.place, &other.rule)
    }
}

/// The payload of the panic of a law that found a broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRule {
    rule: &'static str,
    kind: &'static str,
    message: String,
}

impl BrokenRule {
    pub(super) fn new(violation: &Violation, message: String) -> Self {
        Self { rule: violation.rule, kind: violation.kind, message }
    }

    /// Panics with it.
    #[track_caller]
    pub(super) fn panic(self) -> ! {
        panic_any(self)
    }
}

impl fmt::Display for BrokenRule {
    /// Writes `rule/id#kind: message`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}: {}", self.rule, self.kind, self.message)
    }
}

/// How an input breaks the law of a target; `None` when the law holds. A panic counts even when it is caught: under a
/// fuzzer it would have ended the process.
///
/// ```
/// use turnproof_suite::fuzzing::{PARSE, broken_by};
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
    first.or_else(|| ended.err().map(|payload| broken(&*payload, String::new())))
}

/// How a law broke that panicked with this payload.
fn broken(payload: &(dyn Any + Send), place: String) -> Broken {
    if let Some(broken) = payload.downcast_ref::<BrokenRule>() {
        let rule = Some(format!("{}#{}", broken.rule, broken.kind));
        return Broken { place, rule, message: broken.message.clone() };
    }
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default();
    Broken { place, rule: None, message: text.to_owned() }
}

/// Keeps a panic of a watched thread; gives whether the thread is watched.
fn is_kept(panic: &PanicHookInfo<'_>) -> bool {
    let keep = |first: &mut Option<Broken>| {
        let place = || panic.location().map(ToString::to_string).unwrap_or_default();
        first.get_or_insert_with(|| broken(panic.payload(), place()));
    };
    FIRST.try_with(|first| first.borrow_mut().as_mut().map(keep).is_some()).unwrap_or(false)
}
