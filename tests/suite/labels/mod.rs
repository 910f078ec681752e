//! What generated cases hold. A *label* is a thing that a reader of SPEC.md would ask for, and enough cases must hold
//! it. Labels are read from what a case gives to a subject, and for conversations from what the engine was doing.

mod blocks;
mod calls;
mod chain;
mod choices;
mod disk;
mod messages;
mod play;
mod replies;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;
use turnproof_rules::operation::Plain;
use turnproof_suite::scenario::{Action, Case, Profile, Scenario, Taken};

use Profile::{Causal, Hostile, Plain as PlainProfile, Shuffled};

pub(crate) struct Label {
    pub name: &'static str,
    /// The profiles whose cases must hold it.
    pub profiles: &'static [Profile],
    /// How many of a thousand cases of each of these profiles must hold it at least.
    pub least: u64,
    is_held: fn(&Held<'_>) -> bool,
}

const fn label(name: &'static str, profiles: &'static [Profile], least: u64, is_held: fn(&Held<'_>) -> bool) -> Label {
    Label { name, profiles, least, is_held }
}

/// Every label.
pub(crate) fn all() -> impl Iterator<Item = &'static Label> {
    let subjects =
        [messages::LABELS, replies::LABELS, blocks::LABELS, calls::LABELS, chain::LABELS, disk::LABELS, play::LABELS];
    subjects.into_iter().flatten()
}

/// What a case holds, read once.
pub(crate) struct Held<'a> {
    plan: &'a Scenario,
    case: &'a Case<'a>,
    messages: Vec<Value>,
    /// The objects among the lines of the transcript.
    lines: Vec<Value>,
    calls: Vec<Placed>,
    results: Vec<Placed>,
}

/// A call or a result: its id, the place of its message, and the reply that has it.
struct Placed {
    id: String,
    at: usize,
    reply: String,
}

impl<'a> Held<'a> {
    pub(crate) fn of(plan: &'a Scenario, case: &'a Case<'a>) -> Self {
        let messages: Vec<Value> = case.messages().iter().filter_map(|message| read(message)).collect();
        let text = String::from_utf8_lossy(case.transcript());
        let lines = text.lines().filter_map(read).filter(Value::is_object).collect();
        let placed = |role: &str, block_type: &str, id: &str| -> Vec<Placed> {
            let of_role = messages.iter().enumerate().filter(|(_, message)| kind(message) == role);
            let its = |(at, message)| blocks(message).iter().map(move |block| (at, message, block));
            let meant = of_role.flat_map(its).filter(|(.., block)| kind(block) == block_type);
            let placed = meant.filter_map(|(at, message, block)| {
                Some(Placed { id: block[id].as_str()?.to_owned(), at, reply: reply(message).to_owned() })
            });
            placed.collect()
        };
        let calls = placed("assistant", "tool_use", "id");
        let results = placed("user", "tool_result", "tool_use_id");
        Self { plan, case, messages, lines, calls, results }
    }

    /// The names of the labels that the case has.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        all().filter(|label| (label.is_held)(self)).map(|label| label.name)
    }

    /// Whether a message is so.
    fn message(&self, is_so: impl Fn(&Value) -> bool) -> bool {
        self.messages.iter().any(is_so)
    }

    /// Whether a message of user or assistant is so.
    fn spoken(&self, is_so: impl Fn(&Value) -> bool) -> bool {
        self.message(|message| matches!(kind(message), "user" | "assistant") && is_so(message))
    }

    /// Whether two neighbouring messages are so.
    fn pair(&self, is_so: impl Fn(&Value, &Value) -> bool) -> bool {
        self.messages.windows(2).any(|two| is_so(&two[0], &two[1]))
    }

    /// Whether a block of a message is so.
    fn block(&self, is_so: impl Fn(&Value) -> bool) -> bool {
        self.spoken(|message| blocks(message).iter().any(&is_so))
    }

    /// Whether a block of this type is so.
    fn of_type(&self, name: &str, is_so: impl Fn(&Value) -> bool) -> bool {
        self.block(|block| kind(block) == name && is_so(block))
    }

    /// Whether an action that the engine took is so.
    fn action(&self, is_so: impl Fn(Action, &Taken) -> bool) -> bool {
        let mut taken = self.plan.actions().iter().zip(self.case.taken()).filter(|(_, taken)| taken.happened);
        taken.any(|(action, taken)| is_so(*action, taken))
    }

    /// Whether an action is so, and after it another one.
    fn then(&self, first: impl Fn(Action) -> bool, next: impl Fn(Action) -> bool) -> bool {
        let taken = self.plan.actions().iter().zip(self.case.taken()).filter(|(_, taken)| taken.happened);
        let mut after = taken.map(|(action, _)| *action).skip_while(|action| !first(*action)).skip(1);
        after.any(next)
    }
}

fn read(json: &str) -> Option<Value> {
    Some(Plain::read(json).ok()?.into_value().into())
}

fn kind(message: &Value) -> &str {
    message["type"].as_str().unwrap_or_default()
}

fn blocks(message: &Value) -> &[Value] {
    message["message"]["content"].as_array().map_or(&[], Vec::as_slice)
}

fn has_block(message: &Value, name: &str) -> bool {
    blocks(message).iter().any(|block| kind(block) == name)
}

/// The id of a reply. Empty where it has none.
fn reply(message: &Value) -> &str {
    message["message"]["id"].as_str().unwrap_or_default()
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|letter| letter.is_whitespace() || matches!(letter, '\u{FEFF}' | '\u{1C}'..='\u{1F}'))
}

/// How many cases of each profile are looked at.
const CASES: u64 = 1_000;

/// For each profile, how many cases hold each label.
static COUNTS: LazyLock<[BTreeMap<&'static str, usize>; 4]> = LazyLock::new(|| {
    Profile::EVERY.map(|profile| {
        let mut counts = BTreeMap::new();
        for number in 0..CASES {
            let plan = Scenario::from_seed(1, number, profile);
            let case = Case::of(&plan);
            Held::of(&plan, &case).names().for_each(|name| *counts.entry(name).or_default() += 1);
        }
        counts
    })
});

/// How many cases of a profile hold each label.
pub(crate) fn counted(profile: Profile) -> &'static BTreeMap<&'static str, usize> {
    &COUNTS[profile as usize]
}

#[test]
fn cases_hold_each_label_often_enough() {
    let mut rare = Vec::new();
    for profile in Profile::EVERY {
        let counts = counted(profile);
        for label in all().filter(|label| label.profiles.contains(&profile)) {
            let count = counts.get(label.name).copied().unwrap_or_default() as u64;
            if count * 1_000 < label.least * CASES {
                rare.push((label.name, profile.name(), count));
            }
        }
    }
    assert!(rare.is_empty(), "too rare, of {CASES} cases: {rare:#?}");
}

#[test]
fn labels_are_named_once() {
    let mut names: Vec<&str> = all().map(|label| label.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
}

/// Conversations and lines.
const ANY: &[Profile] = &[Causal, Shuffled, Hostile];
/// Lines in any order.
const LINES: &[Profile] = &[Shuffled, Hostile];
/// Lines in any order, and plain dialogues.
const DIALOGUES: &[Profile] = &[Shuffled, Hostile, PlainProfile];
