//! The *overview* of a run: a square for each rule, by family, and which of them are shown. It works without a script.

use maud::{Markup, html};

use crate::report::run::{Fate, RunReport};
use turnproof_rules::rules::find;
use turnproof_suite::suite::RuleCount;
use turnproof_suite::table::count;

use super::rules::row_id;

/// What can be shown alone: the id of its choice, its words, and the class of its squares.
const CHOICES: [(&str, &str, &str); 3] = [
    ("only-failed", "failed", "is-broken"),
    ("only-known", "known", "is-known"),
    ("only-idle", "not exercised", "is-idle"),
];

/// The squares of all rules; `anchor_of` gives the section of a rule that was broken.
pub(super) fn overview(run: &RunReport<'_>, anchor_of: &dyn Fn(&str) -> Option<String>) -> Markup {
    html! {
        section.overview id="overview" {
            h2 { "Rules by family" }
            (choices(run))
            div.families {
                @for (family, counts) in run.families() {
                    h3 { (family) }
                    ul.squares { @for row in counts { (square(run, row, anchor_of(row.rule))) } }
                }
            }
        }
    }
}

fn choices(run: &RunReport<'_>) -> Markup {
    let of = |wanted: &str| run.report.counts.iter().filter(|row| class(run.fate(row)) == wanted).count() as u64;
    html! {
        p.choices role="radiogroup" aria-label="Show" {
            label { input type="radio" name="shown" id="all-rules" checked; " all " (count(run.report.counts.len() as u64)) }
            @for (id, words, class) in CHOICES {
                @if of(class) > 0 { label { input type="radio" name="shown" id=(id); " " (words) " " (count(of(class))) } }
            }
        }
    }
}

fn square(run: &RunReport<'_>, row: &RuleCount, anchor: Option<String>) -> Markup {
    let fate = run.fate(row);
    let title = find(row.rule).map_or("", |rule| rule.title);
    let to = anchor.unwrap_or_else(|| row_id(row.rule));
    let name = format!("{}: {}", row.rule, words(fate));
    html! {
        li { a class=(class(fate)) href={ "#" (to) } title={ (name) "\n" (title) } aria-label=(name) {} }
    }
}

/// How a rule is shown, by what became of it.
pub(super) const fn class(fate: Fate) -> &'static str {
    match fate {
        Fate::Broken | Fate::Stopped => "is-broken",
        Fate::Held => "is-held",
        Fate::Known => "is-known",
        Fate::NotApplicable | Fate::NotSupported => "is-idle",
    }
}

const fn words(fate: Fate) -> &'static str {
    match fate {
        Fate::Broken => "failed",
        Fate::Stopped => "known, and it has stopped",
        Fate::Held => "passed",
        Fate::Known => "fails as is known",
        Fate::NotApplicable => "not exercised",
        Fate::NotSupported => "not supported",
    }
}
