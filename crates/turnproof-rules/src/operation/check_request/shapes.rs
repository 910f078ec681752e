//! Requests about *shapes*, made of the table of SPEC.md section 6.12.10: each has one block, and in it one member is
//! at a border of what its form allows, or beyond it.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::json;
use turnproof_format::shapes::{Form, Holder, Member, Shape, blocks};
use turnproof_format::{MCP_CALL, MCP_RESULT, SERVER_CALL, SERVER_TOOLS, is_server_result, result_of};

/// A request about a shape.
#[derive(Debug)]
pub struct ShapeRequest {
    /// Its turns, as JSON.
    pub turns: String,
    /// Whether each member is as the table says.
    pub is_legal: bool,
}

/// The requests about each type of block: the block as it may be, and with one damage each.
pub fn shape_requests() -> &'static [ShapeRequest] {
    static REQUESTS: LazyLock<Vec<ShapeRequest>> = LazyLock::new(|| {
        let mut seen = HashSet::new();
        let mut requests: Vec<_> = blocks().iter().flat_map(|block| about(block, &mut seen)).collect();
        // The first one that shows a mistake is the smallest.
        requests.sort_by_key(|request| request.turns.len());
        requests
    });
    &REQUESTS
}

fn about(block: &'static Shape, seen: &mut HashSet<&'static str>) -> Vec<ShapeRequest> {
    let Values { legal, damaged } = of_shape(block, seen);
    let is_user = matches!(block.holder, Holder::User | Holder::Speakers | Holder::Anyone);
    let other_role = match block.holder {
        Holder::Speakers | Holder::Anyone => None,
        _ => legal.first().map(|value| (value, !is_user, false)),
    };
    let legal_ones = legal.iter().map(|value| (value, is_user, true));
    let damaged_ones = damaged.iter().map(|value| (value, is_user, false));
    let request = |(value, is_user, is_legal): (&String, bool, bool)| ShapeRequest {
        turns: if is_user { in_user(block.name, value) } else { in_assistant(block.name, value) },
        is_legal,
    };
    legal_ones.chain(damaged_ones).chain(other_role).map(request).collect()
}

/// A block in a turn of the user; a result of a tool behind its call.
fn in_user(name: &str, block: &str) -> String {
    let call = format!(r#"{{"type":"tool_use","id":"{CLIENT_ID}","name":"Bash","input":{{}}}}"#);
    let before = match name {
        "tool_result" => format!(r#"{{"role":"user","content":"a"}},{{"role":"assistant","content":[{call}]}},"#),
        _ => String::new(),
    };
    let text = if name == "tool_result" { "" } else { r#",{"type":"text","text":"c"}"# };
    format!(r#"[{before}{{"role":"user","content":[{block}{text}]}}]"#)
}

/// A block in a turn of the assistant: calls and results of the server's tools in pairs, a text behind what may not be
/// last, and the result of a call in the next turn.
fn in_assistant(name: &str, block: &str) -> String {
    let before = match name {
        MCP_RESULT => call_of_server(MCP_CALL, "t", r#""server_name":"s","#),
        _ if is_server_result(name) => {
            let tool = SERVER_TOOLS.iter().find(|(result, _)| *result == name).and_then(|(_, tools)| tools.first());
            call_of_server(SERVER_CALL, tool.unwrap_or(&"t"), "")
        }
        _ => String::new(),
    };
    let behind = match name {
        "tool_use" => String::new(),
        MCP_CALL => format!(r#",{{"type":"{MCP_RESULT}","tool_use_id":"{SERVER_ID}"}},{TEXT}"#),
        SERVER_CALL => format!(",{},{TEXT}", error_of(result_of_call(block))),
        _ => format!(",{TEXT}"),
    };
    let next = match name {
        "tool_use" => format!(r#"[{{"type":"tool_result","tool_use_id":"{CLIENT_ID}"}}]"#),
        _ => r#""d""#.into(),
    };
    format!(
        r#"[{{"role":"user","content":"a"}},{{"role":"assistant","content":[{before}{block}{behind}]}},{{"role":"user","content":{next}}}]"#
    )
}

const TEXT: &str = r#"{"type":"text","text":"c"}"#;

/// Data that is what its source says: a picture of one pixel, and a document without pages.
const IMAGE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF: &str = "JVBERi0xLjQKJSVFT0YK";

/// The ids of calls: of the client's tools, and of the server's.
const CLIENT_ID: &str = "toolu_1";
const SERVER_ID: &str = "srvtoolu_1";

fn call_of_server(kind: &str, tool: &str, members: &str) -> String {
    format!(r#"{{"type":"{kind}","id":"{SERVER_ID}","name":"{tool}",{members}"input":{{}}}},"#)
}

/// The type of the result that a call of the server's takes.
fn result_of_call(call: &str) -> &'static str {
    let name = json::value(call).ok().and_then(|call| call["name"].as_str().map(str::to_owned));
    result_of(SERVER_CALL, name.as_deref().unwrap_or_default()).unwrap_or(SERVER_TOOLS[0].0)
}

/// A result that says that a tool of the server failed.
fn error_of(result: &str) -> String {
    format!(
        r#"{{"type":"{result}","tool_use_id":"{SERVER_ID}","content":{{"type":"{result}_error","error_code":"unavailable"}}}}"#
    )
}

/// Values as they may be, and damaged ones, as JSON.
#[derive(Default)]
struct Values {
    legal: Vec<String>,
    damaged: Vec<String>,
}

impl Values {
    fn of(legal: &[&str], damaged: &[&str]) -> Self {
        let owned = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
        Self { legal: owned(legal), damaged: owned(damaged) }
    }

    fn add(&mut self, other: Self) {
        self.legal.extend(other.legal);
        self.damaged.extend(other.damaged);
    }

    fn map(self, change: impl Fn(String) -> String) -> Self {
        let changed = |values: Vec<String>| values.into_iter().map(&change).collect();
        Self { legal: changed(self.legal), damaged: changed(self.damaged) }
    }
}

/// Objects of a shape: whole and without what may be missing, each member in each of its values. A shape that came
/// before has few.
fn of_shape(shape: &'static Shape, seen: &mut HashSet<&'static str>) -> Values {
    let usual: Vec<(&Member, String)> = shape.members.iter().map(|member| (member, usual(shape, member))).collect();
    let members = || usual.iter().map(|(member, value)| (member.name, value.as_str()));
    let whole = object(shape, members());
    let mut values = Values::of(&[&whole], &[&object(shape, members().chain([("extra", "1")]))]);
    if !shape.name.is_empty() && !seen.insert(shape.name) {
        return values;
    }
    if !shape.name.is_empty() {
        values.damaged.push(object_of(None, members()));
    }
    for (at, (member, _)) in usual.iter().enumerate() {
        let others = usual.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one);
        let without = object(shape, others.map(|(member, value)| (member.name, value.as_str())));
        if member.is_required { values.damaged.push(without) } else { values.legal.push(without) }
    }
    for (at, (member, _)) in usual.iter().enumerate() {
        let with = |value: String| {
            let each = usual.iter().enumerate();
            object(shape, each.map(|(other, (m, usual))| (m.name, if other == at { value.as_str() } else { usual })))
        };
        values.add(of_member(member, seen).map(with));
    }
    values
}

/// A member as it usually is: ids fit one another, and lists of blocks are not empty.
fn usual(shape: &Shape, member: &Member) -> String {
    let id = if matches!(shape.name, "tool_use" | "tool_result") { CLIENT_ID } else { SERVER_ID };
    match member.name {
        "id" | "tool_use_id" => format!("\"{id}\""),
        "data" if is_of_type(shape, "application/pdf") => format!("\"{PDF}\""),
        "data" if is_of_type(shape, "image/png") => format!("\"{IMAGE}\""),
        _ => of_form(&member.form, &mut HashSet::new()).legal.swap_remove(0),
    }
}

/// Whether a shape is of a source that may have this type of media.
fn is_of_type(shape: &Shape, media: &str) -> bool {
    shape.members.iter().any(|member| matches!(&member.form, Form::Only(words) if words.contains(&media)))
}

/// The values of a member, but of one that others name, and of data. A caller of null is warned of.
fn of_member(member: &Member, seen: &mut HashSet<&'static str>) -> Values {
    match member.name {
        "id" | "tool_use_id" => Values::of(&[], &["7", "null", r#""""#, r#""a b""#]),
        "data" => Values::of(&[], &["7", "null"]),
        "caller" => {
            let mut values = of_form(&member.form, seen);
            values.damaged.retain(|value| value != "null");
            values
        }
        _ => of_form(&member.form, seen),
    }
}

fn of_form(form: &Form, seen: &mut HashSet<&'static str>) -> Values {
    match form {
        Form::Text => Values::of(&[r#""a""#], &["7", "null"]),
        Form::Filled => Values::of(&[r#""a.b c""#], &[r#""""#, "7", "null"]),
        Form::ToolName => {
            let (most, more) = (format!("\"{}\"", "n".repeat(128)), format!("\"{}\"", "n".repeat(129)));
            Values::of(&[r#""a_b-2""#, &most], &[&more, r#""a b""#, r#""a.b""#, r#""é""#, r#""""#, "7", "null"])
        }
        Form::Whole => Values::of(&["1", "0"], &["1.5", r#""1""#, "null"]),
        Form::Flag => Values::of(&["true", "false"], &[r#""true""#, "0", "null"]),
        Form::Object => Values::of(&["{}", r#"{"a":null}"#], &["[]", r#""{}""#, "null"]),
        Form::Anything => Values::of(&[r#""a""#, "{}", "null"], &[]),
        Form::OneOf(words) => words_of(words),
        Form::Only(words) => {
            let mut values = words_of(words);
            values.damaged.push(r#""other""#.into());
            values
        }
        Form::List(of) => list_of(of_form(of, seen)),
        Form::Typed(shapes) => typed(shapes, seen),
        Form::Untyped(shape) => of_shape(shape, seen),
        Form::Either(forms) => either(forms, seen),
        Form::OrNull(of) => {
            let mut values = of_form(of, seen);
            values.legal.push("null".into());
            values.damaged.retain(|value| value != "null");
            values
        }
    }
}

/// The first and the last word.
fn words_of(words: &[&str]) -> Values {
    let ends = words.first().into_iter().chain(words.last().filter(|_| words.len() > 1));
    let words: Vec<String> = ends.map(|word| format!("\"{word}\"")).collect();
    Values { legal: words, damaged: vec!["7".into(), "null".into(), r#""""#.into()] }
}

fn list_of(one: Values) -> Values {
    let two = format!("[{0},{0}]", one.legal[0]);
    let behind_another = |value: &String| format!("[{},{value}]", one.legal[0]);
    let damaged: Vec<String> = one.damaged.iter().map(behind_another).collect();
    let mut values = Values { legal: one.legal.into_iter().map(|value| format!("[{value}]")).collect(), damaged };
    values.legal.push(two);
    values.damaged.extend(["null".into(), "{}".into()]);
    values
}

fn typed(shapes: &[&'static Shape], seen: &mut HashSet<&'static str>) -> Values {
    let mut values = Values::default();
    shapes.iter().for_each(|shape| values.add(of_shape(shape, seen)));
    values.damaged.extend(["7".into(), "null".into()]);
    values
}

/// The values of alternatives; damaged is what is damaged in each of them: what no other alternative could be.
fn either(forms: &[Form], seen: &mut HashSet<&'static str>) -> Values {
    let mut values = Values::default();
    forms.iter().for_each(|form| values.add(of_form(form, seen)));
    let is_structure = |value: &String| value.starts_with(['[', '{']) || value == "7";
    values.damaged.retain(is_structure);
    values.damaged.push("true".into());
    values
}

/// An object of a shape.
fn object<'a>(shape: &'a Shape, members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    object_of(Some(shape.name).filter(|name| !name.is_empty()), members)
}

fn object_of<'a>(kind: Option<&str>, members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let kind = kind.map(|kind| format!("\"type\":\"{kind}\""));
    let members = members.map(|(name, value)| format!("\"{name}\":{value}"));
    format!("{{{}}}", kind.into_iter().chain(members).collect::<Vec<_>>().join(","))
}
