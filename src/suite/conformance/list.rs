//! The *list* of the rules that judge subjects, by operation and family: the name of each test and the rule's id.
//! `tests/suite/conformance.rs` compares it with the catalogue.

/// Hands the rules of one operation to the macro `$then`, which gets the operation's name and its families.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_rules {
    (parse => $then:ident) => {
        $crate::$then! { parse wire "wire/*" {
            every_byte_accounted "wire/every-byte-accounted",
            lossless "wire/lossless",
            json_object "wire/json-object",
            one_record_per_line "wire/one-record-per-line",
            terminated "wire/terminated",
            no_nul "wire/no-nul",
            utf8 "wire/utf8",
            no_lone_surrogate "wire/no-lone-surrogate",
            unique_keys "wire/unique-keys",
            depth "wire/depth",
            typed_fields "wire/typed-fields",
            live_only_kind "wire/live-only-kind",
            deterministic "wire/deterministic",
        } }
    };
    (normalize_api => $then:ident) => {
        $crate::$then! { normalize_api api "api/*" {
            first_user "api/first-user",
            alternation "api/alternation",
            non_empty_content "api/non-empty-content",
            no_empty_text "api/no-empty-text",
            no_blank_text "api/no-blank-text",
            no_trailing_space "api/no-trailing-space",
            blocks_by_role "api/blocks-by-role",
            no_internal_fields "api/no-internal-fields",
            valid_unicode "api/valid-unicode",
            required_fields "api/required-fields",
            known_members "api/known-members",
            system_turns "api/system-turns",
        } pairing "pairing/*" {
            result_follows_use "pairing/result-follows-use",
            no_orphan_result "pairing/no-orphan-result",
            unique_use_id "pairing/unique-use-id",
            single_result "pairing/single-result",
            results_first "pairing/results-first",
            id_form "pairing/id-form",
            input_object "pairing/input-object",
            server_tools "pairing/server-tools",
        } thinking "thinking/*" {
            not_last "thinking/not-last",
            signed "thinking/signed",
            unmodified "thinking/unmodified",
        } normalize "normalize/*" {
            total "normalize/total",
            conserves "normalize/conserves",
            no_invention "normalize/no-invention",
            keeps_order "normalize/keeps-order",
            idempotent "normalize/idempotent",
            deterministic "normalize/deterministic",
            pure "normalize/pure",
            prefix_stable "normalize/prefix-stable",
            incremental "normalize/incremental",
            context "normalize/context",
            wraps_attachments "normalize/wraps-attachments",
        } }
    };
    (normalize_ui => $then:ident) => {
        $crate::$then! { normalize_ui ui "ui/*" {
            one_block "ui/one-block",
            conserves "ui/conserves",
            derived_after_split "ui/derived-after-split",
            paste_ids "ui/paste-ids",
            stable "ui/stable",
            prefix_stable "ui/prefix-stable",
            unique_ids "ui/unique-ids",
        } }
    };
    (reorder_ui => $then:ident) => {
        $crate::$then! { reorder_ui ui "ui/*" {
            permutation "ui/permutation",
            tool_story "ui/tool-story",
            others_in_order "ui/others-in-order",
            reorder_idempotent "ui/reorder-idempotent",
            reorder_deterministic "ui/reorder-deterministic",
        } }
    };
    (derive_uuid => $then:ident) => {
        $crate::$then! { derive_uuid id "id/*" {
            derived_form "id/derived-form",
            derived_deterministic "id/derived-deterministic",
            derived_injective "id/derived-injective",
        } }
    };
    (short_id => $then:ident) => {
        $crate::$then! { short_id id "id/*" {
            short_form "id/short-form",
        } }
    };
    (record => $then:ident) => {
        $crate::$then! { record record "record/*" {
            incremental "record/incremental",
            prefix_parent "record/prefix-parent",
            chain_links "record/chain-links",
            no_ephemeral "record/no-ephemeral",
            user_before_request "record/user-before-request",
            late_fields "record/late-fields",
            boundary_tail_first "record/boundary-tail-first",
            append_only "record/append-only",
            whole_lines "record/whole-lines",
            nothing_lost "record/nothing-lost",
            envelope "record/envelope",
            total "record/total",
            starting_parent "record/starting-parent",
            team "record/team",
            deterministic "record/deterministic",
        } }
    };
    (resume => $then:ident) => {
        $crate::$then! { resume resume "resume/*" {
            total "resume/total",
            complete "resume/complete",
            parallel_results "resume/parallel-results",
            no_delivered_reply_lost "resume/no-delivered-reply-lost",
            bridges_gap "resume/bridges-gap",
            old_progress "resume/old-progress",
            boundary "resume/boundary",
            withdrawn "resume/withdrawn",
            sidechain_apart "resume/sidechain-apart",
            crash_prefix "resume/crash-prefix",
            then_continue "resume/then-continue",
        } }
    };
    (accumulate => $then:ident) => {
        $crate::$then! { accumulate stream "stream/*" {
            accumulates "stream/accumulates",
            chunking_invariant "stream/chunking-invariant",
            one_message_per_block "stream/one-message-per-block",
            late_fields "stream/late-fields",
            total "stream/total",
            tombstones_exact "stream/tombstones-exact",
            no_withdrawn_survivor "stream/no-withdrawn-survivor",
            slots_stable "stream/slots-stable",
        } }
    };
    (play => $then:ident) => {
        $crate::$then! { play engine "engine/*" {
            every_use_answered "engine/every-use-answered",
            queue_order "engine/queue-order",
            summary_late "engine/summary-late",
            durable_before_request "engine/durable-before-request",
            request_of_live "engine/request-of-live",
            no_withdrawn_survivor "engine/no-withdrawn-survivor",
            no_compacted_survivor "engine/no-compacted-survivor",
            resume_complete "engine/resume-complete",
            sound_messages "engine/sound-messages",
            deterministic "engine/deterministic",
            interrupted_not_lost "engine/interrupted-not-lost",
            queue_recorded "engine/queue-recorded",
            error_kind "engine/error-kind",
            cleared_stays_cleared "engine/cleared-stays-cleared",
            log_of_inputs "engine/log-of-inputs",
            request_of_inputs "engine/request-of-inputs",
            request_when_due "engine/request-when-due",
            legal_request "engine/legal-request",
            request_holds_live "engine/request-holds-live",
            sound_lines "engine/sound-lines",
            sound_chain "engine/sound-chain",
            sound_calls "engine/sound-calls",
            tells_all "engine/tells-all",
            result_as_given "engine/result-as-given",
            result_source "engine/result-source",
            denial_words "engine/denial-words",
            meta_stays_meta "engine/meta-stays-meta",
            notice_whole "engine/notice-whole",
            error_of_no_model "engine/error-of-no-model",
            late_fields "engine/late-fields",
            file_as_yielded "engine/file-as-yielded",
            fork_renamed "engine/fork-renamed",
            virtual_stays_out "engine/virtual-stays-out",
            yields_in_order "engine/yields-in-order",
            attachment_as_given "engine/attachment-as-given",
            retries_end "engine/retries-end",
        } }
    };
    (check_request => $then:ident) => {
        $crate::$then! { check_request check "check/*" {
            accepts_legal "check/accepts-legal",
            refuses_illegal "check/refuses-illegal",
            names_turn "check/names-turn",
            deterministic "check/deterministic",
        } }
    };
    (make => $then:ident) => {
        $crate::$then! { make make "make/*" {
            total "make/total",
            content_not_empty "make/content-not-empty",
            texts "make/texts",
            shape "make/shape",
            identity "make/identity",
            usage "make/usage",
            placeholders "make/placeholders",
            predicates "make/predicates",
            deterministic "make/deterministic",
        } }
    };
    (usage => $then:ident) => {
        $crate::$then! { usage usage "usage/*" {
            once_per_reply "usage/once-per-reply",
            cache_apart "usage/cache-apart",
            by_model "usage/by-model",
            by_session "usage/by-session",
            sidechain_apart "usage/sidechain-apart",
            unknown_said "usage/unknown-said",
            copies_once "usage/copies-once",
            deterministic "usage/deterministic",
        } }
    };
    (fold => $then:ident) => {
        $crate::$then! { fold fold "fold/*" {
            nothing_lost "fold/nothing-lost",
            runs "fold/runs",
            in_order "fold/in-order",
            named "fold/named",
            inverse "fold/inverse",
            bridge_hides_meta "fold/bridge-hides-meta",
            bridge_conserves "fold/bridge-conserves",
            bridge_unfolds "fold/bridge-unfolds",
            deterministic "fold/deterministic",
        } }
    };
    ($other:ident => $then:ident) => {
        ::core::compile_error!(::core::concat!(
            "`",
            ::core::stringify!($other),
            "` is no operation of a subject; there are parse, normalize_api, normalize_ui, reorder_ui, \
             derive_uuid, short_id, record, resume, accumulate, play, check_request, make, usage and fold"
        ));
    };
}

/// What is done with all operations of subjects: `listed` makes the list, `expand` the tests of a subject that names no
/// operations.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_operations {
    (@ [$($operation:ident)+] listed) => {
        [$($crate::__conformance_rules!($operation => __conformance_listed)),+].concat()
    };
    (@ $operations:tt expand $subject:tt $calls:tt $rules:tt) => {
        $crate::__conformance! { expand $subject $operations $calls $rules }
    };
    ($($then:tt)+) => {
        $crate::__conformance_operations! {
            @ [
                parse normalize_api normalize_ui reorder_ui derive_uuid short_id record resume accumulate play
                check_request make usage fold
            ]
            $($then)+
        }
    };
}

/// The rules of one operation, as rows of the list.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_listed {
    ($operation:ident $($family:ident $glob:tt { $($test:ident $id:tt,)* })*) => {
        vec![$($($crate::suite::conformance::Listed {
            operation: ::core::stringify!($operation),
            test: ::core::concat!(::core::stringify!($family), "::", ::core::stringify!($test)),
            id: $id,
        },)*)*]
    };
}

/// One rule of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The operation that it judges.
    pub operation: &'static str,
    /// Its test: `family::name`.
    pub test: &'static str,
    /// The rule's id.
    pub id: &'static str,
}

/// Every rule that [`conformance!`](crate::conformance) expands to a test, operation by operation.
pub fn listed() -> Vec<Listed> {
    crate::__conformance_operations! { listed }
}
