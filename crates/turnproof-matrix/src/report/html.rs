//! The page as HTML.

use maud::{Markup, html};
use turnproof::report::html::{document, prose, table};

use super::page::{Cell, Page, Part};

pub(super) fn html(page: &Page) -> String {
    let body = html! {
        header { h1 { (page.title) } }
        main { @for section in &page.sections {
            section {
                @if !section.title.is_empty() { h2 { (section.title) } }
                @for part in &section.parts { (of_part(part)) }
            }
        } }
    };
    document(&html! { (page.title) }, &body)
}

fn of_part(part: &Part) -> Markup {
    match part {
        Part::Text(words) => html! { p { (words_of(words)) } },
        Part::Title(words) => html! { h3 { (words) } },
        Part::List(points) => html! { ul { @for point in points { li { (words_of(point)) } } } },
        Part::Lines(lines) | Part::Commands(lines) => html! { pre { (lines.join("\n")) } },
        Part::Table(head, rows) => table("", head, rows.iter().map(|row| row.iter().map(of_cell).collect())),
    }
}

fn of_cell(cell: &Cell) -> Markup {
    match cell {
        Cell::Text(words) => words_of(words),
        Cell::Code(words) => html! { code { (words) } },
        Cell::Links(links) => html! { @for (words, to) in links { (words) " " code { (to) } br; } },
    }
}

/// Words with code between backticks, and emphasis between stars.
fn words_of(words: &str) -> Markup {
    let parts = words.split('`').enumerate();
    let plain: Vec<String> =
        parts.map(|(at, part)| if at % 2 == 1 { part.into() } else { part.replace('*', "") }).collect();
    prose(&plain.join("`"))
}
