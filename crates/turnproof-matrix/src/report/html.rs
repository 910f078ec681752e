//! The page as HTML: one file, without scripts.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::page::{Cell, Page, Part, Section};

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8886; padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { background: #8882; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: #8881; overflow-x: auto; padding: .5rem; }
";

pub(super) fn html(page: &Page) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (page.title) }
                @for section in &page.sections { (of_section(section)) }
            }
        }
    };
    markup.into_string()
}

fn of_section(section: &Section) -> Markup {
    html! {
        @if !section.title.is_empty() { h2 { (section.title) } }
        @for part in &section.parts { (of_part(part)) }
    }
}

fn of_part(part: &Part) -> Markup {
    match part {
        Part::Text(words) => html! { p { (with_code(words)) } },
        Part::Title(words) => html! { h3 { (words) } },
        Part::List(points) => html! { ul { @for point in points { li { (with_code(point)) } } } },
        Part::Lines(lines) | Part::Commands(lines) => html! { pre { (lines.join("\n")) } },
        Part::Table(head, rows) => table(head.iter().copied(), rows),
        Part::Wide(head, rows) => table(head.iter().map(String::as_str), rows),
    }
}

fn table<'a>(head: impl Iterator<Item = &'a str>, rows: &[Vec<Cell>]) -> Markup {
    html! {
        table {
            thead { tr { @for name in head { th { (name) } } } }
            tbody { @for row in rows { tr { @for cell in row { td { (of_cell(cell)) } } } } }
        }
    }
}

fn of_cell(cell: &Cell) -> Markup {
    match cell {
        Cell::Text(words) => with_code(words),
        Cell::Code(words) => html! { code { (words) } },
        Cell::Links(links) => html! { @for (words, to) in links { (words) " " code { (to) } br; } },
    }
}

/// Words with code between backticks, and emphasis between stars.
fn with_code(words: &str) -> Markup {
    let parts: Vec<&str> = words.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return html! { (words) };
    }
    html! {
        @for (place, part) in parts.iter().enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part.replace('*', "")) }
        }
    }
}
