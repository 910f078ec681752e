//! To *conserve* is to lose nothing that must be sent, to send nothing else, and to keep the order. The project context
//! is the one thing that a caller adds.

use std::collections::HashSet;

use crate::json::Value;

use super::NO_REQUEST;
use super::account::{Account, Output, OutputState};
use super::attachment::Stance;
use super::attachment_text::is_wrapped;
use super::block::{Role, in_quotes, in_words, is_thinking, of_block};
use super::expected::{Expected, Fate, Item};
use super::twin;
use crate::rules::alike::in_short;
use crate::rules::value::{call_of, is_blank, kind, result_of, text_of};
use crate::rules::{ApiEvidence, Applies, Place, Report, Sentence, applies};
use crate::vocabulary::NO_CONTENT;

pub(super) fn conserves(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let account = case.account().ok_or(NO_REQUEST)?;
    let mut strangers = twin::strangers(account);
    for (item, is_found) in account.expected.items.iter().zip(&account.is_found) {
        if item.fate == Fate::Kept && !is_found && !is_thinking(&item.value) {
            let (block, message) = (in_words(&item.value), item.message);
            let (kind, found) = match twin::difference(item, &mut strangers) {
                Some((kind, how)) => {
                    (kind, sentence!("{block} of message {message} is sent changed, {how}", block, message, how))
                }
                None => {
                    let found = sentence!("{block} of message {message} is lost", block, message);
                    (of_block!("missing", &item.value), found)
                }
            };
            let expected = sentence!("the block as it is, once, in a turn of the {role}", role = item.role.name());
            report.add(Place::block(item.message, item.block), kind, found, expected);
        }
    }
    betrayals(account, report);
    for output in &account.outputs {
        let OutputState::Astray(index) = output.is else { continue };
        let item = &account.expected.items[index];
        let (block, message, turn) = (in_words(&item.value), item.message, output.turn);
        let place = Place::block(item.message, item.block);
        match item.fate {
            Fate::Gone(why) => {
                let found = sentence!("{block} of message {message} stands in turn {turn}", block, message, turn);
                let expected = sentence!("that it is not sent, because {why}", why);
                report.add(place, of_block!("extra", &item.value), found, expected);
            }
            Fate::Kept => {
                let found = sentence!(
                    "{block} of message {message} stands in turn {turn} too, or in the wrong role",
                    block,
                    message,
                    turn
                );
                let expected = sentence!("it once, in a turn of the {role}", role = item.role.name());
                report.add(place, of_block!("repeated", &item.value), found, expected);
            }
        }
    }
    applies(!account.expected.items.is_empty(), "the messages have no blocks")
}

/// Reports what texts of attachments say although it must not be sent.
fn betrayals(account: &Account<'_>, report: &mut Report<'_>) {
    for output in &account.outputs {
        let Some(attachment_text) = output.attachment_text.map(|place| &account.expected.attachment_texts[place])
        else {
            continue;
        };
        let text = text_of(&output.value).unwrap_or_default();
        for never in attachment_text.never.iter().filter(|never| text.contains(never.as_str())).take(1) {
            let (said, kind, message) = (in_quotes(never), &attachment_text.kind, attachment_text.message);
            let found = sentence!("{said} of the `{kind}` of message {message} is sent", said, kind, message);
            report.add(
                output.place(),
                "kept-back",
                found,
                "what an attachment of this kind says, and nothing that stays here",
            );
        }
    }
}

/// Judges that text made of an attachment does not look typed.
pub(super) fn wraps_attachments(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let account = case.account().ok_or(NO_REQUEST)?;
    let is_of_attachment = |output: &&Output<'_>| output.attachment_text.is_some();
    applies(account.outputs.iter().any(|output| is_of_attachment(&output)), "no text is made of an attachment")?;
    for output in account.outputs.iter().filter(is_of_attachment) {
        let attachment_text = output.attachment_text.map(|place| &account.expected.attachment_texts[place]);
        let text = text_of(&output.value).unwrap_or_default();
        if let Some(attachment_text) =
            attachment_text.filter(|attachment_text| !attachment_text.is_own && !is_wrapped(text))
        {
            let (block, kind, message) = (in_words(&output.value), &attachment_text.kind, attachment_text.message);
            let found = sentence!(
                "{block} is made of the `{kind}` of message {message}, and looks typed",
                block,
                kind,
                message
            );
            report.add(output.place(), "not-wrapped", found, wrapped(text, origin(case.events(), message)));
        }
    }
    Ok(())
}

/// What a queued prompt says of its origin.
fn origin(events: &[Value], message: usize) -> Option<&str> {
    events.get(message)?.pointer("/attachment/origin/kind")?.as_str()
}

/// What is expected of a text that is not wrapped.
fn wrapped(text: &str, origin: Option<&str>) -> Sentence {
    let tag = text.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(tag, _)| tag);
    match (tag.filter(|tag| text.contains(&format!("</{tag}>"))), origin) {
        (Some(tag), _) => sentence!("an element whose end `</{tag}>` is nowhere inside it", tag),
        (None, Some(origin)) => sentence!(
            "the text in an element such as `<system-reminder>`: its origin is {origin:?}, so nobody typed it",
            origin
        ),
        (None, None) => "the text in an element such as `<system-reminder>`, which ends with it".into(),
    }
}

pub(super) fn no_invention(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let account = case.account().ok_or(NO_REQUEST)?;
    let open = account.expected.calls.iter().filter(|call| call.result.is_none());
    let unanswered: HashSet<&str> = open.filter_map(|call| call_of(&account.expected.items[call.call].value)).collect();
    for output in account.outputs.iter().filter(|output| output.is == OutputState::New) {
        let block = in_words(&output.value);
        let (kind, found, expected) = match result_of(&output.value) {
            Some(id) if unanswered.contains(id) => (
                "made-up-result",
                sentence!(
                    "{block} is made up, with `is_error` {error}: {said}",
                    block,
                    error = output.value.get("is_error").map_or("missing".to_owned(), Value::to_string),
                    said = output.value.get("content").map_or_else(String::new, in_short)
                ),
                "the placeholder, word for word, with `is_error: true`: the call has no result",
            ),
            _ if output.is_text(Role::User, Some(NO_CONTENT)) => (
                "needless-text",
                sentence!("{block} stands where it need not", block),
                "it alone, in a turn that would be empty otherwise",
            ),
            _ => (
                of_block!("extra", &output.value),
                sentence!("{block} is in no message that is sent", block),
                "a block of the messages, what an attachment tells, a placeholder, `(no content)`, or the context",
            ),
        };
        report.add(output.place(), kind, found, expected);
    }
    for output in account.clashes.iter().filter_map(|&index| account.outputs.get(index)) {
        let found = sentence!("{block} has a new id that another call has", block = in_words(&output.value));
        report.add(output.place(), "same-id", found, "a new id that no other call has");
    }
    applies(!account.outputs.is_empty(), "the request has no blocks")
}

pub(super) fn keeps_order(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let account = case.account().ok_or(NO_REQUEST)?;
    let expected = &account.expected;
    let results: Vec<usize> = expected.calls.iter().filter_map(|call| call.result).collect();
    applies(expected.order.len() >= 2 || results.len() >= 2, "fewer than two blocks are kept")?;
    let comparable = Comparable::of(account);
    let is_result = |value: &Value| kind(value) == "tool_result";
    comparable.report_difference("wrong-order", &expected.order, |value| !is_result(value), report);
    comparable.report_difference("results-in-wrong-order", &results, is_result, report);
    Ok(())
}

/// The blocks of both sides whose order can be compared: those that are there as often as expected.
struct Comparable<'e, 'a> {
    account: &'e Account<'a>,
    /// How often each role has a block in the request, less how often it is expected, by the block's number. Equal
    /// blocks cannot be distinguished, so only when the difference is 0 does each have its own.
    balance: [Vec<i64>; 2],
}

impl<'e, 'a> Comparable<'e, 'a> {
    fn of(account: &'e Account<'a>) -> Self {
        let mut balance = [vec![0; account.numbers], vec![0; account.numbers]];
        for item in account.expected.items.iter().filter(|item| item.fate == Fate::Kept) {
            balance[item.role as usize][item.number] -= 1;
        }
        for output in &account.outputs {
            if let Some(role) = output.role {
                balance[role as usize][output.number] += 1;
            }
        }
        let mut comparable = Self { account, balance };
        comparable.leave_free();
        comparable
    }

    /// Leaves out what attachments may say and need not, unless all of them do: which one a text is of, is a guess.
    fn leave_free(&mut self) {
        let account: &'e Account<'a> = self.account;
        let Expected { items, attachment_texts, .. } = &account.expected;
        let is_free = |place: &usize| attachment_texts[*place].stance == Stance::Free;
        let is_sent = |place: usize| account.outputs.iter().any(|output| output.attachment_text == Some(place));
        if !(0..attachment_texts.len()).filter(is_free).all(is_sent) {
            for item in items
                .iter()
                .filter(|item| item.fate == Fate::Kept && item.attachment_text.as_ref().is_some_and(is_free))
            {
                self.balance[item.role as usize][item.number] = -1;
            }
        }
    }

    fn is_even(&self, role: Role, number: usize) -> bool {
        self.balance[role as usize][number] == 0
    }

    /// Reports the first place in which the request has another block than these items in their order.
    fn report_difference(
        &self,
        mistake: &'static str,
        items: &[usize],
        is_asked: impl Fn(&Value) -> bool,
        report: &mut Report<'_>,
    ) {
        let mut outputs: Vec<&Output<'_>> = self.account.outputs.iter().collect();
        // Where in its reply a call is, is free.
        outputs.sort_by_key(|output| (output.turn, kind(&output.value) == "tool_use"));
        let outputs = outputs.into_iter().filter(|output| {
            let is_expected = matches!(output.is, OutputState::Expected(_));
            let is_even = output.role.is_some_and(|role| self.is_even(role, output.number));
            is_expected && is_even && is_asked(&output.value)
        });
        let items = items.iter().map(|&index| &self.account.expected.items[index]);
        let items = items.filter(|item| self.is_even(item.role, item.number));
        let differ = |(output, item): &(&Output<'_>, &Item<'_>)| {
            let is_same = output.number == item.number || output.value == item.value;
            !is_same || output.role != Some(item.role)
        };
        if let Some((output, item)) = outputs.zip(items).find(differ) {
            let [early, first] = [&output.value, &item.value].map(|value| in_words(value));
            let found = match &output.is {
                OutputState::Expected(of) => {
                    let message = self.account.expected.items[*of].message;
                    sentence!("{early} of message {message} stands before {first}", early, message, first = &first)
                }
                _ => sentence!("{early} stands before {first}", early, first = &first),
            };
            let expected = sentence!("first {first}, which is of message {message}", first, message = item.message);
            report.add(output.place(), mistake, found, expected);
        }
    }
}

pub(super) fn context(case: &ApiEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let context = case.options.context.as_deref().ok_or("no context is given")?;
    applies(!is_blank(context), "the context is blank")?;
    let account = case.account().ok_or(NO_REQUEST)?;
    if !account.expected.has_turns {
        if !case.request.as_ref().is_ok_and(|request| request.elements().is_empty()) {
            report.whole("needless-turn", "there is a turn though there is nothing to send", "no turns");
        }
        return Ok(());
    }
    let says = |value: &Value| text_of(value) == Some(context);
    match account.outputs.first() {
        Some(first) if first.turn == 0 && first.is_text(Role::User, Some(context)) => {}
        first => {
            let found = match first {
                Some(first) => sentence!("the request begins with {block}", block = in_words(&first.value)),
                None => "the request begins with no block at all".into(),
            };
            report.add(Place::block(0, Some(0)), "missing", found, "the context");
        }
    }
    let kept = account.expected.items.iter().filter(|item| item.fate == Fate::Kept && says(&item.value)).count();
    let found = account.outputs.iter().filter(|output| says(&output.value)).count();
    // What the user typed meanwhile may be sent as it is, or in a wrapper.
    let is_typed = |item: &&Item<'_>| {
        let text = item.attachment_text.map(|place| &account.expected.attachment_texts[place]);
        text.is_some_and(|text| text.is_own && text.said == [context])
    };
    let typed = account.expected.items.iter().filter(|item| item.fate == Fate::Kept).filter(is_typed).count();
    if !(kept + 1..=kept + 1 + typed).contains(&found) {
        let all = kept + 1;
        let expected = sentence!("{all} times: once as the context, {kept} times as said in messages", all, kept);
        report.whole("wrong-count", sentence!("the text of the context stands {found} times", found), expected);
    }
    Ok(())
}
