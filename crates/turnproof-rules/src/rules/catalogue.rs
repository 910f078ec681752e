//! The *catalogue*: every rule, family by family.

use std::sync::LazyLock;

use crate::operation::check_request;

use super::{
    Rule, chain, engine, fold, id, make, message, normalize, record, request, resume, stream, tool, ui, usage, wire,
};

/// Every rule, in the order in which families and rules are shown.
pub static CATALOGUE: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let files = [wire::RULES, id::RULES, chain::RULES, tool::RULES, message::RULES];
    let requests = [request::RULES, normalize::RULES, ui::RULES, fold::RULES];
    let sessions = [record::RULES, resume::RULES, stream::RULES, engine::RULES];
    let others = [check_request::RULES, make::RULES, usage::RULES];
    let entries = files.into_iter().chain(requests).chain(sessions).chain(others).flatten();
    entries.map(|entry| &*Box::leak(Box::new(entry.read()))).collect()
});

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().copied().find(|rule| rule.id == id)
}

/// The rules whose id matches a glob: `*` stands for any characters, `?` for one.
pub fn matching(glob: &str) -> Vec<&'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| glob_matches(glob.as_bytes(), rule.id.as_bytes())).collect()
}

/// Whether the glob matches the whole of `text`: `*` stands for any characters, `?` for one.
pub fn glob_matches(glob: &[u8], text: &[u8]) -> bool {
    // Each star first matches nothing; on a mismatch the last star matches one character more.
    let (mut g, mut t, mut back) = (0, 0, None);
    while t < text.len() {
        match glob.get(g) {
            Some(b'*') => {
                back = Some((g, t));
                g += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[t] => {
                g += 1;
                t += 1;
            }
            _ => match back {
                Some((star, from)) => {
                    back = Some((star, from + 1));
                    g = star + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    glob[g..].iter().all(|&byte| byte == b'*')
}
