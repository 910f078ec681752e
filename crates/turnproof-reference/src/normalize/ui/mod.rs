//! From messages to what a *UI* shows: one message a block, each tool's story in one piece, runs of
//! calls folded into one line (SPEC.md section 7).
//!
//! Each function takes the list by value and moves what it can; what it knows nothing of passes through unchanged.

mod fold;
mod split;
mod story;

pub use fold::{READ_SEARCH_TOOLS, bridge_view, collapse_read_search, group_tool_uses, ungroup};
pub use split::{normalize_for_ui, part_uuid};
pub use story::reorder_for_ui;
