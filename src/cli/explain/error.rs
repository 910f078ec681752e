//! What is said about an *error* that somebody got: its page, what it means, where to look, what to do.

use turnproof_rules::errors::{ErrorPage, ErrorPath, Found, Near, Origin, call_in, path_in, sharing};
use turnproof_rules::rules::Judge;

use super::{heading, stdout_has_colour, wrap};

/// What there is to say about an error that was found.
pub(super) fn found(text: &str, found: &[Found]) -> String {
    let [Found { origin, error }, others @ ..] = found else { return String::new() };
    let said: Vec<String> = error.said.iter().map(ToString::to_string).collect();
    let mut page = title(*origin);
    page.push_str(&format!("\n    {}\n", error.text));
    page.push_str(&format!("\n{}\n", wrap(&format!("Said by {}.", said.join(", ")))));
    let path = path_in(text);
    let (doc, place, remedy) = match origin {
        Origin::Rule(rule) => (rule.doc, "", rule.remedy),
        Origin::Page(about) => (about.doc, about.place, about.remedy),
    };
    page.push_str(&section("What it means", doc));
    page.push_str(&format!("\n{}\n", heading("Where to look", stdout_has_colour())));
    let which = path.as_ref().map(which).unwrap_or_default();
    for paragraph in [which.as_str(), place].into_iter().filter(|text| !text.is_empty()) {
        page.push_str(&format!("\n{}\n", wrap(paragraph)));
    }
    page.push_str(&commands(*origin, path.as_ref(), call_in(text)));
    page.push_str(&section("What to do", remedy));
    let same: Vec<String> = sharing(*origin).map(|rule| format!("{} ({})", rule.id, rule.title)).collect();
    if !same.is_empty() {
        page.push_str(&format!("\n{}\n", wrap(&format!("The same words may mean: {}.", same.join(", ")))));
    }
    for Found { origin, .. } in others {
        page.push_str(&format!("\n{}\n", wrap(&format!("The text also has: {} ({}).", origin.id(), origin.title()))));
    }
    page.push_str(&format!("\nturnproof explain {}\n", origin.id()));
    page
}

/// The page of errors that belong to no rule.
pub(super) fn page(about: &'static ErrorPage) -> String {
    let mut page = title(Origin::Page(about));
    for error in about.errors {
        let said: Vec<String> = error.said.iter().map(ToString::to_string).collect();
        page.push_str(&format!("\n    {}\n    {}\n", error.text, said.join(", ")));
    }
    let parts = [("What it means", about.doc), ("Where to look", about.place), ("What to do", about.remedy)];
    parts.into_iter().for_each(|(name, text)| page.push_str(&section(name, text)));
    page.push_str(&section("Where it comes from", &about.sources.join(", ")));
    page
}

/// What is said where nothing fits.
pub(super) fn nothing(near: &[Near]) -> String {
    let mut text = "no page has this error; docs/errors.md lists those that are known".to_owned();
    if !near.is_empty() {
        text.push_str(
            "\nIn double quotes a shell runs what is in backquotes: use single ones, or `turnproof explain -`",
        );
        text.push_str("\nThe nearest:");
    }
    for Near { origin, error, common } in near {
        text.push_str(&format!("\n  {}: {}\n    has in common: {}", origin.id(), error.text, common.join(", ")));
    }
    text
}

fn title(origin: Origin) -> String {
    let about = match origin {
        Origin::Rule(rule) => format!("{} ({}): {}.", rule.id, rule.severity.name(), rule.title),
        Origin::Page(page) => format!("{}: {}.", page.id, page.title),
    };
    format!("{}\n", wrap(&about).replacen(origin.id(), &heading(origin.id(), stdout_has_colour()), 1))
}

fn section(name: &str, text: &str) -> String {
    let mut section = format!("\n{}\n", heading(name, stdout_has_colour()));
    for paragraph in text.split("\n\n") {
        section.push_str(&format!("\n{}\n", wrap(paragraph)));
    }
    section
}

/// Which turn, block or tool a path names.
fn which(path: &ErrorPath) -> String {
    let ErrorPath { list, index, block, part } = *path;
    let mut said = match list {
        "messages" => format!("turn {} of the request", index + 1),
        "system" => format!("block {} of `system`", index + 1),
        _ => format!("tool {} of the body", index + 1),
    };
    let mut named = format!("{list}.{index}");
    for (index, what) in [(block, "block"), (part, "part")] {
        let Some(index) = index else { break };
        named.push_str(&format!(".content.{index}"));
        said = format!("{what} {} of {said}", index + 1);
    }
    format!("{named} is {said}, since the API counts from 0.")
}

/// The commands that show what an error is about, one a line.
fn commands(origin: Origin, path: Option<&ErrorPath>, call: Option<&str>) -> String {
    let mut commands: Vec<(String, &str)> = Vec::new();
    if let Some(path) = path {
        commands.push((format!("jq '{}' body.json", query(path)), "what the error names"));
    }
    if let Some(call) = call {
        commands.push((format!("turnproof find {call}"), "the sessions with this call"));
    }
    let mut add = |command: &str, note| commands.push((command.to_owned(), note));
    if let Origin::Rule(rule) = origin {
        match rule.judge {
            Judge::Requests(_) => add("turnproof check --requests log.jsonl", "judges requests in a row"),
            Judge::Talk(_) => add("turnproof mock -- COMMAND", "judges what a program says to a server"),
            Judge::Reply(_) => add("turnproof check --response reply.sse", "judges what the host or a gateway sent"),
            Judge::Transcript(_) => add("turnproof check session.jsonl", "judges a session, line by line"),
            _ => add("turnproof check --request body.json", "names each place that breaks the rule"),
        }
        if matches!(rule.judge, Judge::Request { .. }) && rule.family() != "body" {
            add("turnproof check session.jsonl", "judges a session");
            add("turnproof view session.jsonl", "shows a session, with what is wrong in its place");
        }
    }
    if path.is_some_and(|path| path.list == "messages") {
        add("turnproof normalize --for api session.jsonl", "the turns of a session, one a line");
    }
    let widest = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let lines = commands.iter().map(|(command, note)| format!("  {command:widest$}  # {note}\n"));
    let lines: String = lines.collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// What `jq` is asked for.
fn query(path: &ErrorPath) -> String {
    let inner = [path.block, path.part].into_iter().flatten().map(|index| format!(".content[{index}]"));
    format!(".{}[{}]{}", path.list, path.index, inner.collect::<String>())
}
