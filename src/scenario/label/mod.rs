//! A *label* says what a case holds: a kind of message, a damage, a crash in the middle of a reply. Labels
//! are counted over the cases of a run, and each says how many of 10,000 cases must hold it at least.
//!
//! Labels come from the plan, from what the engine says of each action, and from what was yielded. No byte is
//! parsed for them. They say what a case *has*, never whether it is right.

mod block;
mod call;
mod course;
mod damage;
mod kind;
mod line;
mod link;
mod loop_names;

use super::pool::PoolText;
use super::{Case, Profile, Scenario};

/// A label: what a case may hold, and how often it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// `family/name`.
    pub name: &'static str,
    /// What a case with the label holds.
    pub title: &'static str,
    /// Whose cases it is counted among. `None` when among all.
    pub profile: Option<Profile>,
    /// How many of 10,000 of those cases must hold it at least.
    pub least: u32,
}

/// Labels that are counted among the same cases, and required equally often.
struct Group {
    profile: Option<Profile>,
    least: u32,
    /// Name and title of each.
    rows: &'static [(&'static str, &'static str)],
}

/// A label that is [`OFTEN`] there is in two of a hundred cases or more.
const OFTEN: u32 = 100;

/// The others are in one of 10,000 cases at least; most are in 30 or more.
const SELDOM: u32 = 1;

const fn group(profile: Option<Profile>, least: u32, rows: &'static [(&'static str, &'static str)]) -> Group {
    Group { profile, least, rows }
}

const ANY: Option<Profile> = None;
const CAUSAL: Option<Profile> = Some(Profile::Causal);
const SHUFFLED: Option<Profile> = Some(Profile::Shuffled);
const HOSTILE: Option<Profile> = Some(Profile::Hostile);

/// The labels, by subject.
const SUBJECTS: [&[Group]; 8] = [
    kind::LABELS,
    line::LABELS,
    block::LABELS,
    &[group(ANY, SELDOM, PoolText::LABELS)],
    call::LABELS,
    link::LABELS,
    damage::LABELS,
    loop_names::LABELS,
];

/// How many labels there are.
const COUNT: usize = {
    let (mut count, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        let mut group = 0;
        while group < SUBJECTS[subject].len() {
            count += SUBJECTS[subject][group].rows.len();
            group += 1;
        }
        subject += 1;
    }
    count
};

static TABLE: [Label; COUNT] = {
    let mut table = [Label { name: "", title: "", profile: None, least: 0 }; COUNT];
    let (mut place, mut subject) = (0, 0);
    while subject < SUBJECTS.len() {
        let mut group = 0;
        while group < SUBJECTS[subject].len() {
            let Group { profile, least, rows } = SUBJECTS[subject][group];
            let mut row = 0;
            while row < rows.len() {
                let (name, title) = rows[row];
                table[place] = Label { name, title, profile, least };
                (place, row) = (place + 1, row + 1);
            }
            group += 1;
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
pub(super) const fn at(name: &str) -> usize {
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

/// Whether the label of a name is in the set; an unknown name does not compile.
macro_rules! has {
    ($labels:expr, $name:literal) => {
        $labels.has_at(const { $crate::scenario::label::at($name) })
    };
}
use has;

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
    /// use turnproof::scenario::pool::PoolText;
    /// use turnproof::scenario::{Action, Case, Profile, Scenario};
    ///
    /// let actions = vec![Action::Type(PoolText::Plain), Action::Crash(0), Action::Resume];
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
    use crate::engine::Failure;
    use crate::message::{Kind, SERVER_TOOL_RESULTS, SIDE_KINDS, SUBTYPES};
    use crate::scenario::choice::Choice;
    use crate::scenario::pool::{Flag, SideKind, Subtype};

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
        assert!(Subtype::ALL.iter().map(|subtype| subtype.what()).eq(SUBTYPES.iter().chain(&[""])));
        let flags: Vec<String> = Flag::ALL.iter().map(|flag| kebab(flag.what())).collect();
        assert_eq!(names("flag")[..flags.len()], flags);
        assert_eq!(names("side"), SIDE_KINDS);
        assert!(SideKind::ALL.iter().map(|kind| kind.what()).eq(SIDE_KINDS));
        let failures: Vec<String> = Failure::ALL.iter().map(|failure| kebab(&format!("{failure:?}"))).collect();
        assert!(failures.iter().all(|failure| names("fail").contains(&failure.as_str())), "{failures:?}");
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
    fn a_plan_names_a_choice_as_its_label_does() {
        fn named<C: Choice + serde::Serialize>(family: &str) {
            let labels = names(family);
            for choice in C::ALL {
                let name = serde_json::to_value(choice).unwrap();
                assert!(name.as_str().is_some_and(|name| labels.contains(&name)), "{name} is no {family}");
            }
        }
        named::<crate::scenario::Sort>("damage");
        named::<PoolText>("text");
        named::<crate::scenario::pool::Extra>("member");
        named::<crate::scenario::Denied>("deny");
    }

    #[test]
    fn labels_are_named_once_and_in_kebab_case() {
        let mut seen = BTreeSet::new();
        for label in LABELS {
            assert!(seen.insert(label.name), "{} twice", label.name);
            let is_kebab = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            let (family, name) = label.name.split_once('/').unwrap();
            assert!(family.chars().all(is_kebab) && name.chars().all(is_kebab), "{}", label.name);
            assert!(!label.title.is_empty() && !label.title.ends_with('.'), "{}", label.name);
            assert!([OFTEN, SELDOM].contains(&label.least), "{}: {}", label.name, label.least);
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
