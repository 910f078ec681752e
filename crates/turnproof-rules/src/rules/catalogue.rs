//! The *catalogue*: every rule, family by family.

use std::sync::LazyLock;

use crate::operation::{check_request, check_response};

use super::document::USUAL_DISTANCE;
use super::{Rule, RuleEntry, history, meant, reply, request, talk};
#[cfg(feature = "pipelines")]
use super::{
    chain, engine, fold, id, make, message, normalize, record, repair, resume, sent, stream, tool, ui, usage, wire,
};

/// Every rule, in the order in which families and rules are shown.
///
/// # Panics
/// When the page of a rule is not as it has to be; what is wrong is said with its file and line.
pub static CATALOGUE: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let read = |&RuleEntry { id, judge, document, example }: &RuleEntry| Rule::read(id, document, example, judge);
    let rules = FAMILIES.iter().copied().flatten().map(|entry| read(entry).unwrap_or_else(|error| panic!("{error}")));
    rules.map(|rule| &*Box::leak(Box::new(rule))).collect()
});

const FAMILIES: &[&[RuleEntry]] = &[
    #[cfg(feature = "pipelines")]
    wire::RULES,
    #[cfg(feature = "pipelines")]
    id::RULES,
    #[cfg(feature = "pipelines")]
    chain::RULES,
    #[cfg(feature = "pipelines")]
    tool::RULES,
    #[cfg(feature = "pipelines")]
    message::RULES,
    #[cfg(feature = "pipelines")]
    sent::RULES,
    request::RULES,
    request::BODY,
    #[cfg(feature = "pipelines")]
    normalize::RULES,
    #[cfg(feature = "pipelines")]
    ui::RULES,
    #[cfg(feature = "pipelines")]
    fold::RULES,
    #[cfg(feature = "pipelines")]
    record::RULES,
    #[cfg(feature = "pipelines")]
    resume::RULES,
    #[cfg(feature = "pipelines")]
    stream::RULES,
    #[cfg(feature = "pipelines")]
    engine::RULES,
    check_request::RULES,
    history::RULES,
    talk::RULES,
    check_response::RULES,
    reply::RULES,
    #[cfg(feature = "pipelines")]
    make::RULES,
    #[cfg(feature = "pipelines")]
    usage::RULES,
    #[cfg(feature = "pipelines")]
    repair::RULES,
];

/// How far a rule is from the mistakes that break it, as its page says; the usual distance for an id of no rule.
pub fn distance(id: &str) -> u8 {
    find(id).map_or(USUAL_DISTANCE, |rule| rule.distance)
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().copied().find(|rule| rule.id == id)
}

/// The rules of a family.
pub(super) fn of_family(family: &str) -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(move |rule| rule.family() == family)
}

/// The rules whose id matches a glob: `*` matches any characters, `?` one.
pub fn matching(glob: &str) -> Vec<&'static Rule> {
    CATALOGUE.iter().copied().filter(|rule| glob_matches(glob.as_bytes(), rule.id.as_bytes())).collect()
}

/// A glob that chooses nothing, and nothing that it could leave out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule matches `{0}`; {advice}", advice = meant(.0))]
pub struct NoSuchRule(pub String);

/// The rules that globs choose, in the order of the catalogue. A glob with `!` before it leaves rules out, whatever the
/// others say; where all globs leave out, the others are chosen, as without a glob. A text may hold several globs, with
/// commas between: `pairing/*,!pairing/id-form`.
///
/// # Errors
/// The first glob that matches no rule.
pub fn choose<G: AsRef<str>>(globs: &[G]) -> Result<Vec<&'static Rule>, NoSuchRule> {
    let globs = || globs.iter().flat_map(|text| text.as_ref().split(',')).map(str::trim);
    let matches = |glob: &str, rule: &Rule| glob_matches(glob.as_bytes(), rule.id.as_bytes());
    let bare = |glob: &'_ str| glob.strip_prefix('!').unwrap_or(glob).to_owned();
    if let Some(glob) = globs().map(bare).find(|glob| !CATALOGUE.iter().any(|rule| matches(glob, rule))) {
        return Err(NoSuchRule(glob));
    }
    let chooses_all = globs().all(|glob| glob.starts_with('!'));
    let is_chosen = |rule: &Rule| chooses_all || globs().any(|glob| matches(glob, rule));
    let is_left_out = |rule: &Rule| globs().filter_map(|glob| glob.strip_prefix('!')).any(|glob| matches(glob, rule));
    Ok(CATALOGUE.iter().copied().filter(|rule| is_chosen(rule) && !is_left_out(rule)).collect())
}

/// Whether the glob matches the whole of `text`: `*` matches any characters, `?` one.
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
