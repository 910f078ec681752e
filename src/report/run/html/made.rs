//! What factories *made*, as a drawing: the call, the messages, and what predicates say of each.

use crate::operation::Value;
use maud::{Markup, html};

use crate::operation::{FactoryCall, Made, MadeMessage, Plain};
use crate::report::run::place::List;
use turnproof_suite::table::size;

use super::marks::Marks;
use super::message::list;
use super::text::{glance, text};

type Answer = Result<Vec<MadeMessage>, String>;

pub(super) fn made(case: &Made, marks: &Marks<'_>) -> Markup {
    html! {
        (call(&case.call))
        (answer("The messages that the factory makes", List::Output, &case.answer, marks))
        @match &case.again {
            None => {},
            Some(again) if *again == case.answer => p.same { "Asked again: the same" },
            Some(again) => details.aside {
                summary { "Asked again" }
                (answer("", List::Beside, again, marks))
            },
        }
        p.same {
            "Ids that begin with " code { "facade00" } " and the time " code { "2000-01-01T00:00:00" }
            " stand for those that the subject made. Equal ids stay equal, and the form stays."
        }
    }
}

fn call(call: &FactoryCall) -> Markup {
    let given = |given: &Option<String>| match given {
        Some(given) => html! { code { (glance(given)) } },
        None => html! { span.empty { "not given" } },
    };
    html! {
        div.scroll { table {
            caption { "The call of the factory " code { (glance(&call.factory)) } }
            thead { tr { th scope="col" { "what" } th scope="col" { "given" } } }
            tbody {
                tr { th scope="row" { "arguments" } td { code { (text(&call.arguments)) } } }
                tr { th scope="row" { "id" } td { (given(&call.uuid)) } }
                tr { th scope="row" { "time" } td { (given(&call.timestamp)) } }
                tr {
                    th scope="row" { "clock and source of ids" }
                    td { @match &call.source {
                        None => span.empty { "the subject's own" },
                        Some(source) => {
                            code { (glance(&source.now)) } ", " (size(source.ids.len() as u64, "id"))
                            @for id in source.ids.iter().take(2) { " " code { (glance(id)) } }
                            @if source.ids.len() > 2 { " …" }
                        },
                    } }
                }
            }
        } }
    }
}

fn answer(title: &str, place: List, answer: &Answer, marks: &Marks<'_>) -> Markup {
    match answer {
        Ok(made) => {
            let messages: Vec<Value> = made.iter().map(read).collect();
            list(title, place, &messages, marks, &|at| made.get(at).map(predicates).unwrap_or_default())
        }
        Err(why) => html! { div.list { h4 { (title) } p.empty { "refused: " (text(why)) } } },
    }
}

/// A message as it is read; what is no JSON as a text.
fn read(made: &MadeMessage) -> Value {
    Plain::read(&made.message).map_or_else(|_| Value::from(made.message.as_str()), |plain| plain.into_value())
}

fn predicates(made: &MadeMessage) -> Markup {
    html! {
        @for (name, says) in &made.predicates {
            p.effect { b { (glance(name)) } " " (says) }
        }
    }
}
