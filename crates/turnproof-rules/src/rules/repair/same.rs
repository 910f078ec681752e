//! The same file *again*: a repair does what it did the first time, but for the ids that it makes.

use super::RepairEvidence;
use crate::json;
use crate::json::Value;
use crate::operation::RepairedFile;
use crate::rules::alike::in_short;
use crate::rules::names::Names;
use crate::rules::{Applies, Report, refusal};

pub(super) fn deterministic(case: &RepairEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let repeated = case.repeated.as_ref().ok_or("it was asked once")?;
    let repaired = case.repaired()?;
    match repeated {
        Err(why) => report.whole("answered-once", refusal(why), "the same file as the first time"),
        Ok(repeated) if repeated == repaired => {}
        Ok(repeated) => compare(repaired, repeated, report),
    }
    Ok(())
}

fn compare(repaired: &RepairedFile, repeated: &RepairedFile, report: &mut Report<'_>) {
    let (first, second) = (lines(&repaired.bytes), lines(&repeated.bytes));
    let (names, other_names) = (Names::of(&first), Names::of(&second));
    let is_same = |(one, other): &(&Value, &Value)| names.is_same(one, other, &other_names);
    let same = first.iter().zip(&second).take_while(is_same).count();
    if same < first.len().max(second.len()) {
        let shown = |lines: &[Value], names: &Names<'_>| {
            lines.get(same).map_or_else(|| "nothing".to_owned(), |line| in_short(&names.rename(line)))
        };
        let second = shown(&second, &other_names);
        let found = sentence!("asked again, line {line} is {second}", line = same + 1, second);
        report.whole("other-file", found, sentence!("{first}", first = shown(&first, &names)));
    } else if said(repaired) != said(repeated) {
        let found = "asked again, it names other lines or other rules";
        report.whole("other-changes", found, "the same changes and removed pieces");
    }
}

/// The lines of a file: records where they can be read, else their text.
fn lines(file: &[u8]) -> Vec<Value> {
    let line = |line: &[u8]| json::value_of_slice(line).unwrap_or_else(|_| Value::from(String::from_utf8_lossy(line)));
    file.split(|&byte| byte == b'\n').map(line).collect()
}

/// The lines and rules of what was changed and removed, in one order.
fn said(repaired: &RepairedFile) -> [Option<Vec<(u64, &str)>>; 2] {
    let changes = repaired.changes.as_ref().map(|changes| changes.iter().map(|one| (one.line, one.rule.as_str())));
    let removed = repaired.removed.as_ref().map(|removed| removed.iter());
    let removed = removed.map(|removed| removed.map(|one| (one.line, one.rule.as_deref().unwrap_or_default())));
    [changes.map(sorted), removed.map(sorted)]
}

fn sorted<'r>(said: impl Iterator<Item = (u64, &'r str)>) -> Vec<(u64, &'r str)> {
    let mut said: Vec<_> = said.collect();
    said.sort_unstable();
    said
}
