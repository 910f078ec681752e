//! A *label* says what a case holds: a kind of message, a damage, a crash in the middle of a reply. Labels
//! are counted over the cases of a run, and each says in which share of the cases it must occur at least.
//!
//! Labels are worked out from the plan, from how the loop stood at each action, and from kinds of what was
//! yielded; no byte is parsed for them. They say what a case *has*, never whether it is right.

mod block;
mod call;
mod course;
mod damage;
mod kind;
mod line;
mod link;
mod loop_names;
mod text;

use super::{Case, Profile, Scenario};

/// A label: what a case may hold, and how often it must.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// `family/name`.
    pub name: &'static str,
    /// What a case with the label holds.
    pub title: &'static str,
    /// Whose cases it is counted among; none: all.
    pub profile: Option<Profile>,
    /// In which share of those cases it must occur at least.
    pub least: f64,
}

/// A label that is counted among all cases.
const fn any(name: &'static str, title: &'static str, least: f64) -> Label {
    Label { name, title, profile: None, least }
}

/// A label of conversations.
const fn causal(name: &'static str, title: &'static str, least: f64) -> Label {
    Label { name, title, profile: Some(Profile::Causal), least }
}

/// A label of lines in any order.
const fn shuffled(name: &'static str, title: &'static str, least: f64) -> Label {
    Label { name, title, profile: Some(Profile::Shuffled), least }
}

/// A label of damaged lines.
const fn hostile(name: &'static str, title: &'static str, least: f64) -> Label {
    Label { name, title, profile: Some(Profile::Hostile), least }
}

/// The labels, by subject.
const SUBJECTS: [&[Label]; 10] = [
    kind::LABELS,
    line::LABELS,
    line::ATTACHMENT_LABELS,
    block::LABELS,
    text::LABELS,
    call::LABELS,
    link::LABELS,
    damage::LABELS,
    loop_names::LOOP,
    loop_names::SESSION,
];

/// How many labels there are.
const COUNT: usize = {
    let (mut count, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        count += SUBJECTS[subject].len();
        subject += 1;
    }
    count
};

static TABLE: [Label; COUNT] = {
    let mut table = [SUBJECTS[0][0]; COUNT];
    let (mut place, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        let mut label = 0;
        while label < SUBJECTS[subject].len() {
            table[place] = SUBJECTS[subject][label];
            (place, label) = (place + 1, label + 1);
        }
        subject += 1;
    }
    table
};

/// Every label, subject by subject.
///
/// ```
/// use turnproof::scenario::LABELS;
///
/// let torn = LABELS.iter().find(|label| label.name == "damage/torn-end").expect("it is known");
/// assert_eq!(torn.title, "the file ends in the middle of a record");
/// ```
pub static LABELS: &[Label] = &TABLE;

/// Where a label stands in the table. Asked of names in the code alone, while the crate is built.
const fn at(name: &str) -> usize {
    let mut place = 0;
    while place < COUNT {
        if is_same(TABLE[place].name.as_bytes(), name.as_bytes()) {
            return place;
        }
        place += 1;
    }
    panic!("no label has this name")
}

const fn is_same(one: &[u8], two: &[u8]) -> bool {
    if one.len() != two.len() {
        return false;
    }
    let mut place = one.len();
    while place > 0 {
        place -= 1;
        if one[place] != two[place] {
            return false;
        }
    }
    true
}

/// Puts the label of a name, on a condition if there is one; an unknown name does not compile.
macro_rules! put {
    ($labels:expr, $name:literal) => {
        $labels.put(const { $crate::scenario::label::at($name) })
    };
    ($labels:expr, $name:literal, $condition:expr) => {
        $labels.put_if($condition, const { $crate::scenario::label::at($name) })
    };
}
use put;

/// A set of labels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels([u64; COUNT.div_ceil(64)]);

impl Labels {
    fn put(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn put_if(&mut self, condition: bool, place: usize) {
        if condition {
            self.put(place);
        }
    }

    fn has_at(&self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word & 1 << (place % 64) != 0)
    }

    /// Whether the label of this name is in the set.
    pub fn has(&self, name: &str) -> bool {
        LABELS.iter().position(|label| label.name == name).is_some_and(|place| self.has_at(place))
    }

    /// The places in [`LABELS`] of the labels in the set, in order.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            let next = |bits: &u64| Some(bits & (bits - 1)).filter(|rest| *rest != 0);
            std::iter::successors(Some(*bits).filter(|bits| *bits != 0), next)
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    /// The labels in the set, in the order of [`LABELS`].
    pub fn iter(&self) -> impl Iterator<Item = &'static Label> + '_ {
        self.places().filter_map(|place| LABELS.get(place))
    }
}

impl Case<'_> {
    /// What the case holds.
    ///
    /// ```
    /// use turnproof::scenario::{Action, Case, Profile, Scenario};
    ///
    /// let actions = vec![Action::Type(0), Action::Crash(0), Action::Resume];
    /// let plain = Scenario::from_seed(7, 0, Profile::Causal);
    /// let scenario = Scenario { actions, ..plain };
    /// let labels = Case::of(&scenario).labels();
    /// assert!(labels.has("crash/while-waiting") && !labels.has("crash/idle"));
    /// ```
    pub fn labels(&self) -> Labels {
        let mut labels = Labels::default();
        let Scenario { profile, lines, actions, indexes, context } = self.scenario();
        labels.indexes(indexes);
        put!(labels, "request/with-context", *context);
        match profile {
            Profile::Causal => labels.course(actions, self),
            _ => {
                labels.lines(lines);
                labels.calls(lines);
                labels.links(lines);
                labels.disorder(lines, *profile);
                labels.damages(lines);
            }
        }
        labels
    }
}

impl Labels {
    /// The indexes for which ids are derived.
    fn indexes(&mut self, indexes: &[u64]) {
        const LIMIT: u64 = 1 << 48;
        for &index in indexes {
            put!(self, "index/of-letters", (10..16).contains(&index));
            put!(self, "index/the-last", index == LIMIT - 1);
            put!(self, "index/too-large", index >= LIMIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::message::{Kind, SERVER_TOOL_RESULTS, SIDE_KINDS, SUBTYPES};
    use crate::scenario::damage::SORTS;
    use crate::scenario::pool::{EXTRAS, FLAGS, TEXT_COUNT};

    fn names(family: &str) -> Vec<&'static str> {
        LABELS.iter().filter_map(|label| label.name.strip_prefix(family)?.strip_prefix('/')).collect()
    }

    /// A name of the code or the wire, as labels write it.
    fn kebab(name: &str) -> String {
        let mut kebab = String::new();
        for letter in name.chars() {
            if letter.is_ascii_uppercase() && !kebab.is_empty() {
                kebab.push('-');
            }
            kebab.push(if letter == '_' { '-' } else { letter.to_ascii_lowercase() });
        }
        kebab
    }

    #[test]
    fn every_kind_subtype_flag_and_side_kind_has_its_label_in_order() {
        let kinds: Vec<String> = Kind::ALL.iter().map(|kind| kebab(kind.name())).collect();
        assert_eq!(names("kind")[..kinds.len()], kinds);
        let subtypes: Vec<String> = SUBTYPES.iter().map(|name| kebab(name)).collect();
        assert_eq!(names("subtype")[..subtypes.len()], subtypes);
        let flags: Vec<String> = FLAGS.iter().map(|name| kebab(name)).collect();
        assert_eq!(names("flag")[..flags.len()], flags);
        assert_eq!(names("side"), SIDE_KINDS);
    }

    #[test]
    fn every_block_type_has_its_label() {
        let known = ["text", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use"];
        let others = ["image", "document", "unknown", "mcp_tool_use"];
        for name in known.iter().chain(SERVER_TOOL_RESULTS).chain(&others) {
            assert!(names("block").contains(&kebab(name).as_str()), "{name}");
        }
    }

    #[test]
    fn every_damage_text_and_extra_has_its_label_in_order() {
        for (sort, name) in SORTS.iter().zip(names("damage")) {
            let written = format!("{sort:?}");
            assert_eq!(kebab(written.split('(').next().unwrap()), name);
        }
        assert!(names("damage").len() > SORTS.len());
        assert_eq!(names("text").len(), usize::from(TEXT_COUNT));
        assert_eq!(names("member").len(), EXTRAS.len());
    }

    #[test]
    fn labels_are_named_once_and_in_kebab_case() {
        let mut seen = BTreeSet::new();
        for label in LABELS {
            assert!(seen.insert(label.name), "{} twice", label.name);
            let is_kebab =
                |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            let (family, name) = label.name.split_once('/').unwrap();
            assert!(family.chars().all(is_kebab) && name.chars().all(is_kebab), "{}", label.name);
            assert!(!label.title.is_empty() && !label.title.ends_with('.'), "{}", label.name);
            assert!(label.least > 0.0 && label.least < 1.0, "{}: {}", label.name, label.least);
        }
    }

    #[test]
    fn a_set_gives_back_what_was_put_in() {
        let mut labels = Labels::default();
        let places = [0, 1, 63, 64, 65, 130, COUNT - 1];
        places.iter().for_each(|&place| labels.put(place));
        labels.put(usize::MAX);
        assert_eq!(labels.places().collect::<Vec<_>>(), places);
        assert!(labels.has(LABELS[130].name) && !labels.has(LABELS[131].name) && !labels.has("no/label"));
    }
}
