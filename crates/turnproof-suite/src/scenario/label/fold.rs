//! Labels of *folding*: groups that are in the list, and runs of calls that may become groups.

use crate::scenario::pool::CallForm;
use crate::scenario::{AssistantForm, BlockPlan, LineKind, LinePlan};

use super::line::blocks;
use super::{Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

labels! { FOLDS {
    SHUFFLED SELDOM
    "group/of-nothing" "a group that holds nothing",
    "group/of-a-call" "a group of a call that others made",
    "group/with-a-result" "a group with a result that others made",
    "group/with-meta" "a group with a message for the model alone",
    "group/of-a-group" "a group in a group",
    "group/with-a-stranger" "a group with something that is in no list",
    "group/with-no-message" "a group with something that is no message",
    SHUFFLED OFTEN
    "fold/calls-of-one-tool" "calls of one tool in one reply, one after the other",
    SHUFFLED SELDOM
    "fold/calls-of-two-replies" "calls of one tool in two replies, one after the other",
    "fold/calls-of-two-tools" "calls of two tools in one reply, one after the other",
    "fold/result-among-calls" "calls of one reply with a result between them",
    "fold/reads-in-a-row" "calls that only read or search, one after the other",
    "fold/line-among-calls" "calls of one reply with another line between them",
    "fold/hook-among-calls" "calls of one tool and one reply with what a hook gave between them",
    "fold/reads-beside-files" "calls that read the web or a notebook, one after the other",
} }

/// A call alone in its line.
struct Call {
    form: CallForm,
    /// The reply; `None` when the line names none.
    reply: Option<u8>,
}

fn call(line: &LinePlan) -> Option<Call> {
    let LineKind::Assistant { form: of_line, .. } = line.kind else { return None };
    let has_id = matches!(of_line, AssistantForm::Usual);
    match blocks(line) {
        [BlockPlan::ToolUse { form, .. }] if !tool(*form).is_empty() => {
            Some(Call { form: *form, reply: has_id.then_some(line.reply) })
        }
        _ => None,
    }
}

/// The tool that a form of a call names; empty when it lacks a name or an id.
fn tool(form: CallForm) -> &'static str {
    match form {
        CallForm::Read => "Read",
        CallForm::Mcp => "mcp__a__b",
        CallForm::PrivateInput => "Write",
        CallForm::Grep => "Grep",
        CallForm::Glob => "Glob",
        CallForm::Ls => "LS",
        CallForm::NotebookRead => "NotebookRead",
        CallForm::WebFetch => "WebFetch",
        CallForm::WebSearch => "WebSearch",
        CallForm::DashedName => "mcp__my-server__get",
        CallForm::NullId | CallForm::WithoutId | CallForm::NullName | CallForm::EmptyName | CallForm::WithoutName => "",
        _ => "Bash",
    }
}

impl Labels {
    /// Neighbours among the lines that are, or are not, folded together.
    pub(super) fn folds(&mut self, lines: &[LinePlan]) {
        for two in lines.windows(2) {
            let [Some(one), Some(other)] = [call(&two[0]), call(&two[1])] else { continue };
            let is_one_tool = tool(one.form) == tool(other.form);
            let is_one_reply = one.reply.is_some() && one.reply == other.reply;
            put!(self, "fold/calls-of-one-tool", is_one_tool && is_one_reply);
            put!(self, "fold/calls-of-two-replies", is_one_tool && !is_one_reply);
            put!(self, "fold/calls-of-two-tools", !is_one_tool && is_one_reply);
            let beside_files = |form| matches!(tool(form), "NotebookRead" | "WebFetch" | "WebSearch");
            let reads = |form| beside_files(form) || matches!(tool(form), "Read" | "Grep" | "Glob" | "LS");
            put!(self, "fold/reads-in-a-row", reads(one.form) && reads(other.form));
            put!(self, "fold/reads-beside-files", beside_files(one.form) && reads(other.form));
        }
        for three in lines.windows(3) {
            let [Some(one), Some(other)] = [call(&three[0]), call(&three[2])] else { continue };
            let is_one_run = one.reply.is_some() && one.reply == other.reply && tool(one.form) == tool(other.form);
            let is_result = matches!(blocks(&three[1]), [BlockPlan::ToolResult { .. }]);
            put!(self, "fold/result-among-calls", is_one_run && is_result);
            put!(self, "fold/line-among-calls", is_one_run && !is_result && call(&three[1]).is_none());
            let is_hook = matches!(three[1].kind, LineKind::HookResult { .. })
                || matches!(three[1].kind, LineKind::Attachment { form, .. } if form.has_call());
            put!(self, "fold/hook-among-calls", is_one_run && is_hook);
        }
    }
}
