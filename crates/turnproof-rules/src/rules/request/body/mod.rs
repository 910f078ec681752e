//! Rules on the *body* of a request, beside its turns: tools, thinking, system, sampling and the like.
//!
//! A bare list of turns has no body, and none of them judges it. A body in the form of Converse has other members, of
//! which these rules look at the tools alone.

mod choice;
mod context;
mod members;
mod output;
mod sampling;
mod schema;
mod strict;
mod system;
mod thinking;
mod tools;

use crate::json::{Object, Value};
use crate::operation::{Form, Request};
use crate::rules::{Place, Report, RuleEntry};

/// The rules of the family `body`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("body/tools", Request(tools::tools)),
    rule!("body/tool-schemas", Request(schema::tool_schemas)),
    rule!("body/strict-tools", Request(strict::strict_tools)),
    rule!("body/tools-defined", Request(tools::tools_defined)),
    rule!("body/tool-choice", Request(choice::tool_choice)),
    rule!("body/thinking", Request(thinking::thinking)),
    rule!("body/context-management", Request(context::context_management)),
    rule!("body/system", Request(system::system)),
    rule!("body/output", Request(output::output)),
    rule!("body/sampling", Request(sampling::sampling)),
    rule!("body/members", Request(members::members)),
];

/// The members of a body in the form of the Messages API.
fn members_of(request: &Request) -> Option<&Object> {
    request.body.as_object().filter(|_| request.form == Form::Messages)
}

/// A member of the body that is given and not null.
fn given<'a>(body: &'a Object, name: &str) -> Option<&'a Value> {
    body.get(name).filter(|value| !value.is_null())
}

/// Reports a member of the wrong type, as the API's validator does.
fn wrong_type(path: &str, expected: &'static str, report: &mut Report<'_>) {
    let found = sentence!("{path} is not what it must be", path);
    report.predict(Place::Whole, "wrong-type", found, expected, format!("{path}: {}", says(expected)));
}

/// What the validator says where it expected this.
fn says(expected: &str) -> String {
    match expected {
        "an object" => "Input should be an object".to_owned(),
        "a list" => "Input should be a valid list".to_owned(),
        "a string" => "Input should be a valid string".to_owned(),
        "a flag" => "Input should be a valid boolean".to_owned(),
        "a whole number" => "Input should be a valid integer".to_owned(),
        _ => "Input should be a valid number".to_owned(),
    }
}
