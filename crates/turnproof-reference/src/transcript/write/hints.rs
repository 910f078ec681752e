//! *Hints* are what a caller knows about one list of messages and the list does not say (SPEC.md section 3.2.8).

use crate::json::{Raw, Text};
use crate::message::Message;

/// What a caller says about the next list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordHints {
    /// The recorded message after which the list goes on (`startingParentUuidHint`): for a list that leaves out what is
    /// recorded. The hint is passed over if no such message is recorded.
    pub starting_parent: Option<Text>,
    /// The team whose agent says what is new in the list (`teamInfo`).
    pub team: Option<TeamInfo>,
}

/// An agent of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamInfo {
    /// The team's name, which lines carry as `teamName`.
    pub team_name: Text,
    /// The agent's name, which lines carry as `agentName`.
    pub agent_name: Text,
}

impl TeamInfo {
    /// Marks a message that names no team.
    pub(super) fn mark(&self, message: &mut Message) {
        let extra = message.extra_mut();
        if extra.get("teamName").is_none() && extra.get("agentName").is_none() {
            extra.set("teamName", Raw::from(self.team_name.as_str()));
            extra.set("agentName", Raw::from(self.agent_name.as_str()));
        }
    }
}
