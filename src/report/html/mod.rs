//! A *page* is one HTML document that needs no script, no network and no other file.
//!
//! What it shows may hold anything. So all text is escaped, and a policy in the head forbids scripts and everything
//! from elsewhere.

pub(super) mod message;
pub(super) mod text;

use maud::{DOCTYPE, Markup, PreEscaped, html};

pub use text::prose;

/// The looks of each page; read in light and dark, on a phone and on paper.
const STYLE: &str = include_str!("style.css");

/// Nothing is loaded and nothing runs; only the page's own style counts, and pictures that are in the page itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// The page with a title and a body.
pub fn document(title: &Markup, body: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · turnproof" }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    document.into_string()
}

/// The head of a page: what came out, what is said of it, and facts by name.
pub(super) fn header(version: &str, is_broken: bool, verdict: &str, says: &Markup, facts: &[(&str, Markup)]) -> Markup {
    html! {
        header {
            p.product { "turnproof " (version) }
            h1 class=(if is_broken { "is-broken" } else { "is-held" }) { (verdict) }
            (says)
            dl.facts { @for (name, fact) in facts { div { dt { (name) } dd { (fact) } } } }
        }
    }
}

/// Links to the sections of a page: whether something is wrong there, the section's id, and its name.
pub(super) fn contents(links: &[(bool, &str, Markup)]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul { @for (is_broken, id, name) in links {
                li class=[is_broken.then_some("is-broken")] { a href={ "#" (id) } { (name) } }
            } }
        }
    }
}

/// What the reader may open.
pub(super) fn aside(summary: impl maud::Render, content: &Markup) -> Markup {
    html! { details.aside { summary { (summary) } (content) } }
}

/// Cells of at most so many bytes without a blank stay on one line.
const LONGEST_WORD: usize = 12;

/// A table. Of a column whose name begins with `#` the cells are numbers; the first cell of a row names it.
pub fn table<N: AsRef<str>>(caption: &str, head: &[N], rows: impl IntoIterator<Item = Vec<Markup>>) -> Markup {
    let is_number = |at: usize| head.get(at).is_some_and(|name| name.as_ref().starts_with('#'));
    let class = |at: usize| is_number(at).then_some("number");
    // A word is not broken to make room for a text.
    let is_word = |cell: &Markup| cell.0.len() <= LONGEST_WORD && !cell.0.contains([' ', '<']);
    let class_of = |at: usize, cell: &Markup| class(at).or_else(|| is_word(cell).then_some("word"));
    html! {
        div.scroll { table {
            @if !caption.is_empty() { caption { (caption) } }
            thead { tr { @for (at, name) in head.iter().enumerate() {
                th scope="col" class=[class(at)] { (name.as_ref().trim_start_matches('#')) }
            } } }
            tbody { @for row in rows { tr { @for (at, cell) in row.iter().enumerate() {
                @if at == 0 { th scope="row" class=[class(at)] { (cell) } } @else { td class=[class_of(at, cell)] { (cell) } }
            } } } }
        } }
    }
}

/// The row of a list: its class, id and number, who speaks, and what it says.
pub(super) fn row(class: &str, id: Option<&str>, index: impl maud::Render, who: &Markup, says: &Markup) -> Markup {
    html! {
        li class={ "row " (class) } id=[id] { span.index { (index) } div.who { (who) } div.says { (says) } }
    }
}
