//! A *drawing* of an answer: what went in, what came out, and what it is compared with.

use maud::{Markup, html};
use turnproof_rules::Shown;

use crate::message::Event;
use crate::normalize::api::{Options, Trace, normalize_traced};
use crate::operation::{
    ApiNormalized, CheckAnswer, Checked, Counted, Derived, Folded, Folding, Given, Parsed, Plain, Shortened,
    UiNormalized, UiReordered, UsageAnswer,
};
use crate::report::normalization::told;
use crate::report::run::exhibit::{Failed, Unanswered};
use crate::report::run::place::List;
use turnproof_suite::table::size;

use super::file::file;
use super::made;
use super::marks::Marks;
use super::message::{aside, list};
use super::session;
use super::text::{glance, text};

pub(super) fn drawing(shown: &Result<Shown, Failed>, marks: &Marks<'_>) -> Markup {
    let shown = match shown {
        Ok(shown) => shown,
        Err(failed) => return of_nothing(failed, marks),
    };
    match shown {
        Shown::Parse(case) => of_file(&case.bytes, &case.parsed, marks),
        Shown::NormalizeApi(case) => of_request(case, marks),
        Shown::NormalizeUi(case) => of_ui(case, marks),
        Shown::ReorderUi(case) => of_order(case, marks),
        Shown::DeriveUuid(case) => of_derived(case),
        Shown::ShortId(case) => of_shortened(case),
        Shown::Record(case) => session::recorded(case, marks),
        Shown::Resume(case) => session::resumed(case, marks),
        Shown::Accumulate(case) => session::accumulated(case, marks),
        Shown::Play(case) => session::played(case, marks),
        Shown::CheckRequest(case) => of_check(case, marks),
        Shown::Make(case) => made::made(case, marks),
        Shown::Usage(case) => of_counted(case, marks),
        Shown::Fold(case) => of_folded(case, marks),
        other => as_json(other),
    }
}

/// An operation without a drawing of its own: the data that was judged.
fn as_json(shown: &Shown) -> Markup {
    let json = serde_json::to_string_pretty(shown).unwrap_or_default();
    html! { div.list { h4 { "What was asked, and what the subject answered" } pre { (text(&json)) } } }
}

/// Nothing is said beside a row.
pub(super) fn nothing(_: usize) -> Markup {
    html! {}
}

fn of_file(bytes: &[u8], parsed: &Parsed, marks: &Marks<'_>) -> Markup {
    let shown = |name: &Option<String>| name.as_deref().map(glance).unwrap_or_else(|| html! { "–" });
    let is_same = |record: &crate::operation::ParsedRecord| {
        let range = usize::try_from(record.start).ok().zip(usize::try_from(record.end).ok());
        range.and_then(|(start, end)| bytes.get(start..end)) == Some(&record.written)
    };
    let row = |(start, end): (u64, u64), what: &str, words: &str| {
        html! {
            tr { td.number { (start) "–" (end) } td { (what) } td { (glance(words)) } td { "–" } td { "–" } }
        }
    };
    html! {
        (file("The file", bytes, marks, &|_, _| None))
        div.scroll { table {
            caption { "What the subject read" }
            thead { tr {
                th.number scope="col" { "bytes" } th scope="col" { "is" } th scope="col" { "type or reason" }
                th scope="col" { "uuid" } th scope="col" { "written back" }
            } }
            tbody {
                @for record in &parsed.records {
                    tr {
                        td.number { (record.start) "–" (record.end) } td { "record" }
                        td { (shown(&record.kind)) } td { (shown(&record.uuid)) }
                        td { @if is_same(record) { "as it was" } @else { "otherwise" } }
                    }
                }
                @for rejected in &parsed.rejected {
                    (row((rejected.start, rejected.end), "rejected", &rejected.reason))
                }
                @for report in &parsed.reports {
                    (row((report.start, report.end), "noticed", &report.rule))
                }
            }
        } }
    }
}

/// What a subject gave: a list, or why there is none.
pub(super) fn given(title: &str, place: List, given: &Given, marks: &Marks<'_>) -> Markup {
    match given {
        Ok(plain) if plain.value.is_array() => list(title, place, plain.elements(), marks, &nothing),
        Ok(other) => html! { div.list { h4 { (title) } p.holds { (text(&other.value.to_string())) } } },
        Err(why) => html! { div.list { h4 { (title) } p.empty { "refused: " (text(why)) } } },
    }
}

/// Something that should be the same as what is shown already.
pub(super) fn beside(title: &str, other: &Given, shown: &Given, marks: &Marks<'_>) -> Markup {
    match (other, shown) {
        (Ok(a), Ok(b)) if a.value == b.value => html! { p.same { (title) ": the same" } },
        (Ok(other), _) => aside(title, other.elements(), marks),
        (Err(why), _) => html! { p.same { (title) ": refused: " (glance(why)) } },
    }
}

fn of_request(case: &ApiNormalized, marks: &Marks<'_>) -> Markup {
    let options = Options { context: case.options.context.clone(), ..Options::default() };
    let events: Option<Vec<Event>> =
        case.events().iter().map(|value| serde_json::from_str(&value.to_string()).ok()).collect();
    let events = events.unwrap_or_default();
    let (turns, trace) = normalize_traced(&events, &options);
    let reference = serde_json::to_value(&turns).map(Plain::from).map_err(|error| error.to_string());
    let input = "The messages, and what the stages of the reference do to them";
    html! {
        @if let Some(context) = &case.options.context { p.same { "Project context: " (glance(context)) } }
        div.columns {
            (list(input, List::Input, case.events(), marks, &|at| effects(&trace, at)))
            (given("The request that the subject makes", List::Output, &case.request, marks))
        }
        (stages(&trace))
        (beside("What the reference makes of them", &reference, &case.request, marks))
        @if let Some(again) = &case.again { (beside("Asked again", again, &case.request, marks)) }
        @if let Some(after) = &case.messages_after {
            (beside("The messages after the call", &Ok(after.clone()), &Ok(case.messages.clone()), marks))
        }
        @if let Some(own) = &case.renormalized {
            (beside("What the subject makes of its own request", own, &case.request, marks))
        }
        @for (count, shorter) in asked(&case.shorter).skip_while(|(count, _)| *count == 0) {
            (beside(&format!("The request of {}", first(count)), shorter, &case.request, marks))
        }
        @for (at, state) in case.incremental.iter().flat_map(|states| asked(states)) {
            @let whole = case.shorter.get(at + 1).and_then(Option::as_ref).unwrap_or(&case.request);
            (beside(&format!("Kept up to date, after message {at}"), state, whole, marks))
        }
    }
}

/// The answers that there are, each with its place.
fn asked(answers: &[Option<Given>]) -> impl Iterator<Item = (usize, &Given)> {
    answers.iter().enumerate().filter_map(|(at, answer)| Some((at, answer.as_ref()?)))
}

/// The beginning of a list, in words.
fn first(count: usize) -> String {
    if count == 1 { "the first message".to_owned() } else { format!("the first {}", size(count as u64, "message")) }
}

/// What the reference's stages do to a message.
fn effects(trace: &Trace, at: usize) -> Markup {
    let is_here = |message: Option<u32>| message.and_then(|message| usize::try_from(message).ok()) == Some(at);
    html! {
        @for step in &trace.steps {
            @for note in step.notes.iter().filter(|note| is_here(note.message)) {
                p.effect { b { (step.stage) } " " (glance(&told(note))) }
            }
        }
    }
}

fn stages(trace: &Trace) -> Markup {
    html! {
        details.aside {
            summary { "The stages of the reference" }
            div.scroll { table {
                thead { tr {
                    th scope="col" { "stage" } th.number scope="col" { "in" } th.number scope="col" { "out" }
                    th scope="col" { "what it does to which message" }
                } }
                tbody {
                    @for step in &trace.steps {
                        tr {
                            th scope="row" { (step.stage) } td.number { (step.before) } td.number { (step.after) }
                            td { @for note in &step.notes {
                                p { @if let Some(message) = note.message { (message) ": " } (glance(&told(note))) }
                            } }
                        }
                    }
                }
            } }
        }
    }
}

fn of_ui(case: &UiNormalized, marks: &Marks<'_>) -> Markup {
    html! {
        div.columns {
            (list("The messages", List::Input, case.messages.elements(), marks, &nothing))
            (given("What the subject gives a UI", List::Output, &case.output, marks))
        }
        @if let Some(again) = &case.again { (beside("Asked again", again, &case.output, marks)) }
        @for (count, shorter) in asked(&case.shorter).skip_while(|(count, _)| *count == 0) {
            (beside(&format!("For {}", first(count)), shorter, &case.output, marks))
        }
    }
}

fn of_order(case: &UiReordered, marks: &Marks<'_>) -> Markup {
    html! {
        div.columns {
            (list("The messages", List::Input, case.messages.elements(), marks, &nothing))
            (given("The order that the subject gives them", List::Output, &case.output, marks))
        }
        @if let Some(again) = &case.again { (beside("Ordered again", again, &case.output, marks)) }
    }
}

fn answer(answer: &Result<String, String>) -> Markup {
    match answer {
        Ok(id) => html! { code { (glance(id)) } },
        Err(why) => html! { span.empty { "refused: " (glance(why)) } },
    }
}

fn of_derived(case: &Derived) -> Markup {
    html! {
        div.scroll { table {
            caption { "Ids derived from " code { (glance(&case.parent)) } }
            thead { tr { th.number scope="col" { "block" } th scope="col" { "id" } th scope="col" { "asked again" } } }
            tbody {
                @for ((index, first), again) in case.indexes.iter().zip(&case.answers).zip(&case.again) {
                    tr { th.number scope="row" { (index) } td { (answer(first)) } td { (answer(again)) } }
                }
            }
        } }
    }
}

fn of_shortened(case: &Shortened) -> Markup {
    html! {
        div.scroll { table {
            caption { "A short id" }
            thead { tr { th scope="col" { "uuid" } th scope="col" { "short" } th scope="col" { "asked again" } } }
            tbody { tr { th scope="row" { code { (glance(&case.uuid)) } } td { (answer(&case.answer)) } td { (answer(&case.again)) } } }
        } }
    }
}

fn of_check(case: &Checked, marks: &Marks<'_>) -> Markup {
    let request = Plain::read(&case.request).map_err(|error| error.to_string());
    html! {
        (given(&format!("The request, for the host {}", case.host.name()), List::Output, &request, marks))
        (said("The validator", &case.answer))
        @if let Some(again) = &case.again { (said("Asked again", again)) }
    }
}

fn said(title: &str, answer: &CheckAnswer) -> Markup {
    match answer {
        Ok(refusals) if refusals.is_empty() => html! { p.same { (title) ": legal" } },
        Ok(refusals) => html! {
            p.same { (title) ": not legal" }
            ul { @for refusal in refusals {
                li { @if let Some(turn) = refusal.turn { "turn " (turn) ": " } (glance(&refusal.error)) }
            } }
        },
        Err(why) => html! { p.same { (title) ": no answer: " (glance(why)) } },
    }
}

fn of_folded(case: &Folded, marks: &Marks<'_>) -> Markup {
    let what = match case.folding {
        Folding::Group => "runs of calls of one tool",
        Folding::Collapse => "runs of calls that only read or search",
    };
    let messages = Ok(case.messages.clone());
    html! {
        div.columns {
            (list("The messages", List::Input, case.messages.elements(), marks, &nothing))
            (given(&format!("What the subject makes of them when it folds {what}"), List::Output, &case.output, marks))
        }
        (further("Folded again", List::Again, &case.again, &case.output, marks))
        (further("The folding taken back", List::Undone, &case.undone, &messages, marks))
        (further("The messages over the bridge", List::Bridged, &case.bridged, &messages, marks))
        @let bridged = case.bridged.as_ref().unwrap_or(&messages);
        (further("The folded messages over the bridge", List::BridgedOutput, &case.bridged_output, bridged, marks))
    }
}

/// A further answer: open if it has a mark, otherwise beside what it is compared with.
fn further(title: &str, place: List, answer: &Option<Given>, shown: &Given, marks: &Marks<'_>) -> Markup {
    match answer {
        None => html! {},
        Some(answer) if marks.beyond(place, 0).is_empty() => beside(title, answer, shown, marks),
        Some(answer) => given(title, place, answer, marks),
    }
}

fn of_counted(case: &Counted, marks: &Marks<'_>) -> Markup {
    html! {
        @for (at, bytes) in case.files.iter().enumerate() {
            (file(&format!("File {at}"), bytes, marks, &|_, _| None))
        }
        (counted("The tokens that the subject counts", &case.answer))
        @if let Some(again) = &case.again {
            @if *again == case.answer { p.same { "Asked again: the same" } } @else { (counted("Asked again", again)) }
        }
        @if let Some(copied) = &case.with_copies {
            @let title = "With a copy of each file before them";
            @if *copied == case.answer { p.same { (title) ": the same" } } @else { (counted(title, copied)) }
        }
    }
}

fn counted(title: &str, answer: &UsageAnswer) -> Markup {
    let rows = match answer {
        Ok(rows) => rows,
        Err(why) => return html! { p.same { (title) ": no answer: " (glance(why)) } },
    };
    let name = |name: &Option<String>| name.as_deref().map(glance).unwrap_or_else(|| html! { "–" });
    html! {
        div.scroll { table {
            caption { (title) }
            thead { tr {
                th scope="col" { "session" } th scope="col" { "model" } th scope="col" { "of" }
                th.number scope="col" { "replies" } th.number scope="col" { "without usage" }
                th.number scope="col" { "input" } th.number scope="col" { "output" }
                th.number scope="col" { "cache written" } th.number scope="col" { "cache read" }
            } }
            tbody {
                @for row in rows {
                    tr {
                        td { (name(&row.session)) } td { (name(&row.model)) }
                        td { @if row.sidechain { "subagents" } @else { "the session" } }
                        td.number { (row.replies) } td.number { (row.unknown) }
                        td.number { (row.input_tokens) } td.number { (row.output_tokens) }
                        td.number { (row.cache_creation_input_tokens) } td.number { (row.cache_read_input_tokens) }
                    }
                }
            }
        } }
        @if rows.is_empty() { p.empty { "No rows." } }
    }
}

fn of_nothing(failed: &Failed, marks: &Marks<'_>) -> Markup {
    let read = |json: &String| Plain::read(json).map(|plain| plain.into_value()).unwrap_or_default();
    html! {
        p.empty { "There is no answer: " (glance(&failed.why)) }
        @match &failed.input {
            Unanswered::File(bytes) => (file("The file", bytes, marks, &|_, _| None)),
            Unanswered::Messages(messages) => {
                (list("The messages", List::Input, &messages.iter().map(read).collect::<Vec<_>>(), marks, &nothing))
            },
            Unanswered::Streams(streams) => @for stream in streams { (session::items(stream)) },
            Unanswered::Ids(ids) => p { "The ids: " @for id in ids { code { (glance(id)) } " " } },
        }
    }
}
