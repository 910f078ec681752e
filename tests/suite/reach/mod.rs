//! *Reach*: generated lists of messages hold everything that normalization treats specially, often enough.

mod agree;
mod blocks;
mod calls;
mod cases;
mod each_label;
mod labels;

use std::collections::BTreeMap;

use serde_json::Value;
use turnproof::message::Entry;
use turnproof::operation::Plain;
use turnproof::scenario::{Case, LineKind, LinePlan, Profile, Scenario, simpler};

/// How many plans are looked at.
const PLANS: u64 = 20_000;

/// What must occur, and in how many plans at least.
const REQUIRED: &[(&str, u32)] = &[
    ("attachment queued_command with a list", 60),
    // Attachments.
    ("attachment hook_success", 500),
    ("attachment without a type", 30),
    ("line without attachment", 30),
    ("attachment before the first stop", 500),
    ("attachment that moves", 500),
    // Hidden and internal lines.
    ("virtual line", 1000),
    ("transcript-only line", 1000),
    ("transcript-only summary", 500),
    ("summary that is virtual", 100),
    ("hook_result", 1000),
    ("hook_result of an event", 300),
    ("progress", 1000),
    ("progress of a hook", 300),
    ("tombstone", 1000),
    ("tombstone without an id", 100),
    ("tombstone that hits a line before it", 150),
    ("tombstone that comes before what it names", 20),
    ("tombstone that names a line that is no reply", 20),
    // Errors.
    ("synthetic error", 500),
    ("error flag alone", 300),
    ("synthetic model alone", 150),
    ("error that refuses images", 100),
    ("error that refuses documents", 200),
    ("error that refuses both", 100),
    ("error that refuses nothing", 100),
    ("refusal preceded by meta media", 150),
    ("refusal after other lines that are skipped", 50),
    ("two errors after one message", 20),
    // Commands.
    ("local command", 500),
    ("local command under the old name", 100),
    ("local command without text", 100),
    ("local command with blank text", 100),
    // Messages.
    ("message absent", 150),
    ("content absent", 200),
    ("content null", 150),
    ("content empty", 1000),
    ("string content", 1000),
    ("assistant string content", 1000),
    ("reply id absent or empty", 300),
    ("reply of several lines", 2000),
    ("reply with other lines inside", 500),
    ("paste ids", 500),
    ("paste ids, not as many as images", 500),
    ("several blocks", 2000),
    ("lone surrogate", 250),
    // Calls and results.
    ("call repeated", 1000),
    ("call answered", 2000),
    ("call unanswered", 2000),
    ("result late", 100),
    ("result before its call", 100),
    ("result twice", 300),
    ("result of no call", 1000),
    ("results in parallel", 150),
    ("results in another order", 200),
    ("hook before its call", 150),
    ("hook after its call", 300),
    ("illegal call id", 300),
    ("illegal call id that is answered", 50),
    ("empty call id", 30),
    ("call without id", 100),
    ("call without name", 150),
    ("input absent", 50),
    ("input null", 50),
    ("input no object", 150),
    ("result content empty list", 50),
    ("result content null", 50),
    ("result content blank", 60),
    ("result content image", 60),
    ("result without call id", 80),
    ("result is_error", 100),
    ("server call answered in its line", 300),
    ("server call with an unfit result", 60),
    ("mcp call", 200),
    ("mcp result", 200),
    ("server name web_search", 200),
    ("server call after a client call", 150),
    // Other odd blocks.
    ("text without text", 100),
    ("text blank", 300),
    ("text at the end with blank end", 30),
    ("thinking without signature", 200),
    ("thinking empty", 60),
    ("thinking absent", 60),
    ("thinking last", 350),
    ("redacted without data", 60),
    ("media without source", 50),
    ("block without a type", 200),
    ("block of an unknown type", 250),
    ("block with the client's members", 450),
    ("cache_control", 500),
    ("block that its role may not carry", 200),
    // Known fields of a wrong type.
    ("element that is no block", 50),
    ("result is_error of another type", 50),
    ("content of another type", 50),
    ("permission mode of another type", 50),
    ("usage of another type", 30),
    // Lists.
    ("no message", 100),
    ("first an assistant", 2000),
    ("last an assistant", 2000),
    ("interruption", 500),
    ("more than 12 lines", 150),
    ("ids that differ in 24 characters", 4000),
];

/// The types of attachment and the names of server tools of which each must occur in at least 60 plans.
const NAMED: [(&str, &str); 2] = [
    (
        "attachment",
        "queued_command file edited_text_file nested_memory compact_file_reference hook_additional_context \
         hook_blocking_error todo_reminder task_reminder skill_listing invoked_skills date_change \
         total_tokens_reminder silent_turn_reminder batching_reminder_sent read_truncation_notice \
         deferred_tools_delta agent_listing_delta mcp_instructions_delta task_status hook_non_blocking_error \
         command_permissions auto_mode attachment_of_tomorrow edited_image_file directory selected_lines_in_ide \
         diagnostics memory relevant_memories mcp_resource hook_stopped_continuation async_hook_response \
         hook_system_message hook_error_during_execution hook_permission_decision hook_cancelled max_turns_reached \
         skill_discovery dynamic_skill plan_mode plan_mode_exit agent_mention output_style critical_system_reminder \
         goal_status budget_usd ultra_effort_enter ultra_effort_exit environment model opened_file_in_ide",
    ),
    (
        "server name",
        "web_fetch code_execution bash_code_execution text_editor_code_execution advisor tool_search_tool_regex \
         tool_search_tool_bm25 tool_of_tomorrow",
    ),
];

/// The plans whose labels are counted.
fn plans() -> impl Iterator<Item = Scenario> {
    (0..PLANS).map(|case| small(2, case, Profile::Shuffled))
}

/// The plan of a case, with nothing large in it: what that adds is in no line of the plan.
pub fn small(seed: u64, case: u64, profile: Profile) -> Scenario {
    let mut plan = Scenario::from_seed(seed, case, profile);
    plan.lines.iter_mut().for_each(|line| line.large = None);
    plan
}

#[test]
fn everything_that_normalization_reacts_to_is_generated() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for plan in plans() {
        for label in labels::labels(&read(&plan)) {
            *counts.entry(label).or_default() += 1;
        }
    }
    for (label, count) in &counts {
        eprintln!("{count:6} {label}");
    }
    let named = NAMED.iter().flat_map(|(what, names)| names.split(' ').map(move |name| (format!("{what} {name}"), 60)));
    let required = REQUIRED.iter().map(|&(label, least)| (label.to_owned(), least)).chain(named);
    let rare: Vec<(String, u32, u32)> = required
        .map(|(label, least)| {
            let count = counts.get(&label).copied().unwrap_or(0);
            (label, least, count)
        })
        .filter(|(_, least, count)| count < least)
        .collect();
    assert!(rare.is_empty(), "too rare (label, required, found): {rare:#?}");
}

#[test]
fn every_event_line_of_a_shuffled_plan_is_a_message() {
    for (number, plan) in plans().enumerate() {
        let events = plan.lines.iter().filter(|line| is_event(line.kind)).count();
        let case = Case::of(&plan);
        let messages = case.messages();
        assert_eq!(messages.len(), events, "{plan:?}");
        // Reading all of them again would take long and find the same.
        for message in messages.iter().filter(|_| number % 10 == 0) {
            assert!(matches!(serde_json::from_str(message), Ok(Entry::Event(_))), "{message}");
        }
    }
}

#[test]
fn every_list_of_messages_is_json_for_common_readers_whatever_the_damage() {
    for case in 0..4_000 {
        read(&Scenario::from_seed(2, case, Profile::Hostile));
    }
}

#[test]
fn a_plan_is_about_as_long_as_a_page_shows() {
    let lengths: Vec<usize> = plans().map(|plan| plan.lines.len()).collect();
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
    assert!((3.0..12.0).contains(&mean), "{mean}");
    assert!(lengths.iter().all(|length| (1..=40).contains(length)));
    assert!(lengths.iter().filter(|length| **length > 24).count() < PLANS as usize / 20);
}

#[test]
fn the_smallest_steps_lead_every_line_to_the_plainest() {
    for case in 0..300 {
        // Each line alone: a step of a list looks at all its lines.
        let plan = small(3, case, Profile::Shuffled);
        let rest = Scenario { lines: Vec::new(), indexes: Vec::new(), makes: Vec::new(), flows: Vec::new(), ..plan };
        for line in plan.lines {
            let mut plan = Scenario { lines: vec![line], ..rest.clone() };
            let mut steps = 0;
            while let Some(step) = simpler(&plan).rfind(|step| step.lines.len() == 1) {
                plan = step;
                steps += 1;
                assert!(steps < 500, "{plan:?}");
            }
            assert_eq!(plan.lines, [LinePlan::default()]);
        }
    }
}

/// The messages of a plan as a value.
fn read(plan: &Scenario) -> Value {
    let json = format!("[{}]", Case::of(plan).messages().join(","));
    let plain = Plain::read(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    plain.into_value().into()
}

fn is_event(kind: LineKind) -> bool {
    !matches!(kind, LineKind::Side { .. } | LineKind::Unknown | LineKind::Untyped { .. })
}
