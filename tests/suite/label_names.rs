//! The *names* of labels are those of the wire and of plans, and a set of labels is asked by them.

use std::collections::BTreeSet;

use serde_json::Value;
use turnproof::engine::Failure;
use turnproof::message::{Kind, SERVER_TOOL_RESULTS, SIDE_KINDS, SUBTYPES};
use turnproof::scenario::pool::{Extra, Flag, PoolText, SideKind, Subtype};
use turnproof::scenario::{Case, Choice, Denied, LABELS, LineKind, LinePlan, Profile, Scenario, Sort, SystemForm};

use super::plans::{of_lines, written};

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

/// The line of a plan of one line.
fn line(plan: LinePlan) -> Value {
    written(&of_lines(vec![plan])).remove(0)
}

/// The name of a flag in a line.
fn written_flag(flag: Flag) -> String {
    let (with, without) =
        (line(LinePlan { flags: [(flag, true)].into(), ..LinePlan::default() }), line(LinePlan::default()));
    let mut added = with.as_object().unwrap().iter().filter(|(name, _)| without.get(name).is_none());
    let (name, value) = added.next().unwrap();
    assert!(value == true && added.next().is_none(), "{with}");
    name.clone()
}

#[test]
fn every_kind_subtype_flag_and_side_kind_has_its_label_in_order() {
    let kinds: Vec<String> = Kind::ALL.iter().map(|kind| kebab(kind.name())).collect();
    assert_eq!(names("kind")[..kinds.len()], kinds);
    let subtypes: Vec<String> = SUBTYPES.iter().map(|name| kebab(name)).collect();
    assert_eq!(names("subtype")[..subtypes.len()], subtypes);
    let written_subtypes = Subtype::ALL.iter().map(|subtype| {
        let kind = LineKind::System { subtype: *subtype, form: SystemForm::default(), text: PoolText::default() };
        line(LinePlan { kind, ..LinePlan::default() })["subtype"].as_str().map(str::to_owned)
    });
    assert!(written_subtypes.eq(SUBTYPES.iter().map(|name| Some((*name).to_owned())).chain([None])));
    let flags: Vec<String> = Flag::ALL.iter().map(|flag| kebab(&written_flag(*flag))).collect();
    assert_eq!(names("flag")[..flags.len()], flags);
    assert_eq!(names("side"), SIDE_KINDS);
    let written_side_kinds = SideKind::ALL.iter().map(|side| {
        let kind = LineKind::Side { side: *side };
        line(LinePlan { kind, ..LinePlan::default() })["type"].as_str().map(str::to_owned)
    });
    assert!(written_side_kinds.eq(SIDE_KINDS.iter().map(|name| Some((*name).to_owned()))));
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
        assert!([100, 1].contains(&label.least), "{}: {}", label.name, label.least);
    }
}

#[test]
fn a_set_gives_back_what_was_put_in() {
    let mut seen = BTreeSet::new();
    for case in 0..300 {
        for profile in Profile::ALL {
            let labels = Case::of(&Scenario::from_seed(7, case, profile)).labels();
            let places: Vec<usize> = labels.places().collect();
            assert!(places.is_sorted_by(|one, next| one < next));
            let is_in = |place: &usize| labels.has(LABELS[*place].name);
            assert!((0..LABELS.len()).filter(is_in).eq(places.iter().copied()));
            assert!(labels.iter().map(|label| label.name).eq(places.iter().map(|&place| LABELS[place].name)));
            assert!(!labels.has("no/label"));
            seen.extend(places);
        }
    }
    assert!(seen.len() > LABELS.len() / 2, "{} labels", seen.len());
}
