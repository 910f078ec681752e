//! What *came back*: the lists of messages that resumes and forks gave, in the order of the log.

use std::collections::VecDeque;

use crate::json::Value;

use super::{Unknown, named};
use crate::operation::Moment;

/// What came back and was not yet used.
pub(super) struct Back<'a> {
    /// The lists, each with how many things had been typed before it.
    lists: VecDeque<(usize, &'a Moment)>,
    /// How many things were typed so far.
    pub(super) typed: usize,
}

impl<'a> Back<'a> {
    /// What came back in a log.
    pub(super) fn of(moments: &'a [Moment]) -> Self {
        let (mut lists, mut typed) = (VecDeque::new(), 0);
        for moment in moments {
            match moment {
                Moment::Typed { .. } => typed += 1,
                Moment::Resumed(_) | Moment::Forked(_) => lists.push_back((typed, moment)),
                _ => {}
            }
        }
        Self { lists, typed: 0 }
    }

    /// Whether nothing more came back.
    pub(super) fn is_used_up(&self) -> bool {
        self.lists.is_empty()
    }

    /// What the next resume gave; `None` when there is none.
    pub(super) fn resumed(&mut self) -> Option<&'a [Value]> {
        match self.lists.pop_front() {
            Some((_, Moment::Resumed(list))) => Some(list.elements()),
            _ => None,
        }
    }

    /// What the fork gave that is asked for now, with these inputs after it; `None` when it was refused. Of several
    /// forks without anything typed between them all have to be refused or none: the log does not say which.
    pub(super) fn forked(&mut self, later: &[Value]) -> Result<Option<&'a [Value]>, Unknown> {
        let is_now = |(typed, moment): &&(usize, &Moment)| *typed == self.typed && matches!(moment, Moment::Forked(_));
        let came = self.lists.iter().take_while(is_now).count();
        let ends = |name: &str| matches!(name, "type" | "resume");
        let until = later.iter().filter_map(|input| Some(named(input)?.0)).take_while(|name| !ends(name));
        let asked = 1 + until.filter(|name| *name == "fork").count();
        match self.lists.front() {
            Some((_, Moment::Forked(list))) if came >= asked => {
                self.lists.pop_front();
                Ok(Some(list.elements()))
            }
            _ if came == 0 => Ok(None),
            _ => Err(Unknown),
        }
    }
}
