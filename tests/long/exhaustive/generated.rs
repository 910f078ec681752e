//! *Generated* conversations, asked of the reference: longer and more varied than the short ones.

use serde_json::{Map, Value};
use turnproof_rules::operation::Plain;
use turnproof_suite::scenario::pool::MADE_CALL_ID;
use turnproof_suite::scenario::{Case, Profile, Scenario, simpler};
use turnproof_suite::subject::{Reference, Subject};

use super::ask::{Question, check};
use super::json::{self, Json};

/// How many cases of each profile, unless `TURNPROOF_CASES` says it.
const CASES: u64 = 256;

/// A message as a value. Some JSON fits in no value: numbers out of range, deep nesting. No part of a message that is
/// sent has such JSON.
fn read(text: &str) -> Value {
    Plain::read(text).map_or_else(|_| value(json::document(text)), |plain| plain.into_value().into())
}

fn value(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(flag),
        Json::Number(number) => serde_json::from_str(&number).unwrap_or(Value::String(number)),
        Json::String(units) => Value::String(String::from_utf16_lossy(&units)),
        Json::Array(elements) => elements.into_iter().map(value).collect(),
        Json::Object(members) => {
            let member = |(name, member): (Vec<u16>, Json)| (String::from_utf16_lossy(&name), value(member));
            Value::Object(members.into_iter().map(member).collect::<Map<_, _>>())
        }
    }
}

fn check_scenario(subject: &dyn Subject, scenario: &Scenario) -> Result<(), String> {
    let texts = Case::of(scenario).messages().to_vec();
    let values: Vec<Value> = texts.iter().map(|text| read(text)).collect();
    // Some cases have a call with an id that the reference makes of another one, and the model makes other ids.
    if texts.iter().any(|text| text.contains(MADE_CALL_ID)) {
        return Ok(());
    }
    [None, Some("The project is a crate."), Some(" \n")].into_iter().try_for_each(|context| {
        // The other answers do not depend on the context, so asking once is enough.
        let with_all = context.is_none();
        check(
            subject,
            &Question { texts: &texts, values: &values, context, with_repeats: with_all, with_shorter: with_all },
        )
    })
}

/// The simplest plan that fails as well, and why.
fn shrunk(subject: &dyn Subject, scenario: Scenario, why: String) -> (Scenario, String) {
    let simpler_failure = simpler(&scenario).find_map(|plan| Some((check_scenario(subject, &plan).err()?, plan)));
    match simpler_failure {
        Some((why, plan)) => shrunk(subject, plan, why),
        None => (scenario, why),
    }
}

#[test]
fn generated_conversations_give_what_the_model_gives() {
    let cases = std::env::var("TURNPROOF_CASES").map_or(CASES, |cases| cases.parse().expect("a number of cases"));
    for profile in Profile::ALL {
        for case in 0..cases {
            let scenario = Scenario::from_seed(17, case, profile);
            if let Err(why) = check_scenario(&Reference, &scenario) {
                let (scenario, why) = shrunk(&Reference, scenario, why);
                panic!("{} case {case}, shrunk to {scenario:?}\n{why}", profile.name());
            }
        }
    }
}
