//! Rules on *replies*: what a host, a gateway or a mock server sends back, so that clients can read it.
//!
//! A rule sees the reply through its events, and through what they make together. A reply of another API breaks
//! `reply/framing`, and no other rule.

mod deltas;
mod framing;
mod ids;
mod input;
mod known;
mod order;
mod shape;
mod stop_reason;
mod usage;

use super::RuleEntry;

/// The family `reply`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("reply/framing", Reply(framing::framing)),
    rule!("reply/order", Reply(order::order)),
    rule!("reply/deltas-fit", Reply(deltas::deltas_fit)),
    rule!("reply/input", Reply(input::input)),
    rule!("reply/ids", Reply(ids::ids)),
    rule!("reply/usage", Reply(usage::usage)),
    rule!("reply/stop-reason", Reply(stop_reason::stop_reason)),
    rule!("reply/shape", Reply(shape::shape)),
    rule!("reply/id-form", Reply(ids::id_form)),
    rule!("reply/known", Reply(known::known)),
];
