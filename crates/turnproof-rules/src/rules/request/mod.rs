//! Rules on *requests*: what the Messages API and its hosts accept, each with the error that it
//! predicts.
//!
//! One file holds a part of a family. A rule sees the request through [`view`], so that any JSON can
//! be judged; it goes over the request a fixed number of times, whatever is in it.

mod cache;
mod ending;
mod fields;
mod known;
mod media;
mod order;
mod pairing;
mod roles;
mod server_tools;
mod size;
mod structure;
mod system;
mod text;
mod thinking;
mod view;

use super::RuleEntry;

/// The rules of the families `api`, `pairing` and `thinking`.
pub(super) const RULES: &[&RuleEntry] = &[
    &structure::FIRST_USER,
    &structure::ALTERNATION,
    &structure::NON_EMPTY_CONTENT,
    &text::NO_EMPTY_TEXT,
    &text::NO_BLANK_TEXT,
    &text::NO_TRAILING_SPACE,
    &roles::BLOCKS_BY_ROLE,
    &fields::NO_INTERNAL_FIELDS,
    &fields::VALID_UNICODE,
    &fields::REQUIRED_FIELDS,
    &system::SYSTEM_TURNS,
    &media::MEDIA_LIMITS,
    &size::REQUEST_SIZE,
    &cache::CACHE_BREAKPOINTS,
    &ending::ENDS_WITH_USER,
    &known::KNOWN_BLOCKS,
    &pairing::RESULT_FOLLOWS_USE,
    &pairing::NO_ORPHAN_RESULT,
    &pairing::UNIQUE_USE_ID,
    &pairing::SINGLE_RESULT,
    &order::RESULTS_FIRST,
    &order::ID_FORM,
    &order::INPUT_OBJECT,
    &server_tools::SERVER_TOOLS,
    &thinking::NOT_LAST,
    &thinking::SIGNED,
    &thinking::LEADS_TOOL_USE,
];
