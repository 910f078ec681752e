//! The tables of `docs/rules.md`, made of the pages of the rules. `TURNPROOF_WRITE_PAGES=1` writes them.

use std::{env, fs};

use turnproof_rules::rules::{CATALOGUE, Rule};

use super::root;

const BEGIN: &str = "<!-- Written by `TURNPROOF_WRITE_PAGES=1 cargo test --test command pages`. -->\n";
const END: &str = "<!-- The end of what is written. -->\n";

/// A table for each family, in the order of the catalogue.
fn tables() -> String {
    let mut text = String::new();
    for family in CATALOGUE.chunk_by(|rule, next| rule.family() == next.family()) {
        text += &format!("\n### {}\n\n", family[0].family());
        text += "| rule | severity | judges | kept by | what must hold |\n|---|---|---|---|---|\n";
        text.extend(family.iter().map(|rule| row(rule)));
    }
    text + "\n"
}

fn row(rule: &Rule) -> String {
    let Rule { id, title, severity, judge, audience, .. } = rule;
    let page = format!("../crates/turnproof-rules/rules/{id}.md");
    let audience = audience.map_or("–", |audience| audience.name());
    format!("| [`{id}`]({page}) | {} | {} | {audience} | {title} |\n", severity.name(), judge.name())
}

#[test]
fn the_tables_of_rules_are_up_to_date() {
    must_hold("docs/rules.md", &tables());
}

/// Fails where a page does not have these tables between its marks; writes them where that is asked for.
pub(super) fn must_hold(page: &str, tables: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the line before the tables");
    let (written, after) = rest.split_once(END).expect("the line after the tables");
    if written != tables && env::var_os("TURNPROOF_WRITE_PAGES").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{tables}{END}{after}")).unwrap();
    }
    assert!(written == tables, "write {page}: TURNPROOF_WRITE_PAGES=1 cargo test --test command pages");
}
