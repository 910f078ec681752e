//! *Calls are made up* from the tools that a request declares: "the shell tool" is one by its name, and its input fits
//! its schema.

use serde_json::{Map, Value, json};

use crate::asked::Asked;
use crate::schema::{fitting, resolved};

/// What a tool is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Use {
    /// Runs a command of a shell.
    Shell,
    /// Reads a file.
    Read,
    /// Writes a file.
    Write,
    /// Whatever the first tool does.
    Any,
    /// None of those that are declared.
    Undeclared,
}

/// A tool and its input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MadeUp {
    pub(crate) name: String,
    pub(crate) input: Value,
}

/// Parts of names, the likeliest first.
const SHELLS: [&str; 9] =
    ["bash", "run_shell_command", "execute_command", "run_command", "shell", "terminal", "command", "exec", "python"];
const READERS: [&str; 7] = ["read_file", "read", "view", "open_file", "cat", "editor", "file"];
const WRITERS: [&str; 5] = ["write_file", "write", "create_file", "editor", "edit"];

/// Members that hold a command, and those that hold a path.
const COMMANDS: [&str; 7] = ["command", "commands", "cmd", "script", "code", "input", "text"];
const PATHS: [&str; 8] = ["file_path", "filepath", "filename", "path", "absolute_path", "target_file", "file", "files"];

/// The name of a tool that nobody declares.
pub(crate) const UNDECLARED: &str = "tool_of_tomorrow";

/// Makes a call up for a use; `text` is the command, or the path. `None` where no tool is declared.
pub(crate) fn made_up(asked: &Asked<'_>, wanted: Use, text: &str) -> Option<MadeUp> {
    let tools: Vec<(&str, Value)> =
        asked.client_tools().map(|(name, schema)| (name, schema.map_or_else(|| known_schema(name), plain))).collect();
    let (words, members): (&[&str], &[&str]) = match wanted {
        Use::Shell => (&SHELLS, &COMMANDS),
        Use::Read => (&READERS, &PATHS),
        Use::Write => (&WRITERS, &PATHS),
        Use::Any => (&[], &[]),
        Use::Undeclared => {
            return tools.first().map(|_| MadeUp { name: UNDECLARED.to_owned(), input: json!({"a": 1, "b": ["x"]}) });
        }
    };
    let (name, schema) = best(&tools, words).or_else(|| best(&tools, &SHELLS)).or(tools.first())?;
    let mut input = fitting(schema);
    if !put(&mut input, schema, members, text) {
        put(&mut input, schema, &COMMANDS, &command(wanted, text));
    }
    Some(MadeUp { name: (*name).to_owned(), input })
}

/// A call of a tool by its name, with an input that fits its schema.
pub(crate) fn named(asked: &Asked<'_>, name: &str) -> MadeUp {
    let declared = asked.client_tools().find(|(known, _)| *known == name);
    let schema = declared.and_then(|(_, schema)| schema).map_or_else(|| known_schema(name), plain);
    MadeUp { name: name.to_owned(), input: fitting(&schema) }
}

/// What a shell does instead of a tool that is not there.
fn command(wanted: Use, text: &str) -> String {
    match wanted {
        Use::Read => format!("cat {text}"),
        Use::Write => format!("touch {text}"),
        Use::Shell | Use::Any | Use::Undeclared => text.to_owned(),
    }
}

fn best<'a, 't>(tools: &'t [(&'a str, Value)], words: &[&str]) -> Option<&'t (&'a str, Value)> {
    let called = |is: &dyn Fn(&str) -> bool| tools.iter().find(|(name, _)| is(&name.to_lowercase()));
    let whole = words.iter().find_map(|word| called(&|name| name == *word));
    whole.or_else(|| words.iter().find_map(|word| called(&|name| name.contains(word))))
}

/// Puts a text into the member that is for it, by its name. False where there is none.
fn put(input: &mut Value, schema: &Value, members: &[&str], text: &str) -> bool {
    let found = value_for(schema, &resolved(schema, schema), members, text);
    let (Some((name, value)), Some(input)) = (found, input.as_object_mut()) else { return false };
    input.insert(name, value);
    true
}

/// The member of an object that is for a text, and its value; `part` is a part of the schema `root`.
fn value_for(root: &Value, part: &Value, members: &[&str], text: &str) -> Option<(String, Value)> {
    let properties = part.get("properties")?.as_object()?;
    let named = |word: &&str| properties.keys().find(|name| name.to_lowercase() == **word);
    let name = members.iter().find_map(named)?;
    let property = resolved(root, &properties[name]);
    let value = match property.get("type").and_then(Value::as_str) {
        Some("array") => listed(root, name, &property, members, text),
        Some("string") | None => text.into(),
        Some(_) => return None,
    };
    Some((name.clone(), value))
}

/// A text in a list: the words of a command line, or one element.
fn listed(root: &Value, name: &str, property: &Value, members: &[&str], text: &str) -> Value {
    let items = resolved(root, property.get("items").unwrap_or(&Value::Null));
    if items.get("properties").is_some() {
        let mut item = fitting(&items);
        if let (Some(item), Some((name, value))) = (item.as_object_mut(), value_for(root, &items, members, text)) {
            item.insert(name, value);
        }
        return json!([item]);
    }
    if name == "command" { json!(["bash", "-lc", text]) } else { json!([text]) }
}

/// The schema of a tool that the API describes by its type.
fn known_schema(name: &str) -> Value {
    let text = json!({"type": "string"});
    let of = |required: &[&str], properties: &[(&str, Value)]| {
        let properties: Map<String, Value> =
            properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
        json!({"type": "object", "required": required, "properties": properties})
    };
    match name {
        "bash" => of(&["command"], &[("command", text)]),
        "computer" => of(&["action"], &[("action", json!({"const": "screenshot"}))]),
        name if name.contains("edit") || name == "memory" => {
            of(&["command", "path"], &[("command", json!({"const": "view"})), ("path", text)])
        }
        _ => json!({"type": "object"}),
    }
}

fn plain(schema: &turnproof_rules::operation::Value) -> Value {
    serde_json::to_value(schema).unwrap_or_default()
}
