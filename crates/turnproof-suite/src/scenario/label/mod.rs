//! A *label* says what a case holds: a kind of message, a damage, a crash in the middle of a reply (SPEC 9.2).
//! Labels are counted over the cases of a run. Each says how many of 10,000 cases must hold it at least.
//!
//! Labels come from the plan, from what the engine reports of each action, and from the events that the loop yields.
//! No byte is parsed for them.

mod call;
mod course;
mod damage;
mod fold;
mod kind;
mod large;
mod line;
mod link;
mod make;
mod plain;
mod usage;

use crate::operation::record::{
    compacts_after_a_restart, ends_with_a_subagent, forgets_hints, is_hinted as hinted, stops_late,
};

use super::disorder::Disturbance;
use super::generate::INDEX_LIMIT;
use super::pool::{AttachmentForm, Extra, Flag, PLAIN_ATTACHMENTS, PoolText, SideKind, Subtype};
use super::{
    Case, Denied, FactoryName, FlowBlock, FlowEnd, FlowFate, FlowPlan, FlowStart, FlowWire, MakeContent, MakeIdentity,
    Misfit, Profile, Scenario, Sort,
};

/// A label: what a case may hold, and how often it must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// `family/name`.
    pub name: &'static str,
    /// What a case with the label holds.
    pub title: &'static str,
    /// The profile of the cases that it is counted among. `None` when it is counted among all of a usual run.
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
const PLAIN: Option<Profile> = Some(Profile::Plain);

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
    &[
        group(ANY, SELDOM, FlowBlock::LABELS),
        group(ANY, SELDOM, FlowStart::LABELS),
        group(ANY, SELDOM, FlowEnd::LABELS),
        group(ANY, SELDOM, FlowFate::LABELS),
        group(ANY, SELDOM, FlowWire::LABELS),
    ],
    damage::DAMAGES,
    &[group(CAUSAL, SELDOM, Denied::LABELS)],
    &[group(CAUSAL, SELDOM, Misfit::LABELS)],
    course::ACTIONS,
    &[
        group(ANY, OFTEN, FactoryName::LABELS),
        group(ANY, OFTEN, MakeContent::LABELS),
        group(ANY, OFTEN, MakeIdentity::LABELS),
    ],
    make::MAKES,
    usage::USAGES,
    fold::FOLDS,
    large::LARGES,
    large::LARGE_FILES,
    plain::DIALOGUES,
    plain::FORMS,
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
    SHUFFLED OFTEN
    "recorder/starting-parent" "a list that is recorded with a hint of where it goes on" if is_hinted(request).0,
    "recorder/team" "a list that is recorded as a team's" if is_hinted(request).1,
    "recorder/stops-late" "a reply whose stop sequence comes while its line waits" if is_stopped_late(request),
    "recorder/compacts-after-a-restart" "a compaction that is the first thing that a process writes"
        if request.indexes.first().is_some_and(|index| compacts_after_a_restart(*index)),
    "recorder/begins-behind-a-subagent" "a process that begins behind the line of a subagent, and compacts first"
        if request.indexes.first().is_some_and(|index| ends_with_a_subagent(*index)),
    "recorder/forgets-hints" "a process that dies between a hint and its list"
        if request.indexes.first().is_some_and(|index| forgets_hints(*index)),
} }

/// Whether a list of the case is recorded with a hint of where it goes on, and whether with a team.
fn is_hinted(request: &Scenario) -> (bool, bool) {
    match request.profile {
        Profile::Causal => (false, false),
        _ => hinted(request.indexes.first().copied().unwrap_or_default()),
    }
}

/// Whether a reply of the first list that is recorded gets its stop sequence late.
fn is_stopped_late(request: &Scenario) -> bool {
    let Scenario { profile, lines, indexes, .. } = request;
    let has_reply = || lines[..lines.len() / 2].iter().any(|line| line.kind.is_reply());
    *profile != Profile::Causal && stops_late(indexes.first().copied().unwrap_or_default()) && has_reply()
}

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

    fn flow(&mut self, plan: &FlowPlan) {
        let FlowPlan { block, start, end, fate, wire } = plan;
        for place in [block.label(), start.label(), end.label(), fate.label(), wire.label()] {
            self.put(place);
        }
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
        let Scenario { profile, lines, actions, turns, .. } = self.scenario();
        if *profile == Profile::Plain {
            labels.dialogue(turns);
            return labels;
        }
        labels.request(self.scenario());
        self.scenario().makes.iter().for_each(|plan| labels.make(plan));
        self.scenario().flows.iter().for_each(|plan| labels.flow(plan));
        match profile {
            Profile::Causal => labels.course(actions, self),
            _ => {
                labels.lines(lines);
                labels.calls(lines);
                labels.links(lines);
                labels.damages(lines, *profile);
                labels.usages(lines);
                labels.folds(lines);
                labels.sizes(lines);
            }
        }
        labels
    }
}
