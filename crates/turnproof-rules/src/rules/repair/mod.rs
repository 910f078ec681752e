//! Rules on *repairing*: a damaged file becomes one that every reader resumes whole, and nothing else is touched.
//!
//! What is wrong with a file is its [`condition`], found by the plain readers of other families. Where the bytes of the
//! damaged file went is found by the [`bytes`] alone.

mod added;
mod boundaries;
mod bytes;
mod chosen;
mod condition;
mod kept;
mod order;
mod records;
mod results;
mod same;
mod side;
mod untouched;

use std::cell::OnceCell;
use std::collections::HashSet;

use self::condition::{Condition, Finding};
use self::records::Records;
use super::{Applies, Evidence, Repair, Report, RuleEntry, applies, name_of, refusal};
use crate::operation::{Repaired, RepairedFile};
use crate::vocabulary::MISSING_TOOL_RESULT;

/// What the rules work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut {
    before: OnceCell<Condition>,
    after: OnceCell<Condition>,
}

type RepairEvidence<'a> = Evidence<'a, Repaired>;

impl RepairEvidence<'_> {
    /// What is wrong with the damaged file.
    fn before(&self) -> &Condition {
        self.worked_out.before.get_or_init(|| Condition::of(&self.file))
    }

    /// The repaired file.
    fn repaired(&self) -> Result<&RepairedFile, &'static str> {
        self.answer.as_ref().map_err(|_| "there is no repaired file; `repair/total` reports it")
    }

    /// The repaired file, and what is wrong with it.
    fn after(&self) -> Result<&Condition, &'static str> {
        let bytes = &self.repaired()?.bytes;
        Ok(if *bytes == self.file { self.before() } else { self.worked_out.after.get_or_init(|| Condition::of(bytes)) })
    }
}

pub(super) const RULES: &[RuleEntry] = &[
    rule!("repair/total", Repair(total)),
    rule!("repair/clean", Repair(clean)),
    rule!("repair/legal", Repair(legal)),
    rule!("repair/resumes", Repair(resumes)),
    rule!("repair/conserves", Repair(conserves)),
    rule!("repair/minimal", Repair(minimal)),
    rule!("repair/idempotent", Repair(idempotent)),
    rule!("repair/deterministic", Repair(same::deterministic)),
];

fn total(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.before().has_records, "no record can be read")?;
    if let Err(why) = &case.answer {
        report.whole("refused", refusal(why), "a repaired file: there are records in it");
    }
    Ok(())
}

fn clean(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let is_mended = |finding: &&Finding| finding.repair == Some(Repair::Must);
    for finding in case.after()?.findings.iter().filter(is_mended) {
        report.whole(name_of(finding.rule), finding.in_words(), "no error is left");
    }
    applies(case.before().findings.iter().any(|finding| is_mended(&finding)), "there was no error")
}

fn legal(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    for refused in &case.after()?.refusals {
        let expected = "a conversation that each host takes as it is stored";
        report.whole(name_of(refused.rule), refused.in_words(), expected);
    }
    applies(!case.before().refusals.is_empty(), "the conversation was legal as it was stored")
}

fn resumes(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (before, after) = (case.before(), case.after()?);
    let mut left = after.conversation.iter();
    let is_lost = |uuid: &&String| !left.any(|other| other == *uuid);
    if let Some(lost) = before.conversation.iter().find(is_lost) {
        let (kind, found) = match after.conversation.contains(lost) {
            true => ("wrong-order", sentence!("`{uuid}` comes back in another place", uuid = lost)),
            false => ("missing", sentence!("`{uuid}` does not come back any more", uuid = lost)),
        };
        let count = before.conversation.len();
        report.whole(kind, found, sentence!("all {count} messages that came back before, in order", count));
    }
    if let Some(line) = after.gaps_on_path.first() {
        let found = sentence!("the parent of the record in line {line} is lost", line);
        report.whole("gap", found, "a path that readers follow which do not bridge gaps");
    }
    applies(!before.conversation.is_empty(), "nothing came back before")
}

fn conserves(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let repaired = case.repaired()?;
    applies(repaired.bytes != case.file, "nothing was changed")?;
    let lost = match (&repaired.changes, &repaired.removed) {
        (Some(changes), Some(removed)) => bytes::lost(&case.file, &repaired.bytes, changes, removed),
        (_, removed) => bytes::lost_uuids(&case.file, &repaired.bytes, removed.as_deref().unwrap_or_default()),
    };
    for (kind, lost) in lost {
        report.whole(kind, lost, "it is in the repaired file, or is said to be removed or changed");
    }
    Ok(())
}

fn minimal(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (before, repaired) = (case.before(), case.repaired()?);
    let is_same = repaired.bytes == case.file;
    if before.is_healthy() {
        if !is_same {
            let change = bytes::first_difference(&case.file, &repaired.bytes);
            let keeps_all = bytes::lost_uuids(&case.file, &repaired.bytes, &[]).is_empty();
            let kind = if keeps_all { "needless" } else { "lost-record" };
            report.whole(kind, sentence!("nothing is wrong, and {change}", change), "the same bytes");
        }
        return Ok(());
    }
    let (damaged, records) = (records::records_of_one_meaning(&case.file), records::records(&repaired.bytes));
    let damaged = damaged.as_deref();
    let had_placeholder = holds(&case.file, MISSING_TOOL_RESULT);
    let mut found = added::wrong_placeholders(damaged, &records, had_placeholder);
    found.extend(side::lost_side_records(&case.file, &repaired.bytes));
    found.extend(side::lost_end(&case.file, &repaired.bytes));
    if let Some(damaged) = damaged {
        let (damaged, records) = (&Records::of(damaged), &Records::of(&records));
        let of_both = untouched::of_both(damaged, records);
        found.extend(kept::lost(damaged, records, &of_both));
        found.extend(untouched::touched(&of_both));
        found.extend(side::lost_sidechains(damaged, records));
        found.extend(results::wrong_results(damaged, records, [before, case.after()?], had_placeholder));
        found.extend(boundaries::wrong_boundaries(damaged, records));
        found.extend(order::wrong_order(damaged, records, [before, case.after()?]));
        found.extend(chosen::wrongly_chosen(damaged, records, [before, case.after()?]));
    }
    for (kind, found, expected) in found {
        report.whole(kind, found, expected);
    }
    let named = repaired.changes.as_ref().zip(repaired.removed.as_ref());
    let (changes, removed) = named.ok_or("it does not say what it changed and removed")?;
    let of_changes = changes.iter().map(|change| (change.line, Some(&change.rule)));
    let of_removed = removed.iter().map(|removed| (removed.line, removed.rule.as_ref()));
    let mut reported = HashSet::new();
    for (line, rule) in of_changes.chain(of_removed) {
        let Some(rule) = rule.filter(|rule| !before.asks(rule) && reported.insert(rule.as_str())) else { continue };
        let found = sentence!("line {line} is changed for {rule}, which nothing breaks", line, rule);
        report.whole("other-rule", found, "a rule that the file breaks");
    }
    for line in bytes::unnamed(&case.file, &repaired.bytes, changes, removed) {
        let found = sentence!("line {line} is changed, and nothing says so", line);
        report.whole("not-named", found, "the same line, or a change that is named");
    }
    applies(!is_same || changes.len() + removed.len() > 0, "nothing was changed")
}

fn holds(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|bytes| bytes == text.as_bytes())
}

fn idempotent(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let again = case.again.as_ref().ok_or("it was not asked to repair the repaired file")?;
    let repaired = case.repaired()?;
    match again {
        Err(why) => report.whole("refused", refusal(why), "the same file again"),
        Ok(again) if again.bytes != repaired.bytes => {
            let change = bytes::first_difference(&repaired.bytes, &again.bytes);
            let found = sentence!("a second repair changes the file: {change}", change);
            report.whole("changed", found, "the same file again");
        }
        Ok(_) => {}
    }
    Ok(())
}
