//! *Rules* as a table, family by family, and known deviations.

use maud::{Markup, html};

use crate::report::html::text::{prose, words};
use crate::report::html::{aside, table};
use crate::report::run::{Fate, RunReport, in_ascii};
use turnproof_rules::rules::find;
use turnproof_suite::suite::{Deviation, DeviationFate, RuleCount};
use turnproof_suite::table::count;

use super::overview::class;

/// All rules that were asked; `anchor_of` gives the section of a rule that was broken.
pub(super) fn rules(run: &RunReport<'_>, anchor_of: &dyn Fn(&str) -> Option<String>) -> Markup {
    html! {
        section id="rules" {
            h2 { "Each rule" }
            details open[is_named(run)] { summary { "The table" } div.scroll { table.rules {
                caption { "In how many cases each rule was exercised, and what came of it" }
                thead { tr {
                    th scope="col" { "rule" } th.number scope="col" { "tested" } th.number.held scope="col" { "passed" }
                    th.number scope="col" { "not applicable" } th.number scope="col" { "failed" }
                    @if has_known(run) { th.number scope="col" { "known" } }
                } }
                @for (family, counts) in run.families() {
                    tbody {
                        tr.family { th scope="rowgroup" colspan=(5 + usize::from(has_known(run))) { (family) } }
                        @for count in counts { (row(run, count, anchor_of(count.rule))) }
                    }
                }
            } } }
        }
    }
}

/// So many rules are shown at once; more are opened.
const SHOWN: usize = 20;

fn is_named(run: &RunReport<'_>) -> bool {
    run.report.counts.len() <= SHOWN
}

/// The id of a rule's row.
pub(super) fn row_id(rule: &str) -> String {
    format!("rule-{}", rule.replace('/', "-"))
}

/// Whether there are rules that were broken as is known, which have a column.
fn has_known(run: &RunReport<'_>) -> bool {
    run.report.counts.iter().any(|count| count.known > 0)
}

fn row(run: &RunReport<'_>, row: &RuleCount, anchor: Option<String>) -> Markup {
    let fate = run.fate(row);
    let reason = run.deviation(row.rule).map(|deviation| deviation.known.reason.as_str());
    let title = find(row.rule).map_or("", |rule| rule.title);
    html! {
        tr class=(class(fate)) id=(row_id(row.rule)) {
            th scope="row" {
                @match anchor { Some(anchor) => a href={ "#" (anchor) } { (row.rule) }, None => (row.rule) }
                span.title { (prose(title)) }
                @if let (Fate::Known, Some(reason)) = (fate, reason) { span.title { "known: " (words(reason)) } }
            }
            @if fate == Fate::NotSupported {
                td.unsupported colspan=(4 + usize::from(has_known(run))) { "not supported" }
            } @else {
                td.number { (count(row.tested())) } td.number.held { (count(row.held)) }
                td.number { (count(row.not_applicable)) } td.number.broken { (count(row.broken)) }
                @if has_known(run) { td.number { (count(row.known)) } }
            }
        }
    }
}

/// Known deviations: the rule, why it is left as it is, and what became of it.
pub(super) fn known(run: &RunReport<'_>) -> Markup {
    let caption = "What the subject is known to break, and whether it still does";
    html! {
        section id="known" {
            h2 { "Known deviations" }
            (table(caption, &["rule", "reason", "in this run"], run.report.deviations.iter().map(of_known)))
        }
    }
}

fn of_known(deviation: &Deviation) -> Vec<Markup> {
    let fate = match deviation.fate {
        DeviationFate::Deviates => html! { "it deviates as is known" },
        DeviationFate::Stopped => {
            html! { b.is-broken { "it has stopped: " (words(&deviation.stopped().to_string())) } }
        }
        DeviationFate::Untold => html! { "the run cannot tell" },
    };
    let plan = deviation.known.case.as_ref().and_then(|case| serde_json::to_string(case).ok());
    let reason = html! {
        (words(&deviation.known.reason))
        @if let Some(plan) = plan { (aside("The smallest case", &html! { pre { code { (in_ascii(&plan)) } } })) }
    };
    vec![html! { (deviation.known.rule) }, reason, fate]
}
