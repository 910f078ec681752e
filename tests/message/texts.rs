//! The protocol constants.

use super::*;

#[test]
fn the_synthetic_texts_are_the_two_interruptions_cancel_reject_and_no_response() {
    let five = [
        constants::INTERRUPTION,
        constants::INTERRUPTION_FOR_TOOL_USE,
        constants::CANCEL,
        constants::REJECT,
        constants::NO_RESPONSE_REQUESTED,
    ];
    assert_eq!(SYNTHETIC_TEXTS, five);
}

#[test]
fn denials_share_one_guidance() {
    let guidance = constants::GUIDANCE;
    assert!(guidance.starts_with(constants::GUIDANCE_BEGINNING));
    assert_eq!(constants::automatic_denial("Bash"), format!("Permission to use Bash has been denied. {guidance}"));
    assert_eq!(
        constants::dont_ask_denial("mcp__a__b"),
        format!(
            "Permission to use mcp__a__b has been denied because Claude Code is running in don't ask mode. \
             {guidance}"
        )
    );
    let middle = "it deletes. If you have other tasks that don't depend on this action, continue working on \
                  those. ";
    assert_eq!(
        constants::classifier_denial("it deletes"),
        format!("{}{middle}{guidance} {}", constants::CLASSIFIER_DENIAL_PREFIX, constants::CLASSIFIER_DENIAL_HINT)
    );
}

#[test]
fn both_forms_of_no_content_are_recognised_and_nothing_else() {
    assert!(constants::is_no_content("(no content)") && constants::is_no_content("[no content]"));
    assert!(!constants::is_no_content("") && !constants::is_no_content("(no content) "));
}

#[test]
fn the_usage_of_a_synthetic_message_is_the_whole_object_of_the_api() {
    let expected = concat!(
        r#"{"input_tokens":0,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"#,
        r#""server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":null,"#,
        r#""cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0},"#,
        r#""inference_geo":null,"iterations":null,"speed":null}"#
    );
    assert_eq!(document(Usage::synthetic().write().get()), document(expected));
}
