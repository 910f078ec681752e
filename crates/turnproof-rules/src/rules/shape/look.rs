//! To *look* at a value is to compare it with a form: each member that is too much, missing, of a wrong type, or of a
//! sort that nobody knows, with the API's error.

use std::borrow::Cow;
use std::fmt;

use turnproof_format::is_tool_name;
use turnproof_format::shapes::{Form, Member, Shape};

use super::has;
use crate::json::Value;
use crate::operation::Host;
use crate::rules::Sentence;

/// What is wrong with a value or a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rules) struct Flaw {
    pub(in crate::rules) sort: Sort,
    /// The member that it is about; empty for an element or a block itself.
    pub(in crate::rules) member: String,
    /// The kind of the violation.
    pub(in crate::rules) kind: &'static str,
    /// What was found, in words.
    pub(in crate::rules) found: Sentence,
    /// What the API answers.
    pub(in crate::rules) error: String,
}

/// The sorts of flaws, each for a rule of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Sort {
    /// A member that the shape does not have.
    Extra,
    /// A required member that is not there, or a value of a wrong type.
    Lacking,
    /// A type or a name that is not in the table; newer ones may be.
    Unknown,
}

/// The way to a value, from the request down. It is written only where something is wrong.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Path<'a> {
    before: Option<&'a Path<'a>>,
    step: Step<'a>,
}

/// One step of a path.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// Into a member, or into the alternative that a type chooses.
    Name(&'a str),
    /// To an element of a list.
    Index(usize),
}

impl<'a> Path<'a> {
    /// The way to a turn.
    pub(in crate::rules) fn turn(index: usize) -> Self {
        Self { before: Some(&Path { before: None, step: Step::Name("messages") }), step: Step::Index(index) }
    }

    /// The way to a list at the top.
    pub(in crate::rules) fn list(name: &'a str) -> Self {
        Self { before: None, step: Step::Name(name) }
    }

    pub(in crate::rules) fn element(&'a self, index: usize) -> Self {
        self.then(Step::Index(index))
    }

    pub(in crate::rules) fn member(&'a self, name: &'a str) -> Self {
        self.then(Step::Name(name))
    }

    fn then(&'a self, step: Step<'a>) -> Self {
        Self { before: Some(self), step }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(before) = self.before {
            write!(f, "{before}.")?;
        }
        match self.step {
            Step::Name(name) => f.write_str(name),
            Step::Index(index) => write!(f, "{index}"),
        }
    }
}

/// Looks at a value, for a host; gives each flaw.
fn look(value: &Value, form: &Form, path: &Path<'_>, host: Host, add: &mut dyn FnMut(Flaw)) {
    if let Some(error) = mismatch(value, form) {
        return add(flaw(Sort::Lacking, path, &error));
    }
    match (form, value) {
        (Form::OneOf(names), Value::String(name)) if !names.contains(&name.as_str()) => {
            add(flaw(Sort::Unknown, path, &one_of(names)));
        }
        (Form::List(of), Value::Array(elements)) => {
            for (index, element) in elements.iter().enumerate() {
                look(element, of, &path.then(Step::Index(index)), host, add);
            }
        }
        (Form::Typed(shapes), Value::Object(_)) => look_at_typed(value, shapes, path, host, add),
        (Form::Untyped(shape), Value::Object(_)) => look_at_members(value, shape, path, host, add),
        (Form::Either(forms), _) => {
            if let Some(form) = forms.iter().find(|form| mismatch(value, form).is_none()) {
                look(value, form, path, host, add);
            }
        }
        (Form::OrNull(of), value) if !value.is_null() => look(value, of, path, host, add),
        _ => {}
    }
}

fn look_at_typed(value: &Value, shapes: &[&'static Shape], path: &Path<'_>, host: Host, add: &mut dyn FnMut(Flaw)) {
    let found = match value.get("type") {
        None => return add(missing(&path.member("type"))),
        Some(Value::String(found)) => found.as_str(),
        Some(_) => return add(flaw(Sort::Lacking, &path.member("type"), "Input should be a valid string")),
    };
    let known = || shapes.iter().filter(|shape| has(host, shape));
    match shapes.iter().find(|shape| shape.name == found) {
        Some(shape) => {
            if !has(host, shape) {
                add(unknown_tag(path, found, known().map(|shape| shape.name)));
            }
            look_at_members(value, shape, &path.member(found), host, add);
        }
        None => add(unknown_tag(path, found, known().map(|shape| shape.name))),
    }
}

/// The flaw of a type that is not among those that are expected. An empty one is no type.
pub(in crate::rules) fn unknown_tag<'a>(path: &Path<'_>, found: &str, expected: impl Iterator<Item = &'a str>) -> Flaw {
    let sort = if found.is_empty() { Sort::Lacking } else { Sort::Unknown };
    let expected = listed(&expected.collect::<Vec<_>>());
    let error = format!("Input tag '{found}' found using 'type' does not match any of the expected tags: {expected}");
    let (member, kind) = (String::new(), "unknown-type");
    let path = path.to_string();
    let found = sentence!("{path} is of the type {kind:?}", path, kind = found);
    Flaw { sort, member, kind, found, error: format!("{path}: {error}") }
}

/// Looks at the members of an object that has this shape.
pub(in crate::rules) fn look_at_members(
    value: &Value,
    shape: &'static Shape,
    path: &Path<'_>,
    host: Host,
    add: &mut dyn FnMut(Flaw),
) {
    let Some(fields) = value.as_object() else { return };
    for Member { name, is_required, form } in &shape.members {
        let path = path.member(name);
        match fields.get(name) {
            Some(value) => look(value, form, &path, host, add),
            None if *is_required => add(missing(&path)),
            None => {}
        }
    }
    let is_known =
        |name: &str| name == "type" && !shape.name.is_empty() || shape.members.iter().any(|member| member.name == name);
    for name in fields.keys().filter(|name| !is_known(name)) {
        add(flaw(Sort::Extra, &path.member(name), "Extra inputs are not permitted"));
    }
}

/// The kind of a required member that is not there.
pub(in crate::rules) const MISSING: &str = "missing";

/// The flaw of a required member that is not there.
pub(in crate::rules) fn missing(path: &Path<'_>) -> Flaw {
    let found = sentence!("{path} is missing", path = path.to_string());
    Flaw { kind: MISSING, found, ..flaw(Sort::Lacking, path, "Field required") }
}

pub(in crate::rules) fn flaw(sort: Sort, path: &Path<'_>, error: &str) -> Flaw {
    let member = match path.step {
        Step::Name(name) => name.to_owned(),
        Step::Index(_) => String::new(),
    };
    let path = path.to_string();
    let error = format!("{path}: {error}");
    let (kind, found) = match sort {
        Sort::Extra => ("unknown-member", sentence!("{path} is no member that the API knows", path)),
        Sort::Lacking => ("wrong-type", sentence!("{path} is not what it must be", path)),
        Sort::Unknown => ("unknown-value", sentence!("{path} has a value that the API's types do not list", path)),
    };
    Flaw { sort, member, kind, found, error }
}

/// What the API says of a value whose JSON type does not fit; `None` when it fits.
fn mismatch(value: &Value, form: &Form) -> Option<Cow<'static, str>> {
    let says = |fits: bool, error: &'static str| (!fits).then_some(Cow::Borrowed(error));
    match form {
        Form::Text => says(value.is_string(), "Input should be a valid string"),
        Form::Filled | Form::ToolName | Form::OneOf(_) | Form::Only(_) => match (form, value.as_str()) {
            (_, None) => says(false, "Input should be a valid string"),
            (Form::Only(names), Some(name)) => (!names.contains(&name)).then(|| one_of(names).into()),
            (_, Some("")) => says(false, "String should have at least 1 character"),
            (Form::ToolName, Some(name)) => says(is_tool_name(name), BAD_NAME),
            _ => None,
        },
        Form::Whole => says(value.as_i64().is_some() || value.is_u64(), "Input should be a valid integer"),
        Form::Flag => says(value.is_boolean(), "Input should be a valid boolean"),
        Form::Object | Form::Typed(_) | Form::Untyped(_) => says(value.is_object(), "Input should be an object"),
        Form::List(_) => says(value.is_array(), "Input should be a valid list"),
        Form::Anything => None,
        Form::Either(forms) if forms.iter().any(|form| mismatch(value, form).is_none()) => None,
        Form::Either(forms) => forms.last().and_then(|form| mismatch(value, form)),
        Form::OrNull(_) if value.is_null() => None,
        Form::OrNull(of) => mismatch(value, of),
    }
}

/// What the API says of the name of a tool.
pub(in crate::rules) const BAD_NAME: &str = "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";

/// What the API says of a string that is none of these.
fn one_of(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, [])) => format!("Input should be '{last}'"),
        Some((last, others)) => format!("Input should be {} or '{last}'", listed(others)),
        None => String::new(),
    }
}

/// The names as the API's errors list them.
fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    quoted.join(", ")
}
