//! The tables of `docs/errors.md`, made of the pages of rules and of errors. `TURNPROOF_WRITE_PAGES=1` writes them.

use turnproof_rules::errors::{ErrorText, Origin, Said, all};
use turnproof_rules::rules::Sayer;

use super::rules::must_hold;

const SAYERS: [(Sayer, &str); 5] = [
    (Sayer::Anthropic, "api.anthropic.com"),
    (Sayer::BedrockConverse, "Bedrock, by Converse"),
    (Sayer::BedrockInvoke, "Bedrock, by InvokeModel"),
    (Sayer::Vertex, "Vertex"),
    (Sayer::Client, "The client"),
];

/// A table for each who says something, in the order of the rules.
fn tables() -> String {
    let mut text = String::new();
    for (by, name) in SAYERS {
        text += &format!("\n### {name}\n\n| error | what must hold, or what it means | known |\n|---|---|---|\n");
        for (origin, error) in all() {
            text.extend(error.said.iter().filter(|said| said.by == by).map(|said| row(origin, error, said)));
        }
    }
    text + "\n"
}

fn row(origin: Origin, error: &ErrorText, said: &Said) -> String {
    let (id, title) = (origin.id(), origin.title());
    let page = match origin {
        Origin::Rule(_) => format!("rules/{id}.md"),
        Origin::Page(_) => format!("errors/{}.md", id.trim_start_matches("error/")),
    };
    let text = error.text.replace('|', "\\|");
    let date = said.date.map(|date| format!(" {date}")).unwrap_or_default();
    let known = said.known.name();
    format!("| `` {text} `` | [`{id}`](../crates/turnproof-rules/{page}): {title} | {known}{date} |\n")
}

#[test]
fn the_tables_of_errors_are_up_to_date() {
    must_hold("docs/errors.md", &tables());
}
