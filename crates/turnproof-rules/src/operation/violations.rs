//! The *violations* of a request are what all rules on requests say of it, for one host.

use std::cell::RefCell;
use std::rc::Rc;

use super::request::{Host, Request, RequestError};
use crate::rules::{CATALOGUE, Rule, Violation};
use crate::trial::Judge;

/// What rules say, in the order of the catalogue, each violation with its rule.
pub type Violations = Rc<[(&'static Rule, Violation)]>;

thread_local! {
    /// What was said of late. A validator that is these rules says it of a request before it is judged by them.
    static SAID: RefCell<Vec<(String, Host, Violations)>> = const { RefCell::new(Vec::new()) };
}

/// Of how many requests that is kept: a case has fewer.
const KEPT: usize = 32;

/// What all rules on requests say of a request, given as JSON text. Fails when the text is no request.
pub fn violations(request: &str, host: Host) -> Result<Violations, RequestError> {
    let is_it = |said: &&(String, Host, Violations)| said.1 == host && said.0 == request;
    if let Some(known) = SAID.with_borrow(|said| said.iter().rev().find(is_it).map(|said| Rc::clone(&said.2))) {
        return Ok(known);
    }
    let read = Request::read(request)?;
    let mut violations = Vec::new();
    for &rule in CATALOGUE.iter() {
        if let Judge::Request { judge, .. } = rule.judge {
            judge(&read, host, &mut |violation| violations.push((rule, violation)));
        }
    }
    let violations = Violations::from(violations);
    SAID.with_borrow_mut(|said| {
        if said.len() == KEPT {
            said.clear();
        }
        said.push((request.to_owned(), host, Rc::clone(&violations)));
    });
    Ok(violations)
}
