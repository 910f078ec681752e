//! What may be *meant* by an id or a glob that matches no rule: names that have it in them, or are a few letters away.

use strsim::levenshtein;

use super::{CATALOGUE, matching};

/// How many names are proposed.
const MOST: usize = 5;

/// Advice for who named a rule that there is not: the ids, and for a glob the globs, that may be meant, or else the
/// command that lists all.
///
/// ```
/// use turnproof_rules::rules::meant;
///
/// assert_eq!(meant("pairing/result-follow-use"), "did you mean pairing/result-follows-use?");
/// assert_eq!(meant("pairng/*"), "did you mean pairing/*?");
/// assert_eq!(meant("nope/*"), "`turnproof rules` lists them all");
/// ```
pub fn meant(wrong: &str) -> String {
    match near(wrong).as_slice() {
        [] => "`turnproof rules` lists them all".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    }
}

/// What may be meant, the best first: rules with the word in their names, or else those that are written alike.
fn near(wrong: &str) -> Vec<String> {
    let wrong = wrong.to_lowercase();
    let mut found = match wrong.split_once('/') {
        Some((family, name)) if wrong.contains(['*', '?']) => families(family, name),
        _ if wrong.contains(['*', '?']) => Vec::new(),
        _ => ids(&wrong),
    };
    found.truncate(MOST);
    found
}

fn ids(wrong: &str) -> Vec<String> {
    let name = wrong.rsplit('/').next().unwrap_or_default();
    if name.is_empty() {
        return Vec::new();
    }
    let mut within = matching(&format!("*{name}*"));
    if within.is_empty() {
        let whole = |id: &str| id.to_owned();
        let name = |id: &str| id.rsplit('/').next().unwrap_or_default().to_owned();
        let compared: &dyn Fn(&str) -> String = if wrong.contains('/') { &whole } else { &name };
        return closest(wrong, CATALOGUE.iter().map(|rule| (compared(rule.id), rule.id.to_owned())));
    }
    // The very name in another family comes first.
    within.sort_by_key(|rule| !rule.id.ends_with(&format!("/{name}")));
    within.iter().map(|rule| rule.id.to_owned()).collect()
}

/// Globs with the family written as it may be meant.
fn families(wrong: &str, name: &str) -> Vec<String> {
    let mut known: Vec<&str> = CATALOGUE.iter().map(|rule| rule.family()).collect();
    known.dedup();
    let is_right = |glob: &String| !matching(glob).is_empty();
    let globs = known.into_iter().map(|family| (family.to_owned(), format!("{family}/{name}")));
    closest(wrong, globs.filter(|(_, glob)| is_right(glob)))
}

/// Of pairs of a word and what it proposes, those whose words are closest to a text: a letter in four may be wrong.
fn closest(text: &str, words: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let counted: Vec<(usize, String)> = words.map(|(word, proposed)| (levenshtein(text, &word), proposed)).collect();
    let least = counted.iter().map(|(edits, _)| *edits).min().unwrap_or_default();
    if least > text.chars().count() / 4 {
        return Vec::new();
    }
    counted.into_iter().filter(|(edits, _)| *edits == least).map(|(_, proposed)| proposed).collect()
}
