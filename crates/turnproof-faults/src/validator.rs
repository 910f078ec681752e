//! Faults of a *validator*, which checks requests for a host.

use turnproof::operation::{Host, Refusal};
use turnproof::subject::{Outcome, Reference, Subject};

use super::stable::is_second_time;
use super::walk::{content, list};
use super::{Fault, Wrong, fault};

/// The faults of `check_request`.
pub(super) const FAULTS: &[Fault] = &[
    fault("check_request/wants-lists-of-blocks", "check/accepts-legal").that("refuses content that is a string").by(
        Wrong::Check(|request, host| {
            let turns = list(request).unwrap_or_default();
            let string = turns.iter().position(|turn| content(turn).is_string());
            let error = "content should be a list of blocks".to_owned();
            changed(request, host, |refusals| {
                refusals.extend(string.map(|turn| Refusal { turn: Some(turn as u64), error }));
            })
        }),
    ),
    fault("check_request/treats-hosts-as-strict", "check/accepts-legal")
        .that("refuses neighbouring turns of one role, also for hosts that join them")
        .by(Wrong::Check(|request, _| Reference.check_request(request, Host::Strict))),
    fault("check_request/treats-hosts-as-anthropic", "check/refuses-illegal")
        .that("accepts neighbouring turns of one role, also for hosts that refuse them")
        .by(Wrong::Check(|request, _| Reference.check_request(request, Host::Anthropic))),
    fault("check_request/checks-no-pairs", "check/refuses-illegal")
        .that("does not check that calls and results belong together")
        .by(Wrong::Check(|request, host| {
            changed(request, host, |refusals| refusals.retain(|refusal| !refusal.error.contains("tool_use")))
        })),
    fault("check_request/counts-turns-from-one", "check/names-turn").that("counts the turns from 1").by(Wrong::Check(
        |request, host| {
            changed(request, host, |refusals| {
                refusals.iter_mut().filter_map(|refusal| refusal.turn.as_mut()).for_each(|turn| *turn += 1);
            })
        },
    )),
    fault("check_request/errors-in-the-order-of-keys", "check/deterministic")
        .that("keeps errors in a map, and gives them in the order of its keys")
        .by(Wrong::Check(|request, host| {
            changed(request, host, |refusals| {
                if is_second_time() {
                    refusals.reverse();
                }
            })
        })),
];

/// The reference's answer, changed.
fn changed(request: &str, host: Host, change: impl FnOnce(&mut Vec<Refusal>)) -> Outcome<Vec<Refusal>> {
    let mut outcome = Reference.check_request(request, host);
    if let Outcome::Output(refusals) = &mut outcome {
        change(refusals);
    }
    outcome
}
