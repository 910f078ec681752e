//! Rules on *folding*: nothing is lost in a group, what was folded can be undone, and a bridge carries what people see.

mod model;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use crate::json::Value;

use self::model::{Run, call, is_group, is_same, members, runs, view};
use super::alike::{Numbers, alike, canonical, difference, other_part};
use super::ui::plain::{NO_OUTPUT, NOTHING, NoList, SEVERAL, input, output, shown};
use super::ui::what_it_is;
use super::value::{is_true, text};
use super::{Applies, Evidence, Place, Report, RuleEntry, Sentence, applies};
use crate::operation::{Folded, Given};

/// What the rules work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    input: OnceCell<Vec<&'a Value>>,
    /// The numbers of messages: those that are alike have the same one.
    numbers: RefCell<Numbers<'a, &'a str>>,
    /// Of each message of the input, its number.
    keys: OnceCell<Vec<usize>>,
    runs: OnceCell<Vec<Run>>,
    /// Which messages of the output are groups that the subject made.
    made: OnceCell<Vec<bool>>,
    unfolded: OnceCell<Vec<Unfolded<'a>>>,
    is_complete: OnceCell<bool>,
}

/// A message of the output or in a group that the subject made.
#[derive(Debug)]
struct Unfolded<'a> {
    message: &'a Value,
    key: usize,
    /// Its place, or that of its group.
    at: usize,
}

type FoldEvidence<'a> = Evidence<'a, Folded>;

impl<'a> FoldEvidence<'a> {
    /// The messages, without events that are in no list.
    fn input(&self) -> &[&'a Value] {
        let case = self.given();
        self.worked_out.input.get_or_init(|| input(&case.messages))
    }

    /// The number of a message.
    fn key(&self, message: &'a Value) -> usize {
        self.worked_out.numbers.borrow_mut().of(text(message, "uuid").unwrap_or_default(), message, is_same)
    }

    /// The number of each message of the input.
    fn keys(&self) -> &[usize] {
        self.worked_out.keys.get_or_init(|| self.input().iter().map(|message| self.key(message)).collect())
    }

    /// How often each number comes in the input.
    fn counts(&self) -> BTreeMap<usize, usize> {
        counts(self.keys().iter().copied())
    }

    /// The runs that are to be folded.
    fn runs(&self) -> &[Run] {
        self.worked_out.runs.get_or_init(|| runs(self.input(), self.folding))
    }

    /// The messages of the output.
    fn output(&self) -> Result<&'a [Value], NoList> {
        let case = self.given();
        output(&case.output)
    }

    /// For each message of the output whether it is a group that the subject made: one more than the input has of it.
    fn made(&self) -> &[bool] {
        self.worked_out.made.get_or_init(|| {
            let groups = self.input().iter().zip(self.keys()).filter(|(message, _)| is_group(message));
            let mut old = counts(groups.map(|(_, &key)| key));
            let output = self.output().unwrap_or_default();
            output.iter().map(|message| is_group(message) && !take(&mut old, self.key(message))).collect()
        })
    }

    /// The messages of the output, with those that the subject put into a group in place of the group.
    fn unfolded(&self) -> &[Unfolded<'a>] {
        self.worked_out.unfolded.get_or_init(|| {
            let mut unfolded = Vec::new();
            for (at, (message, is_made)) in self.output().unwrap_or_default().iter().zip(self.made()).enumerate() {
                let (calls, results) = parts(message, *is_made);
                let part = |message: &'a Value| Unfolded { message, key: self.key(message), at };
                unfolded.extend(calls.iter().chain(results).map(part));
            }
            unfolded
        })
    }

    /// The output, if it holds each message once.
    fn complete(&self) -> Result<&'a [Value], &'static str> {
        let output = self.output().map_err(|_| NO_OUTPUT)?;
        let is_complete = || counts(self.unfolded().iter().map(|part| part.key)) == self.counts();
        applies(*self.worked_out.is_complete.get_or_init(is_complete), "messages are lost or new")?;
        Ok(output)
    }

    /// The groups that the subject made, each with its place, if they hold what they must.
    fn right_groups(&self) -> Result<Vec<(usize, &'a Value)>, &'static str> {
        let output = self.complete()?;
        let groups = self.made_groups(output);
        applies(folded(self, &groups) == expected(self), "other messages are folded")?;
        Ok(groups)
    }

    /// The groups that the subject made, each with its place.
    fn made_groups(&self, output: &'a [Value]) -> Vec<(usize, &'a Value)> {
        let made = output.iter().enumerate().zip(self.made());
        made.filter(|(_, is_made)| **is_made).map(|(group, _)| group).collect()
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("fold/nothing-lost", Fold(nothing_lost)),
    rule!("fold/runs", Fold(right_runs)),
    rule!("fold/in-order", Fold(in_order)),
    rule!("fold/named", Fold(named)),
    rule!("fold/inverse", Fold(inverse)),
    rule!("fold/bridge-hides-meta", Fold(bridge_hides_meta)),
    rule!("fold/bridge-conserves", Fold(bridge_conserves)),
    rule!("fold/bridge-unfolds", Fold(bridge_unfolds)),
    rule!("fold/deterministic", Fold(deterministic)),
];

/// How often each number comes.
fn counts(keys: impl Iterator<Item = usize>) -> BTreeMap<usize, usize> {
    keys.fold(BTreeMap::new(), |mut counts, key| {
        *counts.entry(key).or_default() += 1;
        counts
    })
}

/// Takes one of a number, if there is one left.
fn take(left: &mut BTreeMap<usize, usize>, key: usize) -> bool {
    let count = left.get_mut(&key).filter(|count| **count > 0);
    count.map(|count| *count -= 1).is_some()
}

fn nothing_lost(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    match case.output() {
        Err((kind, why)) => report.whole(kind, why, "a list of messages"),
        Ok([]) if case.input().len() >= SEVERAL => report.whole("says-nothing", NOTHING, "the messages of the input"),
        Ok(_) => {
            let mut left = case.counts();
            for Unfolded { message, key, at } in case.unfolded() {
                if !take(&mut left, *key) {
                    let found = sentence!("one message too many: {message}", message = shown(Some(message)));
                    report.add(Place::message(*at), "extra", found, "only the messages of the input, each once");
                }
            }
            for (message, key) in case.input().iter().zip(case.keys()) {
                if take(&mut left, *key) {
                    let expected = sentence!("{message}, which is in the input", message = shown(Some(message)));
                    report.whole("missing", "a message is missing", expected);
                }
            }
        }
    }
    applies(!case.input().is_empty(), "there are no messages")
}

/// What is in each group, in order of the groups; calls and results sorted, since their order is another rule's.
type Groups = Vec<[Vec<usize>; 2]>;

fn folded<'a>(case: &FoldEvidence<'a>, groups: &[(usize, &'a Value)]) -> Groups {
    let keys = |list: &'a [Value]| sorted(list.iter().map(|message| case.key(message)));
    groups.iter().map(|(_, group)| [keys(members(group).0), keys(members(group).1)]).collect()
}

fn expected(case: &FoldEvidence<'_>) -> Groups {
    let keys = |places: &[usize]| sorted(places.iter().map(|&place| case.keys()[place]));
    case.runs().iter().map(|run| [keys(&run.calls), keys(&run.results)]).collect()
}

fn sorted(keys: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut keys: Vec<usize> = keys.collect();
    keys.sort_unstable();
    keys
}

fn right_runs(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = case.complete()?;
    let groups = case.made_groups(output);
    if let Some(at) = difference(&folded(case, &groups), &expected(case), PartialEq::eq) {
        let found = groups.get(at);
        let wanted = case.runs().get(at);
        let kind = match (found, wanted) {
            (None, _) => "missing",
            (_, None) => "extra",
            _ => "wrong-group",
        };
        let in_words = found.map_or("no further group".into(), |(_, group)| {
            let (calls, results) = (members(group).0.len(), members(group).1.len());
            let group = shown(Some(group));
            sentence!("a group of {calls} calls and {results} results: {group}", calls, results, group)
        });
        let expected = wanted.map_or("no further group".into(), |run| {
            let (calls, results) = (run.calls.len(), run.results.len());
            let first = shown(case.input().get(run.calls[0]).copied());
            sentence!("a group of {calls} calls and {results} results, from {first} on", calls, results, first)
        });
        let place = found.map_or(Place::Whole, |(place, _)| Place::message(*place));
        report.add(place, kind, in_words, expected);
    }
    applies(case.input().iter().any(|message| call(message).is_some()), "there is no call")
}

fn in_order(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let output = case.complete()?;
    // Where each message of the output stood. Messages that are alike stood in their order.
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, key) in case.keys().iter().enumerate().rev() {
        places.entry(*key).or_default().push(place);
    }
    let mut stood =
        case.unfolded().iter().map(|part| places.get_mut(&part.key).and_then(Vec::pop).unwrap_or(usize::MAX));
    let mut last = None;
    for (at, (message, is_made)) in output.iter().zip(case.made()).enumerate() {
        let (calls, results) = parts(message, *is_made);
        let [stood, answered] = [calls, results].map(|part| stood.by_ref().take(part.len()).collect::<Vec<usize>>());
        let is_in_order = last.into_iter().chain(stood.iter().copied()).is_sorted() && answered.is_sorted();
        if !is_in_order {
            let found = sentence!("{message}", message = shown(Some(message)));
            report.add(Place::message(at), "wrong-order", found, "the order of the list, calls and results each");
        }
        last = stood.last().copied().max(last);
    }
    applies(output.len() > 1 || case.made().contains(&true), "there is one message alone")
}

fn named(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let groups = case.right_groups()?;
    for ((at, group), run) in groups.iter().zip(case.runs()) {
        let calls: Vec<&Value> = run.calls.iter().map(|&place| case.input()[place]).collect();
        let mut names: Vec<&str> = Vec::new();
        for name in calls.iter().filter_map(|message| call(message)?.name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let of_first = |member| calls[0].get(member).map(canonical);
        for (kind, member, expected) in [
            ("wrong-name", "toolName", Some(Value::from(names.join(", ")))),
            ("wrong-id", "uuid", of_first("uuid")),
            ("wrong-time", "timestamp", of_first("timestamp")),
        ] {
            if group.get(member).map(canonical) != expected {
                let found = shown(group.get(member));
                let found = sentence!("{member} of the group is {found}", member, found);
                let expected = sentence!("{expected}", expected = shown(expected.as_ref()));
                report.add(Place::message(*at), kind, found, expected);
            }
        }
    }
    applies(!groups.is_empty(), "nothing is folded")
}

/// The calls and results of a group that the subject made; any other message is its own only part.
fn parts(message: &Value, is_made: bool) -> (&[Value], &[Value]) {
    if is_made { members(message) } else { (std::slice::from_ref(message), &[]) }
}

/// Reports the first place where a list is not the expected one.
fn compare(found: &[Value], expected: &[&Value], is_same: fn(&Value, &Value) -> bool, report: &mut Report<'_>) {
    if let Some((place, kind, found, expected)) = unlike(found, expected, is_same) {
        report.add(place, kind, found, expected);
    }
}

/// The first place where a list is not the expected one: the kind, what is there, and what is expected.
fn unlike(
    found: &[Value],
    expected: &[&Value],
    is_same: fn(&Value, &Value) -> bool,
) -> Option<(Place, &'static str, Sentence, Sentence)> {
    let found: Vec<&Value> = found.iter().collect();
    let at = difference(&found, expected, |one, other| is_same(one, other))?;
    let [found, expected] = [&found, expected].map(|list| list.get(at).copied());
    let kind = match (found, expected) {
        (None, _) => "missing",
        (_, None) => "extra",
        _ => "changed",
    };
    // Of two that are another message each, the names say more than the members.
    let names = [found, expected].map(what_it_is);
    let (found, expected) = match names[0] == names[1] {
        true => other_part("", found, expected, alike).in_words(),
        false => (sentence!("{found}", found = &names[0]), sentence!("{expected}", expected = &names[1])),
    };
    Some((Place::message(at), kind, found, expected))
}

/// A list that a subject gave when it was asked; reports what there is instead of a list.
fn asked<'a>(given: &'a Option<Given>, report: &mut Report<'_>) -> Result<&'a [Value], &'static str> {
    output(given.as_ref().ok_or("it was not asked, or does not do that")?).map_err(|(kind, why)| {
        report.whole(kind, why, "a list of messages");
        "there is no list"
    })
}

fn inverse(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    case.output().map_err(|_| NO_OUTPUT)?;
    compare(asked(&case.undone, report)?, case.input(), alike, report);
    if case.undone_once.is_some() {
        let output = case.output().map_err(|_| NO_OUTPUT)?;
        compare(asked(&case.undone_once, report)?, &output.iter().collect::<Vec<_>>(), alike, report);
    }
    applies(!case.input().is_empty(), "there are no messages")
}

fn is_meta(message: &Value) -> bool {
    is_true(message, "isMeta")
}

fn bridge_hides_meta(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let bridged = asked(&case.bridged, report)?;
    for (at, message) in bridged.iter().enumerate().filter(|(_, message)| is_meta(message)) {
        let found = sentence!("{message}", message = shown(Some(message)));
        report.add(Place::message(at), "meta", found, "no message for the model alone");
    }
    let has_meta = |message: &Value| is_meta(message) || is_group(message);
    applies(case.input().iter().any(|message| has_meta(message)), "there is no meta message and no group")
}

fn bridge_conserves(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let bridged: Vec<Value> =
        asked(&case.bridged, report)?.iter().filter(|message| !is_meta(message)).cloned().collect();
    let view = view(case.input());
    compare(&bridged, &view, is_same, report);
    applies(!view.is_empty(), "the bridge carries nothing")
}

fn bridge_unfolds(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let bridged = asked(&case.bridged, report)?;
    let after_folding = asked(&case.bridged_output, report)?;
    compare(after_folding, &bridged.iter().collect::<Vec<_>>(), is_same, report);
    applies(case.made().contains(&true), "nothing is folded")
}

fn deterministic(case: &FoldEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = asked(&case.again, report)?;
    let first = case.output().map_err(|_| NO_OUTPUT)?;
    if let Some((place, _, found, expected)) = unlike(again, &first.iter().collect::<Vec<_>>(), alike) {
        report.add(place, "not-deterministic", found, expected);
    }
    applies(!first.is_empty(), "there are no messages")
}
