//! Labels of *calls of factories*: what is odd about them. The factories themselves are named by their plan.

use crate::scenario::make::ABOUT_INTERRUPTIONS;
use crate::scenario::pool::PoolText;
use crate::scenario::{FactoryName, MakeContent, MakePlan};

use super::{ANY, Labels, OFTEN, SELDOM, labels};

labels! { MAKES, fn make_arguments(plan: &MakePlan) match (plan.text, plan.content) => {
    ANY OFTEN
    "make/needed-argument-missing" "a factory without an argument that it needs" if plan.lacks(),
    "make/empty-content" "a factory that is given nothing to say"
        if plan.speaks() && matches!(plan.content, MakeContent::Missing | MakeContent::Null | MakeContent::EmptyText | MakeContent::EmptyList),
    "make/blank-text" "a factory that is given white space alone" if plan.speaks() && BLANK.contains(&plan.text),
    "make/long-text" "a factory that is given ten thousand characters or more"
        if plan.speaks() && plan.content < MakeContent::Placeholder && plan.text == PoolText::Long,
    "make/unicode" "a factory that is given characters beyond ASCII" if UNICODE.contains(&plan.text),
    "make/synthetic-text" "a factory that is given a text of the protocol in a block"
        : (PoolText::Interruption | PoolText::InterruptionForToolUse | PoolText::Cancel | PoolText::Reject | PoolText::NoResponseRequested,
           MakeContent::TextBlock | MakeContent::TwoTexts),
    ANY SELDOM
    "make/interruption-typed" "a user message that says an interruption, and is none" if types_an_interruption(plan),
} }

const BLANK: [PoolText; 4] = [PoolText::Blank, PoolText::ByteOrderMark, PoolText::BlankControls, PoolText::BlankWide];

const UNICODE: [PoolText; 7] = [
    PoolText::LineSeparators,
    PoolText::RightToLeft,
    PoolText::Emoji,
    PoolText::EscapedPair,
    PoolText::HalfAPair,
    PoolText::JoinedEmoji,
    PoolText::Noncharacters,
];

/// Whether somebody typed the words of an interruption: as a string, or among others.
fn types_an_interruption(plan: &MakePlan) -> bool {
    let is_said = match plan.content {
        MakeContent::Text => ABOUT_INTERRUPTIONS.contains(&plan.text),
        MakeContent::TextBlock | MakeContent::TwoTexts => plan.text == PoolText::InterruptionMentioned,
        _ => false,
    };
    is_said && plan.factory == FactoryName::User
}

impl Labels {
    pub(super) fn make(&mut self, plan: &MakePlan) {
        self.make_arguments(plan);
        self.put(plan.factory.label());
        if plan.speaks() {
            self.put(plan.content.label());
        }
        self.put(plan.identity.label());
    }
}
