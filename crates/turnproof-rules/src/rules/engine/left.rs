//! What is *left*: the file at the end, as whoever resumes it next finds it.

use crate::json::Value;
use crate::operation::{Moment, Plain, Played};
use crate::rules::resume::right_resume;
use crate::rules::{Place, PlayEvidence};

/// What would happen next: the process is gone, and its file is resumed as it should be.
pub(super) fn left(played: &Played) -> [Moment; 2] {
    let file = &played.transcript;
    let (records, order) = right_resume(file);
    let back = order.iter().filter_map(|&index| file.get(records.get(index)?.range.clone()));
    let back: Vec<Value> = back.filter_map(|record| Some(Plain::read_bytes(record).ok()?.into_value())).collect();
    [Moment::Crashed { transcript: file.clone() }, Moment::Resumed(Value::from(back).into())]
}

impl PlayEvidence<'_> {
    /// The log with what would happen next behind it, each moment with its number.
    pub(super) fn with_what_is_left(&self) -> impl Iterator<Item = (usize, &Moment)> {
        let left = self.worked_out.left.get_or_init(|| left(self.given()));
        self.moments.iter().chain(left).enumerate()
    }

    /// Where a list of messages is in the log; nowhere, if it is what the file would give back at the end.
    pub(super) fn place_of_list(&self, moment: usize) -> Place {
        if moment < self.moments.len() { Place::message(moment) } else { Place::Whole }
    }
}
