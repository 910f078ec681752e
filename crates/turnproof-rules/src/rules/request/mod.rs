//! Rules on *requests*: what the Messages API and its hosts accept, each with the error that it predicts.
//!
//! A rule sees the request through [`view`], so that any JSON can be judged. It reads the request a fixed number of
//! times, whatever is in it.

mod body;
mod cache;
mod documents;
mod fields;
mod known;
mod limits;
mod pairing;
mod server_tools;
mod structure;
mod system;
mod text;
mod thinking;
mod view;

use super::RuleEntry;

/// The rules of the family `body`.
pub(super) const BODY: &[RuleEntry] = body::RULES;

/// The rules of the families `api`, `pairing` and `thinking`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("api/first-user", Structure(structure::first_user)),
    rule!("api/alternation", Structure(structure::alternation)),
    rule!("api/non-empty-content", Structure(structure::non_empty_content)),
    rule!("api/no-empty-text", Structure(text::no_empty_text)),
    rule!("api/no-blank-text", Structure(text::no_blank_text)),
    rule!("api/no-trailing-space", Structure(text::no_trailing_space)),
    rule!("api/blocks-by-role", Structure(structure::blocks_by_role)),
    rule!("api/no-internal-fields", Structure(fields::no_internal_fields)),
    rule!("api/valid-unicode", Structure(fields::valid_unicode)),
    rule!("api/required-fields", Structure(fields::required_fields)),
    rule!("api/known-members", Structure(fields::known_members)),
    rule!("api/system-turns", Structure(system::system_turns)),
    rule!("api/media-limits", Request(limits::media_limits)),
    rule!("api/request-size", Request(limits::request_size)),
    rule!("api/cache-breakpoints", Request(cache::cache_breakpoints)),
    rule!("api/ends-with-user", Request(structure::ends_with_user)),
    rule!("api/known-blocks", Request(known::known_blocks)),
    rule!("api/tool-references", Request(known::tool_references)),
    rule!("api/readable-documents", Request(documents::readable_documents)),
    rule!("api/document-with-text", Request(documents::document_with_text)),
    rule!("pairing/result-follows-use", Structure(pairing::result_follows_use)),
    rule!("pairing/no-orphan-result", Structure(pairing::no_orphan_result)),
    rule!("pairing/unique-use-id", Structure(pairing::unique_use_id)),
    rule!("pairing/single-result", Structure(pairing::single_result)),
    rule!("pairing/results-first", Structure(pairing::results_first)),
    rule!("pairing/id-form", Structure(pairing::id_form)),
    rule!("pairing/input-object", Structure(pairing::input_object)),
    rule!("pairing/calls-last", Request(pairing::calls_last)),
    rule!("pairing/server-tools", Structure(server_tools::server_tools)),
    rule!("thinking/not-last", Structure(thinking::not_last)),
    rule!("thinking/signed", Structure(thinking::signed)),
    rule!("thinking/whole-signature", Request(thinking::whole_signature)),
    rule!("thinking/leads-tool-use", Request(thinking::leads_tool_use)),
];
