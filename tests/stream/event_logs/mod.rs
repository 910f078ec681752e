//! Small streams, each with a name that says what is interesting, and a reviewed page of what is
//! yielded of them.
//!
//! A page shows each event of the stream, what was yielded at once (`+`) or changed in place (`~`)
//! and what was wrong (`!`), then the two views of the log. After a change of behaviour,
//! `cargo insta review` shows what became of them.

mod fallback;
mod odd;
mod page;
mod replies;

use crate::make::{block, start};
use page::{Page, Step};
use serde_json::{Value, json};

fn started(id: &str) -> Step {
    let mut event = start();
    event["message"]["id"] = id.into();
    event.into()
}

fn thinking(index: u64) -> Value {
    block(index, json!({"type": "thinking", "thinking": "", "signature": ""}))
}

fn result(uuid: &str, call: &str) -> Step {
    let content = json!([{"type": "tool_result", "tool_use_id": call, "content": "done"}]);
    Step::User(json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": content}}))
}

fn ping() -> Step {
    json!({"type": "ping"}).into()
}

fn steps(events: impl IntoIterator<Item = Value>) -> Vec<Step> {
    events.into_iter().map(Step::from).collect()
}

/// Compares the page of a stream with the reviewed one.
fn review(name: &str, steps: impl IntoIterator<Item = Step>) {
    let mut page = Page::default();
    steps.into_iter().for_each(|step| page.take(&step));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/event-logs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name.to_owned(), page.render()));
}
