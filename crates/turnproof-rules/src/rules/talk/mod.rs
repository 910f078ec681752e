//! Rules on a *talk* with a server: what it said comes back as it was said, and a program copes with how it ended.
//!
//! A rule sees a moment of it: a request beside all that was before, or the end. Places are those of the request.

mod broken;
mod calls;
mod manner;
mod said;

use crate::operation::history::Piece;

use super::{Place, RuleEntry};

/// The family `talk`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("talk/changed", Talk(said::changed)),
    rule!("talk/lost", Talk(said::lost)),
    rule!("talk/thinking-kept", Talk(said::thinking_kept)),
    rule!("talk/invented", Talk(said::invented)),
    rule!("talk/order", Talk(said::order)),
    rule!("talk/split", Talk(said::split)),
    rule!("talk/result", Talk(calls::result)),
    rule!("talk/is-error", Talk(calls::is_error)),
    rule!("talk/cut-call", Talk(broken::cut_call)),
    rule!("talk/retry-joined", Talk(broken::retry_joined)),
    rule!("talk/half", Talk(broken::half)),
    rule!("talk/empty-reply", Talk(broken::empty_reply)),
    rule!("talk/window", Talk(manner::window)),
    rule!("talk/retries", Talk(manner::retries)),
    rule!("talk/ends", Talk(manner::ends)),
];

/// Where a piece is.
fn place(piece: &Piece<'_>) -> Place {
    Place::block(piece.turn, piece.block)
}

/// Where the first of some pieces is, or the whole.
fn place_of(pieces: &[Piece<'_>]) -> Place {
    pieces.first().map_or(Place::Whole, place)
}
