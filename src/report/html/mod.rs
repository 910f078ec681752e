//! A *page* is one HTML document that needs no script, no network and no other file.
//!
//! What it shows may hold anything. So all [`text`] is escaped, and a policy in the head forbids scripts and everything
//! from elsewhere.

pub(super) mod text;

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The looks of each page; read in light and dark, on a phone and on paper.
const STYLE: &str = include_str!("style.css");

/// Nothing is loaded and nothing runs; only the page's own style counts.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// The page with a title and a body; `own_style` comes behind what all pages have.
pub(super) fn document(title: &Markup, own_style: &str, body: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · turnproof" }
                style { (PreEscaped(STYLE)) (PreEscaped(own_style)) }
            }
            body { (body) }
        }
    };
    document.into_string()
}
