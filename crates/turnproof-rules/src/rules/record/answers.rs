//! What a recorder's *answers* show without a second recorder: one for each step, a file that only grows, by whole
//! lines, and the same again when the steps are done again.

use crate::json;

use super::lines::{Region, limits};
use crate::operation::{RecordAnswer, RecordStep};
use crate::rules::names::Names;
use crate::rules::wire::model::Piece;
use crate::rules::{Applies, Place, RecordEvidence, Report, applies, refusal};

pub(super) fn total(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let answers = match &case.answers {
        Ok(answers) if answers.len() == case.steps.len() => answers,
        other => {
            let (answers, steps) = (other.as_ref().map_or(0, Vec::len), case.steps.len());
            let (kind, found) = match other {
                Ok(_) => ("wrong-count", sentence!("{answers} answers to {steps} steps", answers, steps)),
                Err(why) => ("refused", refusal(why)),
            };
            report.whole(kind, found, "an answer to each step");
            return Ok(());
        }
    };
    for (step, ((list, answer), is_limited)) in case.lists().iter().zip(answers).zip(limits(&case.steps)).enumerate() {
        // What becomes of a list that cannot be read is unspecified.
        let Ok(list) = list else { continue };
        match (answer.tip(), list.without_uuid) {
            (Ok(_), Some(index)) => {
                let found =
                    sentence!("step {step} is accepted, and message {index} of its list has no uuid", step, index);
                report.whole("accepted", found, "an error that names the message's place");
            }
            (Err(why), None) if !is_limited => {
                report.whole("step-refused", sentence!("step {step} is refused: {why}", step, why), "no error");
            }
            _ => {}
        }
    }
    applies(!case.steps.is_empty(), "there are no steps")
}

pub(super) fn append_only(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let Ok(answers) = &case.answers else { return Err("there are no answers") };
    let mut before: &[u8] = &case.before;
    for (step, ((does, answer), is_limited)) in case.steps.iter().zip(answers).zip(limits(&case.steps)).enumerate() {
        let same = match answer.file.starts_with(before) {
            true => before.len(),
            false => before.iter().zip(&answer.file).take_while(|(a, b)| a == b).count(),
        };
        let appended = answer.file.get(before.len()..).unwrap_or_default();
        if same < before.len() {
            let found = sentence!("step {step} changed the file from byte {byte} on", step, byte = same);
            report.add(Place::bytes(same, before.len()), "changed", found, "the bytes that were there");
        } else if let RecordStep::OtherWriter(bytes) = does
            && !is_limited
            && !bytes.is_empty()
            && !appended.windows(bytes.len()).any(|window| window == bytes)
        {
            let found = sentence!("the bytes that another process wrote in step {step} are not in the file", step);
            report.whole("missing", found, "the bytes in one piece");
        }
        before = &answer.file;
    }
    let is_touched = !case.before.is_empty() || answers.iter().any(|answer| !answer.file.is_empty());
    applies(is_touched, "the file is empty")
}

pub(super) fn whole_lines(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let regions = case.regions()?;
    regions.iter().for_each(|region| broken_lines(region, report));
    unended_lines(case, report);
    applies(!regions.is_empty(), "nothing is appended")
}

/// Reports a flush after which the recorder's own last line has no LF, though the disk takes everything again.
fn unended_lines(case: &RecordEvidence<'_>, report: &mut Report<'_>) {
    let Ok(answers) = &case.answers else { return };
    let (mut length, mut is_own, mut was_limited) = (case.before.len(), false, false);
    for (step, ((does, answer), is_limited)) in case.steps.iter().zip(answers).zip(limits(&case.steps)).enumerate() {
        if answer.file.len() != length {
            (length, is_own) = (answer.file.len(), !matches!(does, RecordStep::OtherWriter(_)));
        }
        // The next process does not know who tore the line.
        is_own &= *does != RecordStep::Restart;
        was_limited |= is_limited;
        let is_flushed = matches!(does, RecordStep::Flush | RecordStep::ListBeforeRequest(_)) && answer.tip().is_ok();
        // What is torn elsewhere is reported where it was appended.
        let is_open = answer.file.last().is_some_and(|&byte| byte != b'\n');
        if was_limited && !is_limited && is_flushed && is_own && is_open {
            let found = sentence!("after step {step}, a flush without an error, the last line has no LF", step);
            report.add(Place::bytes(length, length), "no-line-end", found, "a LF at the end of each line");
        }
    }
}

/// What is wrong with the lines that were appended at once.
fn broken_lines(region: &Region<'_>, report: &mut Report<'_>) {
    let mut add = |from: usize, to: usize, [kind, found, expected]: [&'static str; 3]| {
        let found = sentence!("{found} in step {step}", found, step = region.step);
        report.add(Place::bytes(region.start + from, region.start + to), kind, found, expected);
    };
    let is_torn = region.before.last().is_some_and(|&byte| byte != b'\n');
    if is_torn && region.bytes.first() != Some(&b'\n') {
        add(0, 0, ["glued", "a line is glued to the torn one before it", "a LF first"]);
    }
    let mut from = 0;
    let mut by_line = region.pieces.chunk_by(|piece, next| piece.line == next.line).peekable();
    for (number, line) in (1..).zip(region.bytes.split_inclusive(|&byte| byte == b'\n')) {
        let to = from + line.len();
        if line.last() != Some(&b'\n') {
            if !(region.is_limited && to == region.bytes.len()) {
                add(from, to, ["no-line-end", "a line has no LF", "a LF at the end of each line"]);
            }
        } else {
            let is_its = |pieces: &&[Piece]| pieces.first().is_some_and(|piece| piece.line == number);
            let pieces = by_line.next_if(is_its).unwrap_or_default();
            let ends_torn_line = is_torn && from == 0 && line == b"\n";
            let around = around_record(pieces, line, from).filter(|_| !ends_torn_line);
            around.into_iter().for_each(|wrong| add(from, to, wrong));
        }
        from = to;
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What is wrong with a line that begins at byte `from`, beside what is wrong in its record.
fn around_record(pieces: &[Piece], line: &[u8], from: usize) -> Option<[&'static str; 3]> {
    let one_record = "one record on each line";
    let (start, end) = match pieces {
        [] => return Some(["blank", "a line is blank", one_record]),
        [piece] if piece.is_record() => (piece.start as usize - from, piece.end as usize - from),
        _ => return Some(["not-one-record", "a line is not one record", one_record]),
    };
    let [before, after] = [line.get(..start), line.get(end..)].map(Option::unwrap_or_default);
    let is_marked = |blank: &[u8]| blank.windows(BYTE_ORDER_MARK.len()).any(|window| window == BYTE_ORDER_MARK);
    if is_marked(before) || is_marked(after) {
        return Some(["byte-order-mark", "a byte order mark is on a line", "the record and its LF alone"]);
    }
    after.ends_with(b"\r\n").then_some(["carriage-return", "a line ends with CR LF", "LF alone"])
}

pub(super) fn deterministic(case: &RecordEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let (first, second) = match (&case.answers, case.again.as_ref().ok_or("the subject was asked once")?) {
        (Err(_), Err(_)) => return Err("there are no answers"),
        (Ok(first), Ok(second)) => (first, second),
        _ => {
            report.whole("not-deterministic", "there are answers one time and none the other", "the same answers");
            return Ok(());
        }
    };
    applies(!case.steps.is_empty(), "there are no steps")?;
    // The words of errors are not compared.
    let is_same = |(one, other): &(&RecordAnswer, &RecordAnswer)| {
        one.tip().ok() == other.tip().ok() && different_line(&one.file, &other.file).is_none()
    };
    let step = first.iter().zip(second).take_while(is_same).count();
    match (first.get(step), second.get(step)) {
        (None, None) => {}
        (Some(one), Some(other)) => match different_line(&one.file, &other.file) {
            Some(place) => {
                let found = sentence!("asked again, the file is another one after step {step}", step);
                report.add(place, "other-file", found, "the same lines");
            }
            None => {
                let [tip, first] = [other.tip(), one.tip()].map(|tip| format!("{tip:?}"));
                let found = sentence!("asked again, the answer to step {step} is {tip}", step, tip);
                report.whole("other-answer", found, sentence!("{first}", first));
            }
        },
        _ => {
            let found = sentence!("asked again, there are {count} answers", count = second.len());
            report.whole("other-count", found, "as many as before");
        }
    }
    Ok(())
}

/// The first line of a file that differs in another file; times are not compared.
fn different_line(one: &[u8], other: &[u8]) -> Option<Place> {
    if one == other {
        return None;
    }
    let [ones, others] = [one, other].map(|file| file.split_inclusive(|&byte| byte == b'\n').collect::<Vec<_>>());
    let same = ones.iter().zip(&others).take_while(|(one, other)| is_same_line(one, other)).count();
    let start: usize = ones.iter().take(same).map(|line| line.len()).sum();
    let end = start + ones.get(same).map_or(0, |line| line.len());
    (same < ones.len().max(others.len())).then(|| Place::bytes(start, end))
}

fn is_same_line(one: &[u8], other: &[u8]) -> bool {
    let value = |line: &[u8]| json::value_of_slice(line).ok();
    one == other
        || match (value(one), value(other)) {
            (Some(one), Some(other)) => Names::default().is_same(&one, &other, &Names::default()),
            _ => false,
        }
}
