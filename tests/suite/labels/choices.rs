//! Every *choice* that a plan can name is in some plan, and fuzz bytes reach most of them.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use turnproof_suite::scenario::pool::{AttachmentForm, Extra, Flag, PoolText, SideKind, Subtype};
use turnproof_suite::scenario::{
    Choice, Denied, ExtraStreamBlock, ExtraStreamEnd, ExtraStreamFate, ExtraStreamStart, ExtraStreamWire, FactoryName,
    MakeContent, MakeIdentity, Misfit, Profile, Scenario, Seeded, Sort, Source,
};

/// The names of the choices of a type. The plainest is left out, since plans need not name it.
fn names<C: Choice + Serialize>() -> impl Iterator<Item = String> {
    C::ALL.iter().skip(1).filter_map(|choice| serde_json::to_value(choice).unwrap().as_str().map(str::to_owned))
}

fn wanted() -> BTreeSet<String> {
    let of_lines = names::<Subtype>().chain(names::<SideKind>()).chain(names::<Flag>()).chain(names::<Extra>());
    let of_texts = names::<PoolText>().chain(names::<AttachmentForm>()).chain(names::<Sort>());
    let of_flows = names::<ExtraStreamBlock>().chain(names::<ExtraStreamStart>()).chain(names::<ExtraStreamEnd>());
    let of_flows = of_flows.chain(names::<ExtraStreamFate>()).chain(names::<ExtraStreamWire>());
    let of_makes = names::<FactoryName>().chain(names::<MakeContent>()).chain(names::<MakeIdentity>());
    let of_actions = names::<Denied>().chain(names::<Misfit>());
    of_lines.chain(of_texts).chain(of_flows).chain(of_makes).chain(of_actions).collect()
}

/// Takes the strings of a plan out of those that are missing.
fn find(value: &Value, missing: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            missing.remove(text);
        }
        Value::Array(list) => list.iter().for_each(|element| find(element, missing)),
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            missing.remove(name);
            find(value, missing);
        }),
        _ => {}
    }
}

#[test]
fn every_choice_is_in_some_plan() {
    let mut missing = wanted();
    for case in 0..4_000 {
        for profile in Profile::ALL {
            find(&serde_json::to_value(Scenario::from_seed(7, case, profile)).unwrap(), &mut missing);
        }
        if missing.is_empty() {
            return;
        }
    }
    panic!("in no plan: {missing:?}");
}

#[test]
fn bytes_of_a_fuzzer_reach_nine_of_ten_choices() {
    let mut missing = wanted();
    let all = missing.len();
    for input in 0..20_000 {
        let mut random = Seeded::new(11, input);
        let length = 64 + random.below(2_000);
        let bytes: Vec<u8> = (0..length).map(|_| random.byte(255)).collect();
        find(&serde_json::to_value(Scenario::from_bytes_of(&bytes, &Profile::ALL)).unwrap(), &mut missing);
        if missing.len() * 10 <= all {
            return;
        }
    }
    panic!("{} of {all} are not reached: {missing:?}", missing.len());
}
