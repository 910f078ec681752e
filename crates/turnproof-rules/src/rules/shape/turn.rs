//! The shapes of *turns*, and of what belongs to them. `content` has a form of its own for each role.

use super::Form::{Anything, OneOf, OrNull, Untyped};
use super::{Shape, may, shape};

/// A turn of the user or the assistant. Role and content are judged apart, block by block.
pub(in crate::rules) static TURN: Shape = shape("", &[may("role", Anything), may("content", Anything)]);

/// A turn of the system, which may give directions.
pub(in crate::rules) static DIRECTION: Shape = shape(
    "",
    &[
        may("role", Anything),
        may("content", Anything),
        may("clear_at", OrNull(&OneOf(&["next_user_message", "never"]))),
        may("output_config", OrNull(&Untyped(&OUTPUT))),
    ],
);

static OUTPUT: Shape = shape("", &[may("effort", OrNull(&OneOf(&["low", "medium", "high", "xhigh", "max"])))]);
