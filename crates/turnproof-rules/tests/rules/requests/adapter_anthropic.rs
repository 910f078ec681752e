//! The types of the Python package `anthropic` and the table of shapes, side by side: what the types refuse breaks a
//! rule, and what they allow breaks none that looks at shapes. Each known difference has its reason here.
//!
//! Valid requests of every block are mutated, at any depth: one member is added, deleted, retyped or copied from
//! another block. Needs a Python with the package (see `adapters/anthropic/README.md`): the one that `TURNPROOF_PYTHON`
//! names, or `python3`. Without it the test says that it is skipped. `TURNPROOF_MUTANTS` says how many mutants are asked about.

#[path = "../../common/anthropic.rs"]
mod package;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use turnproof_rules::operation::Host;

use package::{answers, python};

use super::shapes::objects;
use super::{blocks, reported, request};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../adapters/anthropic/judge.py");

/// How many mutants are asked about when nobody says.
const MUTANTS: usize = 2000;

/// Where the rules are stricter than the types: a rule or a part of its error, and why.
const STRICTER: [(&str, &str); 10] = [
    ("String should match pattern", "types do not say how a name or an id is written"),
    ("api/blocks-by-role", "the types let users and assistants hold every block; the API does not"),
    ("api/first-user", "types do not say which turns follow which"),
    ("api/media-limits", "types do not say what an image is"),
    ("api/non-empty-content", "types do not say how long a list is"),
    ("api/system-turns", "types do not say which turns follow which"),
    ("pairing/no-orphan-result", "types know no other block"),
    ("pairing/result-follows-use", "types know no other block"),
    ("pairing/server-tools", "types know no other block"),
    ("pairing/unique-use-id", "types know no other block"),
];

/// Where the rules are looser than the types: part of the path that the types refuse, and why.
const LOOSER: [(&str, &str); 2] = [
    (".file_id: extra", "citations of replies have it, and replies are sent back as they are"),
    (".definition", "a tool's definition is not a block: tools are not judged"),
];

/// Numbers from a seed, the same everywhere.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Names of members that some blocks have, that none has, and that clients write.
const NAMES: [&str; 40] = [
    "id",
    "text",
    "caller",
    "usage",
    "model",
    "stop_reason",
    "content",
    "data",
    "url",
    "file_id",
    "title",
    "source",
    "media_type",
    "cache_control",
    "is_error",
    "tool_use_id",
    "signature",
    "citations",
    "name",
    "input",
    "uuid",
    "isMeta",
    "novelty",
    "context",
    "toolset_name",
    "server_name",
    "error_code",
    "role",
    "type",
    "page_age",
    "stdout",
    "return_code",
    "tool_name",
    "output_config",
    "transformations",
    "encrypted_content",
    "thinking",
    "ttl",
    "enabled",
    "trigger",
];

/// Values of every JSON type.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(7),
        json!(0.5),
        json!("a"),
        json!([]),
        json!({}),
        json!(["a"]),
        json!([{"type": "text", "text": "a"}]),
        json!({"type": "ephemeral"}),
        json!({"type": "direct"}),
        json!({"type": "text", "text": "a"}),
    ]
}

/// One change to a request, and what it is in words.
fn mutant(whole: &Value, draw: &mut Draw) -> (String, Value) {
    let mut places = Vec::new();
    objects(whole, "", &mut places);
    let place = draw.one_of(&places);
    let neighbour: &String = draw.one_of(&places);
    let neighbour = whole.pointer(neighbour).and_then(Value::as_object).expect("an object");
    let neighbours: Vec<(&String, &Value)> = neighbour.iter().collect();
    let mut changed = whole.clone();
    let object = changed.pointer_mut(place).and_then(Value::as_object_mut).expect("an object");
    let names: Vec<String> = object.keys().cloned().collect();
    let (what, name) = match draw.below(4) {
        0 if !names.is_empty() => ("deleted", draw.one_of(&names).clone()),
        1 if !names.is_empty() => ("retyped", draw.one_of(&names).clone()),
        2 if !neighbours.is_empty() => ("copied", draw.one_of(&neighbours).0.clone()),
        _ => ("added", (*draw.one_of(&NAMES)).to_owned()),
    };
    match what {
        "deleted" => drop(object.remove(&name)),
        "copied" => drop(object.insert(name.clone(), neighbour[&name].clone())),
        _ => retype(object, &name, draw),
    }
    (format!("{place}/{name} {what}"), changed)
}

/// Sets a member to a value of another type than it has.
fn retype(object: &mut Map<String, Value>, name: &str, draw: &mut Draw) {
    let other =
        |value: &Value| object.get(name).is_none_or(|old| std::mem::discriminant(old) != std::mem::discriminant(value));
    let values: Vec<Value> = values().into_iter().filter(other).collect();
    object.insert(name.to_owned(), draw.one_of(&values).clone());
}

#[test]
fn adapter_types_and_rules_refuse_the_same_mutants() {
    if !std::path::Path::new(SCRIPT).exists() {
        eprintln!("skipped: the adapter is not in the published crate");
        return;
    }
    let Some(python) = python() else { return };
    let count = std::env::var("TURNPROOF_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTANTS);
    let valid = blocks::requests();
    let mut draw = Draw(18);
    let mut asked: Vec<(String, Value)> =
        valid.iter().map(|(name, whole)| ((*name).to_owned(), whole.clone())).collect();
    let mutants = (0..count).map(|_| {
        let (name, whole) = draw.one_of(&valid);
        let (what, changed) = mutant(whole, &mut draw);
        (format!("{name}: {what}"), changed)
    });
    asked.extend(mutants.collect::<Vec<_>>());
    let requests: Vec<String> = asked.iter().map(|(_, request)| request.to_string()).collect();
    let answers: Vec<String> = answers(&python, SCRIPT, &requests);
    assert!(answers[..valid.len()].iter().all(String::is_empty), "{:#?}", &answers[..valid.len()]);

    let mut tally = Tally::default();
    for ((name, value), theirs) in asked.into_iter().zip(answers) {
        let ours = reported(&request(value.clone()), Host::Anthropic);
        tally.compare(&name, &value, &theirs, &ours);
    }
    eprintln!("{count} mutants: {} refused by both, {} allowed by both", tally.refused, tally.allowed);
    eprintln!("stricter: {:?}\nlooser: {:?}", tally.stricter, tally.looser);
    assert!(tally.problems.is_empty(), "{}\n{}", tally.problems.len(), tally.problems.join("\n"));
}

/// How often both say the same, and how often they differ for each reason.
#[derive(Default)]
struct Tally {
    refused: usize,
    allowed: usize,
    stricter: BTreeMap<&'static str, usize>,
    looser: BTreeMap<&'static str, usize>,
    problems: Vec<String>,
}

impl Tally {
    fn compare(&mut self, name: &str, value: &Value, theirs: &str, ours: &[(&'static str, Option<String>)]) {
        let listed = |(rule, error): &(&str, Option<String>)| {
            let is_it = |what: &str| what == *rule || error.as_ref().is_some_and(|error| error.contains(what));
            STRICTER.iter().find(|(what, _)| is_it(what)).map(|(what, _)| *what)
        };
        match (theirs.is_empty(), ours.is_empty()) {
            (true, true) => self.allowed += 1,
            (false, false) => self.refused += 1,
            (true, false) => match ours.iter().map(listed).collect::<Option<Vec<_>>>() {
                Some(reasons) => *self.stricter.entry(reasons[0]).or_default() += 1,
                None => self.problems.push(format!("{name}: the types allow it, and {ours:?}\n  {value}")),
            },
            (false, true) => match LOOSER.iter().find(|(path, _)| theirs.contains(path)) {
                Some((path, _)) => *self.looser.entry(path).or_default() += 1,
                None => {
                    self.problems.push(format!("{name}: the types refuse it, and no rule does: {theirs}\n  {value}"))
                }
            },
        }
    }
}
