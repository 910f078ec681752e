//! Blocks and turns beside their *shape*: what the Messages API lets an object have.
//!
//! [`turnproof_format::shapes`] is the table, whose types are the API's published ones. [`look`](look::look) compares a
//! value with a form, and [`fitted_block`] gives what of it the API takes.

mod fit;
mod look;

pub(super) use fit::{fitted_block, fitted_part};
pub(super) use look::{BAD_NAME, Flaw, MISSING, Path, Sort, flaw, look_at_members, missing, unknown_tag};
pub(super) use turnproof_format::shapes::{Holder, Shape, block, blocks, part_of_result, untyped};

use crate::operation::Host;

/// Whether a host has objects of this shape.
pub(super) fn has(host: Host, shape: &Shape) -> bool {
    shape.is_everywhere || host == Host::Anthropic
}
