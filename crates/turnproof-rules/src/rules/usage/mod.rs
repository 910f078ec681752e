//! Rules on *usage*: what replies cost is counted once for each reply, and each number under its session and its model.

mod model;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use self::model::{COUNTED, Reply, Tokens, sum, tokens};
use super::{Applies, Evidence, Report, RuleEntry, Sentence, applies, refusal};
use crate::operation::{Counted, UsageAnswer, UsageRow};

/// What the rules work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut {
    replies: OnceCell<Vec<Reply>>,
}

type UsageEvidence<'a> = Evidence<'a, Counted>;

impl UsageEvidence<'_> {
    /// The replies of the files.
    fn replies(&self) -> &[Reply] {
        self.worked_out.replies.get_or_init(|| model::replies(&self.files))
    }

    /// The rows of the answer, when all replies and all tokens are in them.
    fn complete_rows(&self) -> Result<&[UsageRow], &'static str> {
        let rows = self.answer.as_deref().map_err(|_| "there is no answer")?;
        applies(total(rows) == expected_total(self.replies()), "the totals are wrong")?;
        Ok(rows)
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("usage/once-per-reply", Usage(once_per_reply)),
    rule!("usage/cache-apart", Usage(cache_apart)),
    rule!("usage/by-model", Usage(by_model)),
    rule!("usage/by-session", Usage(by_session)),
    rule!("usage/sidechain-apart", Usage(sidechain_apart)),
    rule!("usage/unknown-said", Usage(unknown_said)),
    rule!("usage/copies-once", Usage(copies_once)),
    rule!("usage/deterministic", Usage(deterministic)),
];

/// How many replies there are, and their tokens of all sorts together.
type Total = (u64, u64);

fn total(rows: &[UsageRow]) -> Total {
    let replies = rows.iter().fold(0_u64, |sum, row| sum.saturating_add(row.replies));
    (replies, all(sum(rows.iter().map(tokens))))
}

fn expected_total(replies: &[Reply]) -> Total {
    (replies.len() as u64, all(sum(replies.iter().map(|reply| reply.tokens))))
}

/// Tokens of all sorts together.
fn all(tokens: Tokens) -> u64 {
    tokens.into_iter().fold(0, u64::saturating_add)
}

fn once_per_reply(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let replies = case.replies();
    match &case.answer {
        Err(why) => report.whole("refused", refusal(why), "a row for each session and model"),
        Ok(rows) if rows.is_empty() && !replies.is_empty() => {
            let expected = sentence!("rows of {count} replies", count = replies.len());
            report.whole("says-nothing", "it says nothing: no row", expected);
        }
        Ok(rows) if total(rows) != expected_total(replies) => {
            let (kind, found) = wrong_total(replies, total(rows));
            let (count, tokens_of_all) = expected_total(replies);
            let [found_sorts, sorts] = [sum(rows.iter().map(tokens)), sum(replies.iter().map(|reply| reply.tokens))];
            let mut others =
                COUNTED.iter().zip(found_sorts.into_iter().zip(sorts)).filter(|(_, (one, other))| one != other);
            match (others.next(), others.next()) {
                // The count is right, and one sort of tokens alone is not.
                (Some((sort, (found, expected))), None) if kind == "wrong-count" && total(rows).0 == count => {
                    let found = sentence!("{sort} is {found} in all", sort = *sort, found);
                    report.whole(kind, found, sentence!("{expected}, from the last line of each reply", expected));
                }
                _ => {
                    let expected = sentence!("{count} replies with {tokens_of_all} tokens", count, tokens_of_all);
                    report.whole(kind, found, expected);
                }
            }
        }
        Ok(rows) => {
            let mut seen = BTreeSet::new();
            let key = |row: &UsageRow| (row.session.clone(), row.model.clone(), row.sidechain);
            if let Some(row) = rows.iter().filter(|row| row.replies > 0).find(|row| !seen.insert(key(row))) {
                let [session, model] = [&row.session, &row.model].map(|name| name.as_deref().unwrap_or("none"));
                let found = sentence!("two rows of the session {session} and the model {model}", session, model);
                report.whole("row-twice", found, "one row for each session, model and sort of conversation");
            }
        }
    }
    applies(!replies.is_empty(), "there is no reply")
}

/// A wrong total: the kind, which says how it may have come about, and what is found.
fn wrong_total(replies: &[Reply], (count, tokens): Total) -> (&'static str, Sentence) {
    let of_lines = |pick: fn(&Reply) -> Tokens| all(sum(replies.iter().map(pick)));
    let of_each_line = of_lines(|reply| sum(reply.of_each_line.iter().copied()));
    let of_first_lines = of_lines(|reply| reply.of_each_line[0]);
    match tokens {
        _ if tokens == all(sum(replies.iter().map(|reply| reply.tokens))) => {}
        _ if tokens == of_each_line => {
            let found = sentence!("{count} replies with {tokens} tokens, as if each line were a reply", count, tokens);
            return ("each-line", found);
        }
        _ if tokens == of_first_lines => {
            let found = sentence!(
                "{count} replies with {tokens} tokens, as if the first line of a reply held its usage",
                count,
                tokens
            );
            return ("first-line", found);
        }
        _ => {}
    }
    ("wrong-count", sentence!("{count} replies with {tokens} tokens", count, tokens))
}

/// The kinds of wrong sums, in the order of [`COUNTED`].
const WRONG_SORTS: [&str; COUNTED.len()] = ["input", "output", "cache-creation", "cache-read"];

fn cache_apart(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let rows = case.complete_rows()?;
    let (found, expected) = (sum(rows.iter().map(tokens)), sum(case.replies().iter().map(|reply| reply.tokens)));
    for (((sort, kind), found), expected) in COUNTED.iter().zip(WRONG_SORTS).zip(found).zip(expected) {
        if found != expected {
            let found = sentence!("{sort} is {found} in all", sort = *sort, found);
            report.whole(kind, found, sentence!("{expected}", expected));
        }
    }
    applies(expected[2..].iter().any(|cached| *cached > 0), "no reply wrote or read the cache")
}

/// What rows or replies come to by what `key` takes of each: how many replies, and their tokens of all sorts.
fn parts<K: Ord>(each: impl Iterator<Item = (K, Total)>) -> BTreeMap<K, Total> {
    let mut parts: BTreeMap<K, Total> = BTreeMap::new();
    for (key, (replies, tokens)) in each.filter(|(_, total)| *total != (0, 0)) {
        let part = parts.entry(key).or_default();
        *part = (part.0.saturating_add(replies), part.1.saturating_add(tokens));
    }
    parts
}

/// Compares the rows with the replies by one thing that both have; `few` says that there are too few to distinguish.
fn by<'a, K: Ord + Debug>(
    case: &'a UsageEvidence<'_>,
    report: &mut Report<'_>,
    of_row: fn(&'a UsageRow) -> K,
    of_reply: fn(&'a Reply) -> K,
    few: &'static str,
) -> Applies {
    let rows = case.complete_rows()?;
    let found = parts(rows.iter().map(|row| (of_row(row), (row.replies, all(tokens(row))))));
    let expected = parts(case.replies().iter().map(|reply| (of_reply(reply), (1, all(reply.tokens)))));
    let in_words = |part: Option<&Total>| match part {
        Some(&(replies, tokens)) => sentence!("{replies} replies, {tokens} tokens", replies, tokens),
        None => "nothing".into(),
    };
    for key in found.keys().chain(expected.keys().filter(|key| !found.contains_key(key))) {
        let (found, expected) = (found.get(key), expected.get(key));
        if found != expected {
            let found = sentence!("for {key}: {found}", key = format!("{key:?}"), found = in_words(found));
            report.whole("wrong-count", found, in_words(expected));
        }
    }
    applies(expected.len() > 1, few)
}

fn by_model(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    by(case, report, |row| &row.model, |reply| &reply.model, "all replies are of one model")
}

fn by_session(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    by(case, report, |row| &row.session, |reply| &reply.session, "all replies are of one session")
}

fn sidechain_apart(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    by(case, report, |row| row.sidechain, |reply| reply.is_sidechain, "there are not replies of both sorts")
}

fn unknown_said(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let rows = case.complete_rows()?;
    let found = rows.iter().fold(0_u64, |sum, row| sum.saturating_add(row.unknown));
    let expected = case.replies().iter().filter(|reply| reply.is_unknown).count() as u64;
    if found != expected {
        let found = sentence!("{found} replies are said to be without usage", found);
        report.whole("wrong-count", found, sentence!("{expected}", expected));
    }
    applies(found > 0 || expected > 0, "each reply has usage")
}

fn copies_once(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let copied = case.with_copies.as_ref().ok_or("it was not asked about copies")?;
    applies(!case.replies().is_empty(), "there is no reply")?;
    applies(says_something(copied) || says_something(&case.answer), NO_ROWS)?;
    if sorted(copied) != sorted(&case.answer) {
        let (other, row) = first_changed(copied, &case.answer);
        let found = sentence!("with a copy before them: {other}", other);
        report.whole("changed", found, sentence!("{row}", row));
    }
    Ok(())
}

fn deterministic(case: &UsageEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("it was asked once")?;
    if sorted(again) != sorted(&case.answer) {
        report.whole("not-deterministic", "another answer for the same files", "the same answer");
    }
    applies(says_something(again) || says_something(&case.answer), NO_ROWS)?;
    applies(!case.replies().is_empty(), "there is no reply")
}

/// The first row that differs between two answers, in each of them.
fn first_changed(one: &UsageAnswer, other: &UsageAnswer) -> (String, String) {
    let rows = |answer: &UsageAnswer| match sorted(answer) {
        Ok(rows) => rows.iter().map(in_words).collect(),
        Err(why) => vec![format!("no answer: {why}")],
    };
    let (one, other): (Vec<String>, Vec<String>) = (rows(one), rows(other));
    let only = |rows: &[String], others: &[String]| rows.iter().find(|row| !others.contains(row)).cloned();
    let none = || "no other row".to_owned();
    (only(&one, &other).unwrap_or_else(none), only(&other, &one).unwrap_or_else(none))
}

/// A row as one line, without what is not there.
fn in_words(row: &UsageRow) -> String {
    let sidechain = if row.sidechain { ", sidechain" } else { "" };
    let [session, model] = [&row.session, &row.model].map(|name| name.as_deref().unwrap_or("none"));
    let tokens = all(tokens(row));
    format!("a row of session {session}, model {model}{sidechain}: {} replies, {tokens} tokens", row.replies)
}

const NO_ROWS: &str = "the subject gives no row";

fn says_something(answer: &UsageAnswer) -> bool {
    answer.as_ref().is_ok_and(|rows| !rows.is_empty())
}

/// The rows in one order, without those of no reply and without estimates.
fn sorted(answer: &UsageAnswer) -> Result<Vec<UsageRow>, &String> {
    let rows = answer.as_ref()?.iter().filter(|row| row.replies > 0);
    let mut rows: Vec<UsageRow> = rows.map(|row| UsageRow { estimated_output_tokens: None, ..row.clone() }).collect();
    rows.sort_by(|one, other| order(one).cmp(&order(other)));
    Ok(rows)
}

fn order(row: &UsageRow) -> impl Ord + '_ {
    (&row.session, &row.model, row.sidechain, tokens(row))
}
