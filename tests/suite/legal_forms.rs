//! What is *legal* in more than one form is right in each of them: the reference, with its requests in another form,
//! breaks no rule.

use serde_json::{Value, json};
use turnproof_rules::operation::{Operation, RequestOptions, RequestText};
use turnproof_rules::rules::CATALOGUE;
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::{Options, run};

/// The reference, with its turns changed.
struct Otherwise(fn(&mut Value));

impl Subject for Otherwise {
    fn name(&self) -> &str {
        "otherwise"
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        let Outcome::Output(request) = Reference.normalize_api(messages, options) else { return Outcome::Unsupported };
        let mut turns: Vec<Value> = serde_json::from_str(&request.turns).unwrap();
        turns.iter_mut().for_each(self.0);
        Outcome::Output(RequestText { turns: Value::from(turns).to_string(), ..request })
    }
}

/// The text of a block that holds nothing else.
fn plain_text(block: &Value) -> Option<Value> {
    let members = block.as_object()?;
    (members.len() == 2 && block["type"] == "text").then(|| block["text"].clone())
}

fn as_a_string(turn: &mut Value) {
    if let Some([only]) = turn["content"].as_array().map(Vec::as_slice)
        && let Some(text) = plain_text(only)
    {
        turn["content"] = text;
    }
}

fn each_result(turn: &mut Value, change: fn(&mut Value)) {
    let blocks = turn["content"].as_array_mut().into_iter().flatten();
    blocks.filter(|block| block["type"] == "tool_result").for_each(change);
}

fn results_as_lists(turn: &mut Value) {
    each_result(turn, |result| {
        if let Some(text) = result["content"].as_str().filter(|text| !text.trim().is_empty()) {
            result["content"] = json!([{"type": "text", "text": text}]);
        }
    });
}

fn results_as_texts(turn: &mut Value) {
    each_result(turn, |result| {
        if let Some([only]) = result["content"].as_array().map(Vec::as_slice)
            && let Some(text) = plain_text(only)
        {
            result["content"] = text;
        }
    });
}

fn says_what_did_not_fail(turn: &mut Value) {
    each_result(turn, |result| {
        if result.get("is_error").is_none() {
            result["is_error"] = json!(false);
        }
    });
}

fn hides_what_did_not_fail(turn: &mut Value) {
    each_result(turn, |result| {
        if result["is_error"] == false {
            result.as_object_mut().unwrap().remove("is_error");
        }
    });
}

/// Writes a turn in another form.
type Form = fn(&mut Value);

#[test]
fn requests_in_other_legal_forms_break_no_rule() {
    let rules = || CATALOGUE.iter().copied().filter(|rule| rule.operation() == Operation::NormalizeApi).collect();
    let forms: [(&str, Form); 5] = [
        ("content as a string", as_a_string),
        ("results as lists", results_as_lists),
        ("results as texts", results_as_texts),
        ("says what did not fail", says_what_did_not_fail),
        ("hides what did not fail", hides_what_did_not_fail),
    ];
    for (name, form) in forms {
        let options = Options { seed: 11, cases: 300, rules: rules(), ..Options::default() };
        let report = run(&Otherwise(form), &options, &[], &mut |_| {}).unwrap();
        assert!(report.holds(), "{name}: {}", report.failures[0]);
    }
}
