//! A *context* is where a message's time and id come from: the only door through which the clock and chance come in.

use jiff::Timestamp;
use uuid::{Builder, Uuid};

/// The clock and the source of ids.
pub trait Context {
    /// The time now: RFC 3339, milliseconds, `Z`.
    fn now(&mut self) -> String;

    /// A fresh id: a UUID of version 4, in lower case.
    fn uuid(&mut self) -> String;
}

/// The system's clock, and random ids.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemContext;

impl Context for SystemContext {
    fn now(&mut self) -> String {
        rfc_3339(Timestamp::now())
    }

    fn uuid(&mut self) -> String {
        Uuid::new_v4().to_string()
    }
}

/// A clock that counts its calls, and ids that follow from a seed: the same calls always give the same answers.
///
/// ```
/// use turnproof_reference::message::{Context, FixedContext};
///
/// let mut context = FixedContext::new(7);
/// assert_eq!(context.now(), "2025-01-01T00:00:00.000Z");
/// assert_eq!(context.now(), "2025-01-01T00:00:00.001Z");
/// assert_eq!(context.uuid(), FixedContext::new(7).uuid());
/// assert_ne!(context.uuid(), FixedContext::new(7).uuid());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedContext {
    seed: u64,
    ids: u64,
    /// The time of the next call, in milliseconds since 1970.
    time: i64,
}

/// 2025-01-01T00:00:00Z, in milliseconds since 1970.
const START: i64 = 1_735_689_600_000;

impl FixedContext {
    /// A context whose clock starts with the year 2025 and moves on by a millisecond a call.
    pub fn new(seed: u64) -> Self {
        Self { seed, ids: 0, time: START }
    }
}

impl Default for FixedContext {
    fn default() -> Self {
        Self::new(0)
    }
}

impl Context for FixedContext {
    fn now(&mut self) -> String {
        let now = Timestamp::from_millisecond(self.time).unwrap_or(Timestamp::MAX);
        self.time += 1;
        rfc_3339(now)
    }

    fn uuid(&mut self) -> String {
        let uuid = counted_uuid(self.seed, self.ids);
        self.ids = self.ids.wrapping_add(1);
        uuid.to_string()
    }
}

fn rfc_3339(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A UUID of version 4 whose first twelve digits differ for each of 2^48 counts, so that ids that
/// are derived from two of them never meet.
fn counted_uuid(seed: u64, count: u64) -> Uuid {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    // An odd factor permutes the numbers below 2^48.
    let head = count.wrapping_mul(ODD).wrapping_add(mix(seed)) << 16;
    let tail = mix(seed ^ mix(count));
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&(head | tail >> 48).to_be_bytes());
    bytes[8..].copy_from_slice(&tail.wrapping_mul(ODD).to_be_bytes());
    Builder::from_random_bytes(bytes).into_uuid()
}

/// The finisher of splitmix64: each bit of the number moves all bits of the answer.
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}
