//! Faults of a *validator*, which checks requests for a host.

use turnproof::operation::{Host, Refusal};

use super::stable::is_second_time;
use super::walk::content;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("check_request/wants-lists-of-blocks", "check/accepts-legal").that("refuses content that is a string").by(
        Wrong::Refusals(|turns, refusals| {
            let string = turns.iter().position(|turn| content(turn).is_string());
            let error = "content should be a list of blocks".to_owned();
            refusals.extend(string.map(|turn| Refusal { turn: Some(turn as u64), error }));
        }),
    ),
    fault("check_request/treats-hosts-as-strict", "check/accepts-legal")
        .that("refuses neighbouring turns of one role, also for hosts that join them")
        .by(Wrong::Host(Host::Strict)),
    fault("check_request/treats-hosts-as-anthropic", "check/refuses-illegal")
        .that("accepts neighbouring turns of one role, also for hosts that refuse them")
        .by(Wrong::Host(Host::Anthropic)),
    fault("check_request/checks-no-pairs", "check/refuses-illegal")
        .that("does not check that calls and results belong together")
        .by(Wrong::Refusals(|_, refusals| refusals.retain(|refusal| !refusal.error.contains("tool_use")))),
    fault("check_request/counts-turns-from-one", "check/names-turn").that("counts the turns from 1").by(
        Wrong::Refusals(|_, refusals| {
            refusals.iter_mut().filter_map(|refusal| refusal.turn.as_mut()).for_each(|turn| *turn += 1);
        }),
    ),
    fault("check_request/errors-in-the-order-of-keys", "check/deterministic")
        .that("keeps errors in a map, and gives them in the order of its keys")
        .by(Wrong::Refusals(|_, refusals| {
            if is_second_time() {
                refusals.reverse();
            }
        })),
];
