//! Files that are cut at any byte, and sessions that go on from there.

use crate::families::judge;
use turnproof_rules::operation::{Continued, Conversation, ConversationRecord, ResumeAnswer, Resumed};
use turnproof_rules::rules::Verdict;

use super::broken;
use super::notation::{case, conversation, file, model_answer, record};

const LINES: &str = "u1 -; a1 u1 m=m c=x; a2 a1 m=m c=y; u2 a2 r=y; u3 a1 r=x; a3 u3 m=n; s1 u3; \
                     u4 s1; a4 lost; b1 - keeps=u5,u4,a4; u5 b1; u6 u5";
const ORDER: &str = "b1 u5 u4 a4 u6";

/// Answers for a cut file.
type Reader<'a> = &'a dyn Fn(&[u8]) -> ResumeAnswer;

/// Continues with a cut file.
type Writer<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

/// A case in which a subject answers for the file cut at every byte.
fn cut_everywhere(file: &[u8], subject: impl Fn(&[u8]) -> ResumeAnswer) -> Resumed {
    Resumed {
        file: file.to_vec(),
        answer: model_answer(file),
        again: None,
        cuts: (0..=file.len()).map(|cut| (cut as u64, subject(&file[..cut]))).collect(),
        continued: Vec::new(),
        recorded: None,
    }
}

#[test]
fn a_right_answer_at_every_cut_breaks_nothing() {
    let file = file(LINES);
    let case = cut_everywhere(&file, model_answer);
    assert_eq!(case.answer, Ok(Some(conversation(&file, ORDER))));
    assert_eq!(broken(&case), [""; 0]);
    assert_eq!(judge("resume/crash-prefix", &case), Verdict::Holds);
}

#[test]
fn what_comes_back_of_cut_files_is_what_is_written_here() {
    let file = file(LINES);
    let cut = |count: usize| file.split_inclusive(|&byte| byte == b'\n').take(count).map(<[u8]>::len).sum();
    for (count, expected) in [
        (0, ""),
        (1, "u1"),
        (2, "u1 a1"),
        (3, "u1 a1 a2"),
        (4, "u1 a1 a2 u2"),
        (5, "u1 a1 a2 u2 u3"),
        (6, "u1 a1 a2 u2 u3 a3"),
        (7, "u1 a1 a2 u2 u3 a3 s1"),
        (8, "u1 a1 a2 u2 u3 a3 s1 u4"),
        (9, "u1 a1 a2 u2 u3 a3 s1 u4 a4"),
        // A boundary alone says nothing, so the branch before it continues.
        (10, "u1 a1 a2 u2 u3 a3 s1 u4 a4"),
        // The anchor is there.
        (11, "b1 u5 u4 a4"),
        (12, ORDER),
    ] {
        let mut right = case(&file, ORDER);
        let whole: usize = cut(count);
        let answer = (!expected.is_empty()).then(|| conversation(&file, expected));
        // With the line end, and without it: the line is whole, and counts.
        right.cuts = vec![(whole as u64, Ok(answer.clone())), (whole.saturating_sub(1) as u64, Ok(answer))];
        let verdict = judge("resume/crash-prefix", &right);
        assert_eq!(verdict, Verdict::Holds, "{count} lines");
    }
}

/// The whole lines of a cut file.
fn whole_lines(file: &[u8]) -> &[u8] {
    let end = file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    &file[..end]
}

fn without(answer: ResumeAnswer, at: impl Fn(usize) -> Option<usize>) -> ResumeAnswer {
    let mut conversation = answer?;
    if let Some(Conversation { records, .. }) = &mut conversation
        && let Some(at) = at(records.len())
    {
        records.remove(at);
    }
    Ok(conversation.filter(|conversation| !conversation.records.is_empty()))
}

#[test]
fn mistakes_at_a_cut_are_detected() {
    let file = file(LINES);
    let is_torn = |cut: &[u8]| cut != whole_lines(cut);
    let half = |cut: &[u8]| cut[whole_lines(cut).len()..].to_vec();
    let mistakes: [(&str, Reader); 10] = [
        ("a blank session", &|cut| if is_torn(cut) { Ok(None) } else { model_answer(cut) }),
        ("an error", &|cut| if is_torn(cut) { Err("Unexpected end".into()) } else { model_answer(cut) }),
        ("the last whole line is dropped too", &|cut| {
            let lines = whole_lines(cut);
            model_answer(whole_lines(&lines[..lines.len().saturating_sub(1)]))
        }),
        ("a last line that only lacks its line end is dropped", &|cut| model_answer(whole_lines(cut))),
        ("half a line is completed", &|cut| {
            let completed = [cut, b"\"}"].concat();
            model_answer(if is_torn(cut) { &completed } else { cut })
        }),
        ("half a line comes back", &|cut| {
            let mut answer = model_answer(cut)?;
            if let (true, Some(conversation)) = (is_torn(cut), &mut answer) {
                conversation.records.push(ConversationRecord { uuid: "u9".into(), bytes: half(cut) });
            }
            Ok(answer)
        }),
        ("a message without the first one", &|cut| without(model_answer(cut), |length| (length > 1).then_some(0))),
        ("a message without the one before it", &|cut| without(model_answer(cut), |length| length.checked_sub(2))),
        ("the last message is missing", &|cut| without(model_answer(cut), |length| length.checked_sub(1))),
        ("the order is another one", &|cut| {
            let mut answer = model_answer(cut)?;
            answer.iter_mut().for_each(|conversation| conversation.records.reverse());
            Ok(answer)
        }),
    ];
    for (name, subject) in mistakes {
        assert_eq!(broken(&cut_everywhere(&file, subject)), ["resume/crash-prefix"], "{name}");
    }
}

#[test]
fn each_violation_at_a_cut_says_what_is_wrong_there() {
    let file = file("u1 -; a1 u1; u2 a1; p1 u2; a9 u2");
    let cut = file.len() as u64 - 5;
    for (answer, reported) in [
        ("u1 u2", "`u2` comes back without `a1`, which it comes after"),
        ("u1 a1", "`u2`, which is whole on line 3, does not come back"),
        ("u1 a1 u2 p1", "`p1` comes back"),
        ("u1 a1 u2 a9", "`a9` comes back, which is no whole record before the cut"),
        ("a1 u1 u2", "the records come back in another order or number"),
        ("", "there is no conversation"),
    ] {
        let mut case = case(&file, "u1 a1 u2 a9");
        case.cuts = vec![(cut, Ok((!answer.is_empty()).then(|| conversation(&file, answer))))];
        let Verdict::Broken(violations) = judge("resume/crash-prefix", &case) else {
            panic!("it holds for {answer}");
        };
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].found.to_string(), format!("cut after {cut} bytes, {reported}"));
    }
}

/// Continues after a cut as a right recorder does: a line end if the last line is torn, then each message
/// after the last one that came back.
fn record_after(cut: &[u8], added: &[&str]) -> Vec<u8> {
    let mut file = cut.to_vec();
    if !cut.is_empty() && !cut.ends_with(b"\n") {
        file.push(b'\n');
    }
    let mut parent = last_uuid(&model_answer(cut));
    for uuid in added {
        file.extend(format!("{}\n", record(&format!("{uuid} {parent}"))).into_bytes());
        parent = (*uuid).to_owned();
    }
    file
}

fn last_uuid(answer: &ResumeAnswer) -> String {
    let records = answer.iter().flatten().flat_map(|conversation| &conversation.records);
    records.last().map_or("-".to_owned(), |record| record.uuid.clone())
}

/// A case in which a session continues after every cut.
fn continued_everywhere(file: &[u8], recorder: impl Fn(&[u8]) -> Vec<u8>) -> Resumed {
    let continued = (0..=file.len()).map(|cut| {
        let after = recorder(&file[..cut]);
        Continued {
            cut: cut as u64,
            before: model_answer(&file[..cut]),
            added: vec!["u8".into(), "a8".into()],
            after: model_answer(&after),
            file: Ok(after),
        }
    });
    let continued = continued.collect();
    Resumed { continued, ..cut_everywhere(file, model_answer) }
}

#[test]
fn sessions_that_go_on_rightly_break_nothing() {
    let file = file(LINES);
    let case = continued_everywhere(&file, |cut| record_after(cut, &["u8", "a8"]));
    assert_eq!(broken(&case), [""; 0]);
    assert_eq!(judge("resume/then-continue", &case), Verdict::Holds);
}

#[test]
fn mistakes_in_going_on_are_detected() {
    let file = file(LINES);
    let line = |notation: &str| format!("{}\n", record(notation)).into_bytes();
    let mistakes: [(&str, Writer); 6] = [
        ("a new root", &|cut| {
            let end: &[u8] = if cut.ends_with(b"\n") { b"" } else { b"\n" };
            [cut, end, &line("u8 -"), &line("a8 u8")].concat()
        }),
        ("the torn line is cut off", &|cut| {
            let file = record_after(whole_lines(cut), &["u8", "a8"]);
            if cut.ends_with(b"}") { record_after(cut, &["u8", "a8"]) } else { file }
        }),
        ("the file is written again", &|cut| [b"\n", &record_after(cut, &["u8", "a8"])[..]].concat()),
        ("only the first message is written", &|cut| record_after(cut, &["u8"])),
        ("the messages are turned around", &|cut| record_after(cut, &["a8", "u8"])),
        ("the new messages hang on the first one", &|cut| {
            let end: &[u8] = if cut.ends_with(b"\n") { b"" } else { b"\n" };
            [cut, end, &line("u8 u1"), &line("a8 u8")].concat()
        }),
    ];
    for (name, recorder) in mistakes {
        assert_eq!(broken(&continued_everywhere(&file, recorder)), ["resume/then-continue"], "{name}");
    }
}

#[test]
fn a_line_that_is_glued_to_the_torn_one_and_lost_is_detected() {
    let lines = file(LINES);
    let cut = &lines[..lines.len() - 9];
    let healed = record_after(cut, &["u8", "a8"]);
    let glued = [cut, &healed[cut.len() + 1..]].concat();
    let mut continued = Continued {
        cut: cut.len() as u64,
        before: model_answer(cut),
        added: vec!["u8".into(), "a8".into()],
        // A right reader recovers it.
        after: model_answer(&glued),
        file: Ok(glued.clone()),
    };
    let mut case = case(&lines, ORDER);
    case.continued = vec![continued.clone()];
    assert_eq!(broken(&case), [""; 0]);
    let second = String::from_utf8_lossy(&glued).rfind("{\"parentUuid\"").unwrap();
    continued.after = model_answer(&[cut, b"\n", &glued[second..]].concat());
    case.continued = vec![continued];
    assert_eq!(broken(&case), ["resume/then-continue"]);
}

#[test]
fn what_has_no_answer_cannot_go_on() {
    let lines = file("u1 -");
    let right = Continued {
        cut: lines.len() as u64,
        before: model_answer(&lines),
        added: vec!["u8".into()],
        after: model_answer(&record_after(&lines, &["u8"])),
        file: Ok(record_after(&lines, &["u8"])),
    };
    let mut case = case(&lines, "u1");
    case.continued.push(right.clone());
    assert_eq!(broken(&case), [""; 0]);
    let no = || Err("no space left on device".to_owned());
    for wrong in [
        Continued { before: Err("no".into()), ..right.clone() },
        Continued { after: Err("no".into()), ..right.clone() },
        Continued { after: Ok(None), ..right.clone() },
        Continued { before: Ok(None), ..right.clone() },
        Continued { file: no(), ..right.clone() },
        Continued { added: Vec::new(), ..right.clone() },
        Continued { cut: u64::MAX, file: Ok(Vec::new()), ..right },
    ] {
        case.continued = vec![wrong];
        assert_eq!(broken(&case), ["resume/then-continue"]);
    }
}
