//! The *violations* of a request are what all rules on requests say of it, for one host; those of a reply, what all rules
//! on replies say.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::reply::{Reply, ReplyError};
use super::request::{Host, Request, RequestError};
use crate::rules::{CATALOGUE, Rule, Violation};
use crate::trial::Judge;

/// What rules say, in the order of the catalogue, each violation with its rule.
pub type Violations = Rc<[(&'static Rule, Violation)]>;

thread_local! {
    /// What was said of late. A validator that is these rules says it of a request before it is judged by them. A reply
    /// is for no host.
    static SAID: RefCell<Said> = RefCell::new(Said::default());
}

/// What was said of texts, by their hosts.
#[derive(Default)]
struct Said {
    texts: HashMap<Option<Host>, HashMap<String, Violations>>,
    /// The bytes of the texts.
    bytes: usize,
}

/// Of how many bytes of texts that is kept: of the requests that every validator is asked about, and of a case.
const KEPT: usize = 4 << 20;

/// What all rules on requests say of a request, given as JSON text. Fails when the text is no request.
pub fn violations(request: &str, host: Host) -> Result<Violations, RequestError> {
    said(request, Some(host), |violations| {
        let read = Request::read(request)?;
        for &rule in CATALOGUE.iter() {
            if let Judge::Request { judge, .. } = rule.judge {
                judge(&read, host, &mut |violation| violations.push((rule, violation)));
            }
        }
        Ok(())
    })
}

/// What all rules on replies say of a reply, given as it was sent. Fails when the text is no reply.
pub fn reply_violations(reply: &str) -> Result<Violations, ReplyError> {
    said(reply, None, |violations| {
        let read = Reply::read(reply.as_bytes())?;
        for &rule in CATALOGUE.iter() {
            if let Judge::Reply(judge) = rule.judge {
                judge(&read, &mut |violation| violations.push((rule, violation)));
            }
        }
        Ok(())
    })
}

/// What was said of a text before, or what `judge` says of it.
fn said<E>(
    text: &str,
    host: Option<Host>,
    judge: impl FnOnce(&mut Vec<(&'static Rule, Violation)>) -> Result<(), E>,
) -> Result<Violations, E> {
    let known = |said: &Said| said.texts.get(&host).and_then(|texts| texts.get(text)).map(Rc::clone);
    if let Some(known) = SAID.with_borrow(known) {
        return Ok(known);
    }
    let mut violations = Vec::new();
    judge(&mut violations)?;
    let violations = Violations::from(violations);
    SAID.with_borrow_mut(|said| {
        if said.bytes > KEPT {
            *said = Said::default();
        }
        said.bytes += text.len();
        said.texts.entry(host).or_default().insert(text.to_owned(), Rc::clone(&violations));
    });
    Ok(violations)
}
