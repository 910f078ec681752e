//! A *label* says what a case holds: a kind of message, a damage, a crash in the middle of a reply (SPEC 9.2).
//! Labels are counted over the cases of a run. Each says how many of 10,000 cases must hold it at least.
//!
//! Labels come from the plan, from what the engine reports of each action, and from the events that the loop yields.
//! No byte is parsed for them.

mod call;
mod course;
mod damage;
mod kind;
mod line;
mod link;

use super::disorder::Disturbance;
use super::generate::INDEX_LIMIT;
use super::pool::{AttachmentForm, Extra, Flag, PLAIN_ATTACHMENTS, PoolText, SideKind, Subtype};
use super::{Case, Denied, Profile, Scenario, Sort};

/// A label: what a case may hold, and how often it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// `family/name`.
    pub name: &'static str,
    /// What a case with the label holds.
    pub title: &'static str,
    /// The profile of the cases that it is counted among. `None` when it is counted among all.
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

/// The `least` of frequent labels. Each is in two of a hundred cases or more.
const OFTEN: u32 = 100;

/// The `least` of the other labels. Most of them are in 30 of 10,000 cases or more.
const SELDOM: u32 = 1;

const fn group(profile: Option<Profile>, least: u32, rows: &'static [(&'static str, &'static str)]) -> Group {
    Group { profile, least, rows }
}

const ANY: Option<Profile> = None;
const CAUSAL: Option<Profile> = Some(Profile::Causal);
const SHUFFLED: Option<Profile> = Some(Profile::Shuffled);
const HOSTILE: Option<Profile> = Some(Profile::Hostile);

const SUBJECTS: &[&[Group]] = &[
    kind::KINDS,
    &[
        group(ANY, SELDOM, Subtype::LABELS),
        group(ANY, SELDOM, SideKind::LABELS),
        group(SHUFFLED, OFTEN, Flag::LABELS),
        group(SHUFFLED, OFTEN, &[("flag/said-to-be-false", "a flag that is there and false")]),
        group(SHUFFLED, SELDOM, Extra::LABELS),
        group(ANY, SELDOM, AttachmentForm::LABELS.split_at(PLAIN_ATTACHMENTS as usize).0),
    ],
    line::FORMS,
    REQUESTS,
    line::LINES,
    line::FILES,
    line::RARE_LINES,
    line::RARE_FILES,
    kind::BLOCKS,
    &[group(ANY, SELDOM, PoolText::LABELS)],
    call::CALLS,
    link::LINKS,
    &[group(HOSTILE, OFTEN, Sort::LABELS), group(SHUFFLED, OFTEN, Disturbance::LABELS)],
    damage::STREAMS,
    damage::DAMAGES,
    &[group(CAUSAL, SELDOM, Denied::LABELS)],
    course::ACTIONS,
];

/// The label at a place among all. `None` beyond the last.
const fn label(mut place: usize) -> Option<Label> {
    let mut subject = 0;
    while subject < SUBJECTS.len() {
        let mut group = 0;
        while group < SUBJECTS[subject].len() {
            let Group { profile, least, rows } = SUBJECTS[subject][group];
            if place < rows.len() {
                let (name, title) = rows[place];
                return Some(Label { name, title, profile, least });
            }
            (place, group) = (place - rows.len(), group + 1);
        }
        subject += 1;
    }
    None
}

const COUNT: usize = {
    let mut count = 0;
    while label(count).is_some() {
        count += 1;
    }
    count
};

static TABLE: [Label; COUNT] = {
    let mut table = [Label { name: "", title: "", profile: None, least: 0 }; COUNT];
    let mut place = 0;
    while let Some(label) = label(place) {
        table[place] = label;
        place += 1;
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

/// The place of a label in [`LABELS`]. It is called in constants, so an unknown name does not compile.
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

/// Puts the label of a name, on a condition if there is one. An unknown name does not compile.
macro_rules! put {
    ($labels:expr, $name:literal) => {
        $labels.put(const { $crate::scenario::label::at($name) })
    };
    ($labels:expr, $name:literal, $condition:expr) => {
        $labels.put_if($condition, const { $crate::scenario::label::at($name) })
    };
}
use put;

/// Whether the label of a name is in the set. An unknown name does not compile.
macro_rules! has {
    ($labels:expr, $name:literal) => {
        $labels.has_at(const { $crate::scenario::label::at($name) })
    };
}
use has;

/// Defines groups of labels. A group begins with the profile and the `least` of its labels; each row is the name and
/// the title of a label.
///
/// With a function, a row may also say when a case has the label: `: pattern` when the function's subject matches it,
/// `if condition`, or both. The function puts those labels. Labels of other rows are put elsewhere.
macro_rules! labels {
    ($groups:ident { $($profile:ident $least:ident $($name:literal $title:literal,)+)+ }) => {
        pub(in $crate::scenario::label) const $groups: &[$crate::scenario::label::Group] =
            &[$($crate::scenario::label::group($profile, $least, &[$(($name, $title)),+])),+];
    };
    ($groups:ident, fn $put:ident($($of:ident: $of_type:ty),+) match $subject:expr => {
        $($profile:ident $least:ident $($name:literal $title:literal $(: $pattern:pat)? $(if $guard:expr)?,)+)+
    }) => {
        $crate::scenario::label::labels! { $groups { $($profile $least $($name $title,)+)+ } }

        impl $crate::scenario::label::Labels {
            fn $put(&mut self, $($of: $of_type),+) {
                $($($crate::scenario::label::row! { self $name $subject $(=> $pattern)? $(=> if $guard)? })+)+
            }
        }
    };
}
use labels;

/// Puts the label of one row of [`labels!`], if the row says when.
macro_rules! row {
    ($labels:ident $name:literal $subject:expr) => {};
    ($labels:ident $name:literal $subject:expr => if $guard:expr) => {
        $crate::scenario::label::put!($labels, $name, $guard);
    };
    ($labels:ident $name:literal $subject:expr => $pattern:pat $(=> if $guard:expr)?) => {
        $crate::scenario::label::put!($labels, $name, matches!($subject, $pattern $(if $guard)?));
    };
}
use row;

labels! { REQUESTS, fn request(request: &Scenario) match request => {
    ANY OFTEN
    "file/no-conversation" "no user and no reply",
    "request/with-context" "a request with project context" if request.context,
    "index/of-letters" "an index from 10 to 15, whose digit is a letter" if has_index(request, 10..=15),
    "index/the-last" "the last index for which an id can be derived"
        if has_index(request, INDEX_LIMIT - 1..=INDEX_LIMIT - 1),
    "index/too-large" "an index for which no id can be derived" if has_index(request, INDEX_LIMIT..=u64::MAX),
} }

fn has_index(request: &Scenario, range: std::ops::RangeInclusive<u64>) -> bool {
    request.indexes.iter().any(|index| range.contains(index))
}

/// A set of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Labels([bool; COUNT]);

impl Default for Labels {
    fn default() -> Self {
        Self([false; COUNT])
    }
}

impl Labels {
    fn put(&mut self, place: usize) {
        self.put_if(true, place);
    }

    fn put_if(&mut self, condition: bool, place: usize) {
        if let Some(has) = self.0.get_mut(place) {
            *has |= condition;
        }
    }

    fn has_at(&self, place: usize) -> bool {
        self.0[place]
    }

    /// Whether the label of this name is in the set.
    pub fn has(&self, name: &str) -> bool {
        LABELS.iter().position(|label| label.name == name).is_some_and(|place| self.has_at(place))
    }

    /// The places in [`LABELS`] of the labels in the set, in order.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().filter(|(_, has)| **has).map(|(place, _)| place)
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
        let Scenario { profile, lines, actions, .. } = self.scenario();
        labels.request(self.scenario());
        match profile {
            Profile::Causal => labels.course(actions, self),
            _ => {
                labels.lines(lines);
                labels.calls(lines);
                labels.links(lines);
                labels.damages(lines, *profile);
            }
        }
        labels
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::engine::Failure;
    use crate::message::{Kind, SERVER_TOOL_RESULTS, SIDE_KINDS, SUBTYPES};
    use crate::scenario::choice::Choice;

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
        named::<Sort>("damage");
        named::<PoolText>("text");
        named::<Extra>("member");
        named::<Denied>("deny");
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
