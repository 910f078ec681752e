//! *Known deviations* as a table: the rule, why it is left as it is, and what became of it.

use maud::{Markup, html};

use crate::report::run::{RunReport, in_ascii};
use crate::suite::{Deviation, DeviationFate};

use super::text::words;

pub(super) fn known(run: &RunReport<'_>) -> Markup {
    html! {
        section id="known" {
            h2 { "Known deviations" }
            div.scroll { table {
                caption { "What the subject is known to break, and whether it still does" }
                thead { tr { th scope="col" { "rule" } th scope="col" { "reason" } th scope="col" { "in this run" } } }
                tbody { @for deviation in &run.report.deviations { (row(deviation)) } }
            } }
        }
    }
}

fn row(deviation: &Deviation) -> Markup {
    let (class, fate) = match deviation.fate {
        DeviationFate::Deviates => ("is-quiet", "it deviates as is known".to_owned()),
        DeviationFate::Stopped => ("is-broken", format!("it has stopped: {}", deviation.stopped())),
        DeviationFate::Untold => ("is-quiet", "the run cannot tell".to_owned()),
    };
    let plan = deviation.known.case.as_ref().and_then(|case| serde_json::to_string(case).ok());
    html! {
        tr class=(class) {
            th scope="row" { (deviation.known.rule) }
            td {
                (words(&deviation.known.reason))
                @if let Some(plan) = plan {
                    details.aside { summary { "The smallest case" } pre { code { (in_ascii(&plan)) } } }
                }
            }
            td { (words(&fate)) }
        }
    }
}
