//! Labels of *usage*: what the lines of replies tell of their tokens, and how the lines of one reply differ in it.

use std::collections::BTreeMap;

use crate::scenario::pool::{Extra, Flag};
use crate::scenario::record::clashes;
use crate::scenario::{AssistantForm, Damage, LineKind, LinePlan, MISTYPED_USAGE, Sort};

use super::{HOSTILE, Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

labels! { USAGES {
    SHUFFLED OFTEN
    "usage/several-lines" "a reply of several lines",
    "usage/grows" "a reply whose later line tells more output",
    "usage/shrinks" "a reply whose later line tells less output",
    "usage/unknown" "a reply with no number on any line",
    "usage/told-on-some-lines" "a reply that tells its usage on some lines alone",
    "usage/two-models" "replies of two models",
    "usage/two-sessions" "replies in two sessions",
    "usage/both-sorts" "replies of the conversation and of a subagent",
    "usage/reply-of-both-sorts" "a reply with lines in a sidechain and others",
    "usage/two-requests" "lines with one id of a reply, and with and without that of a request",
    "usage/without-an-id" "a reply without an id",
    SHUFFLED SELDOM
    "usage/synthetic" "usage of a message that no model wrote",
    "usage/cache-written" "tokens written to the cache",
    "usage/cache-read" "tokens read from the cache",
    "usage/in-part" "usage with some of the numbers",
    "usage/absent" "a line without usage",
    "usage/null" "usage that is null",
    "usage/nothing" "usage of nothing",
    "usage/odd-number" "numbers that count nothing: with a fraction, below 0, or too large",
    "usage/other-notation" "whole numbers with a point or an exponent",
    "usage/other-model" "a line of a second model",
    "usage/no-model" "a line that names no model",
    HOSTILE SELDOM
    "usage/mistyped" "usage with a text in place of a number",
} }

/// The lines of one reply: for each its place, its plan and whether it is in a sidechain.
type Reply<'a> = Vec<(usize, &'a LinePlan, bool)>;

impl Labels {
    /// The replies of the lines.
    pub(super) fn usages(&mut self, lines: &[LinePlan]) {
        let mut replies: BTreeMap<(u8, bool), Reply<'_>> = BTreeMap::new();
        for (at, line) in lines.iter().enumerate() {
            let LineKind::Assistant { form, .. } = line.kind else { continue };
            if line.damage.iter().any(|Damage { sort, number }| (*sort, *number) == (Sort::WrongType, MISTYPED_USAGE)) {
                put!(self, "usage/mistyped");
            }
            match form {
                AssistantForm::WithoutMessage => continue,
                AssistantForm::Synthetic => {
                    put!(self, "usage/synthetic", line.usage.tells());
                    continue;
                }
                _ => self.form(line.usage),
            }
            match form {
                AssistantForm::WithoutId | AssistantForm::EmptyId | AssistantForm::NullId => {
                    put!(self, "usage/without-an-id");
                }
                _ => replies.entry((line.reply, has(line, Extra::Request))).or_default().push((at, line, apart(line))),
            }
        }
        replies.values().for_each(|reply| self.usage(reply));
        self.usage_of_all(&replies);
    }

    fn usage(&mut self, reply: &Reply<'_>) {
        put!(self, "usage/several-lines", reply.len() > 1);
        let told = reply.iter().filter(|(_, line, _)| line.usage.tells()).count();
        put!(self, "usage/unknown", told == 0);
        put!(self, "usage/told-on-some-lines", told > 0 && told < reply.len());
        let outputs: Vec<usize> = reply.iter().filter_map(|(at, line, _)| line.usage.output(*at)).collect();
        put!(self, "usage/grows", outputs.windows(2).any(|two| two[0] < two[1]));
        put!(self, "usage/shrinks", outputs.windows(2).any(|two| two[0] > two[1]));
        let apart = reply.iter().filter(|(_, _, is_apart)| *is_apart).count();
        put!(self, "usage/reply-of-both-sorts", apart > 0 && apart < reply.len());
    }

    fn usage_of_all(&mut self, replies: &BTreeMap<(u8, bool), Reply<'_>>) {
        let heads: Vec<&LinePlan> = replies.values().filter_map(|reply| Some(reply.first()?.1)).collect();
        let differ = |of: fn(&LinePlan) -> String| heads.windows(2).any(|two| of(two[0]) != of(two[1]));
        put!(self, "usage/two-models", differ(|line| line.usage.model(AssistantForm::Usual)));
        put!(self, "usage/two-sessions", differ(|line| line.session.to_string()));
        let is_apart = |reply: &Reply<'_>| reply.iter().all(|(_, _, is_apart)| *is_apart);
        let apart = replies.values().filter(|reply| is_apart(reply)).count();
        put!(self, "usage/both-sorts", apart > 0 && apart < replies.len());
        let both = |(reply, _): &(u8, bool)| [true, false].map(|has| replies.contains_key(&(*reply, has)));
        put!(self, "usage/two-requests", replies.keys().any(|key| both(key) == [true; 2]));
    }
}

fn has(line: &LinePlan, extra: Extra) -> bool {
    line.extras.contains(&extra) && !clashes(line.kind, extra.what())
}

/// Whether a line is of a subagent or of a team.
fn apart(line: &LinePlan) -> bool {
    line.is(Flag::IsSidechain) || has(line, Extra::Agent)
}
