//! *Strict* tools are compiled to a grammar, which has limits: how many there are, and what their schemas may say.
//!
//! The limits are as recorded in 2026, one tool after another at each border.

use std::collections::HashSet;

use super::members_of;
use super::schema::parts;
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report};

/// How many strict tools a body may have.
const MOST_TOOLS: usize = 20;

/// How many members of all strict schemas may be left out.
const MOST_OPTIONAL: usize = 24;

/// From how many members of several types on a schema is too complex.
const MANY_UNIONS: usize = 16;

/// Words of JSON Schema that the compiler refuses, each with the type that it is about.
const REFUSED: [(&str, &str); 6] = [
    ("maxItems", "array"),
    ("multipleOf", "number"),
    ("minimum", "number"),
    ("maximum", "number"),
    ("minLength", "string"),
    ("maxLength", "string"),
];

pub(super) fn strict_tools(request: &Request, host: Host, report: &mut Report<'_>) {
    if members_of(request).is_none() || host == Host::BedrockConverse {
        return;
    }
    let tools = list(&request.body, "tools").iter().enumerate();
    let strict: Vec<(usize, &Value)> = tools
        .filter(|(_, tool)| tool.get("strict").and_then(Value::as_bool) == Some(true))
        .filter_map(|(index, tool)| Some((index, tool.get("input_schema")?)))
        .collect();
    let count = strict.len();
    if count > MOST_TOOLS {
        let error = format!(
            "Too many strict tools ({count}). The maximum number of strict tools supported is {MOST_TOOLS}. Try reducing \
             the number of tools marked as strict."
        );
        report.predict(Place::Whole, "too-many", sentence!("{count} strict tools", count), "at most 20", error);
    }
    let optional: usize = strict.iter().map(|(_, schema)| optional_members(schema)).sum();
    if optional > MOST_OPTIONAL {
        let error = format!(
            "Schemas contains too many optional parameters ({optional}), which would make grammar compilation \
             inefficient. Reduce the number of optional parameters in your tool schemas (limit: {MOST_OPTIONAL})."
        );
        let found = sentence!("{optional} members that may be left out", optional);
        report.predict(Place::Whole, "too-many-optional", found, "at most 24 in all strict schemas", error);
    }
    for (index, schema) in strict {
        schema_problem(index, schema, report);
    }
}

fn schema_problem(index: usize, schema: &Value, report: &mut Report<'_>) {
    let unions = unions(schema);
    if unions >= MANY_UNIONS {
        let error =
            "Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas.";
        let found = sentence!("{unions} members of several types in one strict schema", unions);
        report.predict(Place::Whole, "too-complex", found, "fewer than 16", error);
    }
    if let Some((one, other)) = circle(schema) {
        let error = format!(
            "tools.{index}.custom: Invalid schema: Circular reference detected in schema definitions: {one} -> {other}. \
             Self-referencing or mutually-referencing definitions are not supported."
        );
        let found = sentence!("the definition {one} leads back to itself", one);
        report.predict(Place::Whole, "circular", found, "definitions without a circle", error);
    }
    if has_bare_flag(schema) {
        let error = format!("tools.{index}.custom: For 'object' type, property 'properties' is not supported");
        let (found, expected) = ("a member whose schema is `true`", "a schema that says a type");
        report.predict(Place::Whole, "unconstrained", found, expected, error);
    }
    if let Some((word, kind)) = refused_word(schema) {
        let error = format!("tools.{index}.custom: For '{kind}' type, property '{word}' is not supported");
        let found = sentence!("a strict schema with `{word}`", word);
        report.warn(Place::Whole, "refused-word", found, "words that the compiler knows", error);
    }
}

/// How many members of objects may be left out.
fn optional_members(schema: &Value) -> usize {
    let required: HashSet<&str> = list(schema, "required").iter().filter_map(Value::as_str).collect();
    let members = schema.get("properties").and_then(Value::as_object);
    let own = members.map_or(0, |members| members.keys().filter(|name| !required.contains(&***name)).count());
    own + parts(schema).map(optional_members).sum::<usize>()
}

/// How many parts of a schema are of several types.
fn unions(schema: &Value) -> usize {
    let is_union = schema.get("anyOf").is_some() || schema.get("type").is_some_and(Value::is_array);
    usize::from(is_union) + parts(schema).map(unions).sum::<usize>()
}

/// A definition that leads back to itself, and the one after it on the way.
fn circle(schema: &Value) -> Option<(&str, &str)> {
    let definitions = schema.get("$defs").or_else(|| schema.get("definitions"))?.as_object()?;
    let leads = |name: &str| definitions.get(name).map(references).unwrap_or_default();
    definitions.iter().find_map(|(name, _)| {
        let mut seen = HashSet::new();
        leads(name).into_iter().find_map(|first| {
            let mut waiting = vec![first];
            while let Some(next) = waiting.pop() {
                if next == &**name {
                    return Some((&**name, first));
                }
                if seen.insert(next) {
                    waiting.extend(leads(next));
                }
            }
            None
        })
    })
}

/// The definitions that a schema names.
fn references(schema: &Value) -> Vec<&str> {
    let own = text(schema, "$ref").and_then(|path| path.rsplit_once('/')).map(|(_, name)| name);
    own.into_iter().chain(parts(schema).flat_map(references)).collect()
}

/// Whether the schema of a member is `true`.
fn has_bare_flag(schema: &Value) -> bool {
    let members = schema.get("properties").and_then(Value::as_object);
    members.is_some_and(|members| members.iter().any(|(_, part)| part.as_bool() == Some(true)))
        || parts(schema).any(has_bare_flag)
}

/// The first word of a schema that the compiler refuses.
fn refused_word(schema: &Value) -> Option<(&'static str, &'static str)> {
    let own = REFUSED.iter().copied().find(|(word, _)| schema.get(word).is_some());
    own.or_else(|| parts(schema).find_map(refused_word))
}
