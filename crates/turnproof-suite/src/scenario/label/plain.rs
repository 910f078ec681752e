//! Labels of *plain* dialogues: whether they are legal as they are, what goes wrong in them, and the forms of blocks.

use std::collections::BTreeSet;

use crate::scenario::TurnPlan;
use crate::scenario::plain::{
    CallShape, HAS_OWN_NUMBER, ODD_IDS, Paper, Picture, ResultShape, Run, Speaker, Thought, TurnBlock, Words,
    ends_blank, is_blank, is_in_order, is_legal, runs,
};

use super::{Group, Labels, OFTEN, PLAIN, SELDOM, group, labels};

labels! { DIALOGUES, fn spoken(it: &Dialogue<'_>) match it.turns => {
    PLAIN OFTEN
    "plain/legal" "messages that are a legal request as they are, once neighbours of one role are joined"
        if is_legal(it.turns),
    "plain/legal-with-calls" "the same, with calls and results" if is_legal(it.turns) && it.is_any(|block| block.call().is_some()),
    "plain/string-content" "a message whose content is a string" if it.turns.iter().any(|turn| turn.only_text().is_some()),
    "plain/two-prompts" "two prompts in a row" if it.is_pair(|one, next| one.is_prompt() && next.is_prompt()),
    "plain/two-replies" "two messages of the assistant in a row"
        if it.is_pair(|one, next| one.role == Speaker::Assistant && next.role == Speaker::Assistant),
    "plain/assistant-first" "the assistant speaks first" if it.turns.first().is_some_and(|first| first.role == Speaker::Assistant),
    "plain/assistant-last" "the assistant speaks last" if it.turns.last().is_some_and(|last| last.role == Speaker::Assistant),
    "plain/ends-blank" "a reply at the end that ends with white space" if it.ends_blank(),
    "plain/parallel-calls" "several calls at once" if it.runs.iter().any(|run| run.calls().len() > 1),
    "plain/results-in-messages" "parallel results in a message each" if it.is_apart(),
    "plain/results-in-another-order" "results in another order than their calls" if !is_in_order(it.turns),
    "plain/text-after-results" "a text behind results, in their message"
        if it.is_beside(|one, next| one.result().is_some() && next.text().is_some()),
    "plain/text-before-results" "a text in front of results"
        if it.runs.iter().any(|run| run.blocks.windows(2).any(|two| two[0].text().is_some() && two[1].result().is_some())),
    "plain/interrupted" "a reply whose calls all have no result after it" if it.unanswered(|open, calls| open == calls),
    "plain/one-result-missing" "a reply of which some calls have a result, and others have none"
        if it.unanswered(|open, calls| open < calls),
    "plain/result-late" "a result that comes after another reply" if it.is_late(),
    "plain/result-twice" "two results of one call in a turn" if it.runs.iter().any(|run| is_repeated(&run.results())),
    "plain/result-without-call" "a result whose call is nowhere before it" if it.is_orphan(),
    "plain/id-twice-in-a-reply" "an id that a reply has twice" if it.runs.iter().any(|run| is_repeated(&run.calls())),
    "plain/id-twice" "an id that two replies have" if it.is_reused(),
    "plain/id-legal-and-odd" "an id of another vendor that the API takes" if it.is_id(|odd| ODD_IDS[odd].1),
    "plain/id-of-more-than-64" "an id of more than 64 characters" if it.is_id(|odd| ODD_IDS[odd].0.len() > 64),
    "plain/id-illegal" "an id with characters that the API refuses"
        if it.is_id(|odd| !ODD_IDS[odd].1 && !ODD_IDS[odd].0.is_empty()),
    "plain/id-empty" "an empty id" if it.is_id(|odd| ODD_IDS[odd].0.is_empty()),
    "plain/blank-text" "a blank text" if it.is_any(|block| block.text().is_some_and(is_blank)),
    "plain/blank-beside-a-call" "a blank text beside a call"
        if it.is_beside(|one, next| one.text().is_some_and(is_blank) && next.call().is_some()
            || one.call().is_some() && next.text().is_some_and(is_blank)),
    "plain/message-empty" "a message without blocks" if it.turns.iter().any(|turn| turn.blocks.is_empty()),
    "plain/thinking-before-a-call" "thinking, and a call behind it"
        if it.is_beside(|one, next| one.is_thinking() && next.call().is_some()),
    "plain/thinking-between" "thinking behind another block, with more behind it"
        if it.turns.iter().any(|turn| turn.blocks.windows(3).any(|three| three[1].is_thinking())),
    "plain/thinking-last" "thinking at the end of a reply" if it.runs.iter().any(|run| run.blocks.last().is_some_and(|last| last.is_thinking())),
    "plain/thinking-alone" "a message of thinking alone"
        if it.turns.iter().any(|turn| !turn.blocks.is_empty() && turn.blocks.iter().all(|block| block.is_thinking())),
    "plain/cut-call" "a call whose arguments were cut off" if it.is_any(|block| matches!(block, TurnBlock::Call { form: CallShape::Cut, .. })),
} }

/// The labels of the forms of blocks.
pub(super) const FORMS: &[Group] = &[
    group(PLAIN, SELDOM, Words::LABELS),
    group(PLAIN, SELDOM, CallShape::LABELS),
    group(PLAIN, SELDOM, ResultShape::LABELS),
    group(PLAIN, SELDOM, Thought::LABELS),
    group(PLAIN, SELDOM, Picture::LABELS),
    group(PLAIN, SELDOM, Paper::LABELS),
];

impl Labels {
    pub(super) fn dialogue(&mut self, turns: &[TurnPlan]) {
        self.spoken(&Dialogue { turns, runs: runs(turns) });
        for block in turns.iter().flat_map(|turn| &turn.blocks) {
            self.put(block.label());
        }
    }
}

/// The messages of a dialogue, and its runs of one role.
struct Dialogue<'a> {
    turns: &'a [TurnPlan],
    runs: Vec<Run>,
}

impl Dialogue<'_> {
    fn is_any(&self, is_meant: impl Fn(TurnBlock) -> bool) -> bool {
        self.turns.iter().flat_map(|turn| &turn.blocks).any(|block| is_meant(*block))
    }

    /// Whether this holds of two neighbouring messages.
    fn is_pair(&self, is_meant: impl Fn(&TurnPlan, &TurnPlan) -> bool) -> bool {
        self.turns.windows(2).any(|two| is_meant(&two[0], &two[1]))
    }

    /// Whether this holds of two neighbouring blocks of a message.
    fn is_beside(&self, is_meant: impl Fn(TurnBlock, TurnBlock) -> bool) -> bool {
        self.turns.iter().any(|turn| turn.blocks.windows(2).any(|two| is_meant(two[0], two[1])))
    }

    /// Whether this holds of an odd id.
    fn is_id(&self, is_meant: impl Fn(usize) -> bool) -> bool {
        let odd = |block: TurnBlock| block.call().or(block.result()).and_then(|id| id.checked_sub(HAS_OWN_NUMBER));
        self.is_any(|block| odd(block).is_some_and(|odd| is_meant(usize::from(odd) % ODD_IDS.len())))
    }

    fn ends_blank(&self) -> bool {
        self.runs.last().is_some_and(|run| run.role == Speaker::Assistant && ends_blank(run))
    }

    /// Whether results that follow one another stand in messages of their own.
    fn is_apart(&self) -> bool {
        let has_result = |turn: &TurnPlan| turn.blocks.iter().any(|block| block.result().is_some());
        self.is_pair(|one, next| has_result(one) && has_result(next))
    }

    /// Whether this holds of how many calls of a reply have no result in the next run, and how many calls it has; one at
    /// least has none.
    fn unanswered(&self, is_meant: fn(usize, usize) -> bool) -> bool {
        self.runs.iter().enumerate().any(|(at, run)| {
            let answered = self.runs.get(at + 1).map(Run::results).unwrap_or_default();
            let calls = run.calls();
            let open = calls.iter().filter(|call| !answered.contains(call)).count();
            open > 0 && is_meant(open, calls.len())
        })
    }

    /// The results that no call of the run before has, each with the place of its run.
    fn astray(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        self.runs.iter().enumerate().flat_map(|(at, run)| {
            let calls = at.checked_sub(1).map(|before| self.runs[before].calls()).unwrap_or_default();
            run.results().into_iter().filter(move |id| !calls.contains(id)).map(move |id| (at, id))
        })
    }

    fn is_called_before(&self, end: usize, id: u8) -> bool {
        self.runs[..end].iter().any(|run| run.calls().contains(&id))
    }

    fn is_late(&self) -> bool {
        self.astray().any(|(at, id)| self.is_called_before(at, id))
    }

    fn is_orphan(&self) -> bool {
        self.astray().any(|(at, id)| !self.is_called_before(at, id))
    }

    /// Whether two runs have calls of one id.
    fn is_reused(&self) -> bool {
        let of_run = |run: &Run| run.calls().into_iter().collect::<BTreeSet<u8>>();
        is_repeated(&self.runs.iter().flat_map(of_run).collect::<Vec<u8>>())
    }
}

/// Whether a number stands twice.
fn is_repeated(numbers: &[u8]) -> bool {
    let mut known = BTreeSet::new();
    !numbers.iter().all(|number| known.insert(number))
}
