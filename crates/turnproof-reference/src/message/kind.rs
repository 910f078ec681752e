//! The document of each *kind* of message: the members that are known.

use super::shape::Member;
use super::{
    Assistant, Attachment, GroupedToolUse, HookResult, Kind, Progress, StreamEvent, StreamRequestStart, System,
    Tombstone, ToolUseSummary, User,
};

/// The known members of a kind, beside the envelope's and `type`.
pub fn members_of_kind(kind: Kind) -> &'static [Member] {
    match kind {
        Kind::User => User::MEMBERS,
        Kind::Assistant => Assistant::MEMBERS,
        Kind::System => System::MEMBERS,
        Kind::Attachment => Attachment::MEMBERS,
        Kind::HookResult => HookResult::MEMBERS,
        Kind::Progress => Progress::MEMBERS,
        Kind::ToolUseSummary => ToolUseSummary::MEMBERS,
        Kind::Tombstone => Tombstone::MEMBERS,
        Kind::GroupedToolUse => GroupedToolUse::MEMBERS,
        Kind::StreamEvent => StreamEvent::MEMBERS,
        Kind::StreamRequestStart => StreamRequestStart::MEMBERS,
    }
}
