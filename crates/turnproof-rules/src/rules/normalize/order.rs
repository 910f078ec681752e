//! *Order*: what is kept stands in the request as it stood in the messages.

use serde_json::Value;

use super::account::{Account, Output, Standing};
use super::block::{Role, in_words, kind};
use super::item::{Fate, Item};
use super::{NO_REQUEST, place};
use crate::rules::{ApiEvidence, Judge, RuleEntry, Verdict, Violation};

pub(super) const KEEPS_ORDER: RuleEntry = rule!("normalize/keeps-order", Error, Judge::NormalizeApi(keeps_order));

fn keeps_order(case: &ApiEvidence<'_>) -> Verdict {
    let Some(account) = case.account() else { return Verdict::NotApplicable(NO_REQUEST) };
    let expected = &account.expected;
    let results: Vec<usize> = expected.calls.iter().filter_map(|call| call.result).collect();
    if expected.order.len() < 2 && results.len() < 2 {
        return Verdict::NotApplicable("fewer than two blocks are kept");
    }
    let comparable = Comparable::of(account);
    let is_result = |value: &Value| kind(value) == "tool_result";
    let others = comparable.first_difference(&expected.order, |value| !is_result(value));
    let results = comparable.first_difference(&results, is_result);
    Verdict::from_violations([others, results].into_iter().flatten().collect())
}

/// The blocks of both sides whose order can be told: those that are there as often as expected.
struct Comparable<'e, 'a> {
    account: &'e Account<'a>,
    /// How often each role has a block in the request, less how often it is expected, by the block's
    /// number. Equal blocks cannot be told apart, so only an even balance says that each stands for one.
    balance: [Vec<i64>; 2],
}

impl<'e, 'a> Comparable<'e, 'a> {
    fn of(account: &'e Account<'a>) -> Self {
        let none = || vec![0; account.numbers];
        let mut balance = [none(), none()];
        for item in account.expected.items.iter().filter(|item| item.fate == Fate::Kept) {
            balance[item.role as usize][item.number] -= 1;
        }
        for output in &account.outputs {
            if let Some(role) = output.role {
                balance[role as usize][output.number] += 1;
            }
        }
        Self { account, balance }
    }

    fn is_even(&self, role: Role, number: usize) -> bool {
        self.balance[role as usize][number] == 0
    }

    /// The first place in which the request has another block than the given items in their order.
    fn first_difference(&self, items: &[usize], is_asked: impl Fn(&Value) -> bool) -> Option<Violation> {
        let outputs = self.account.outputs.iter().filter(|output| {
            let is_expected = matches!(output.is, Standing::Expected(_));
            let is_even = output.role.is_some_and(|role| self.is_even(role, output.number));
            is_expected && is_even && is_asked(&output.value)
        });
        let items = items.iter().map(|&index| &self.account.expected.items[index]);
        let items = items.filter(|item| self.is_even(item.role, item.number));
        let differ = |(output, item): &(&Output<'_>, &Item<'_>)| {
            let is_same = output.number == item.number || output.value == item.value;
            !is_same || output.role != Some(item.role)
        };
        let (output, item) = outputs.zip(items).find(differ)?;
        let found = format!("{} stands before {}", in_words(&output.value), in_words(&item.value));
        let expected = format!("first {}, which is of message {}", in_words(&item.value), item.message);
        Some(Violation::new(KEEPS_ORDER.id, place(output.turn, Some(output.block)), found, expected))
    }
}
