//! The file only grows, by whole lines.

use std::slice::from_ref;

use turnproof_rules::operation::{RecordAnswer, RecordStep, Recorded};

use super::case::{Case, broken, line, user};

#[test]
fn a_torn_end_is_healed_and_kept() {
    let u1 = user("u1");
    let written = line(&u1, None);
    let case = Case::on("{\"type\":\"us").list(&[u1], "u1");
    case.clone().flush(&["\n".to_owned(), written.clone()]).holds(&["record/whole-lines", "record/append-only"]);
    case.clone().flush(&["\n\n".to_owned(), written.clone()]).breaks("record/whole-lines");
    case.flush(&[written]).breaks("record/whole-lines");
}

#[test]
fn another_writers_torn_line_is_healed_too() {
    let (u1, u2) = (user("u1"), user("u2"));
    let case = Case::default()
        .request(from_ref(&u1), "u1", &[line(&u1, None)])
        .other("{\"type\":\"custom-title\"}")
        .list(&[u1, u2.clone()], "u2");
    let written = line(&u2, Some("u1"));
    case.clone().flush(&["\n".to_owned(), written.clone()]).holds(&["record/whole-lines"]);
    case.flush(&[written]).breaks("record/whole-lines");
}

#[test]
fn each_line_ends_and_holds_one_record() {
    let (u1, u2) = (user("u1"), user("u2"));
    let (first, second) = (line(&u1, None), line(&u2, Some("u1")));
    let case = Case::default().list(&[u1, u2], "u2");
    case.clone().flush(&[first.clone(), second.clone()]).holds(&["record/whole-lines"]);
    case.clone().flush(&[first.clone(), second.trim_end().to_owned()]).breaks("record/whole-lines");
    case.clone().flush(&[first.trim_end().to_owned(), second.clone()]).breaks("record/whole-lines");
    case.clone().flush(&[first.clone(), "\0\0\0\n".to_owned(), second.clone()]).breaks("record/whole-lines");
    let blank = "\n".to_owned();
    case.clone().flush(&[first.clone(), blank.clone(), second.clone()]).breaks("record/whole-lines");
    case.clone().flush(&[blank.clone(), first.clone(), second.clone()]).breaks("record/whole-lines");
    case.clone().flush(&[first.clone(), second.clone(), blank]).breaks("record/whole-lines");
    case.flush(&[first, "[1]\n".to_owned(), second]).breaks("record/whole-lines");
}

/// A case whose steps end with these files.
fn files(before: &[u8], steps: Vec<RecordStep>, files: &[&[u8]]) -> Recorded {
    let answer = |file: &&[u8]| RecordAnswer::new(Ok(None), file.to_vec());
    let answers = Ok(files.iter().map(answer).collect());
    Recorded { before: before.into(), session: "s1".into(), steps, answers, again: None }
}

#[test]
fn what_is_there_is_not_changed() {
    let flush = || vec![RecordStep::Flush];
    assert_eq!(broken(&files(b"{}\nab", flush(), &[b"{}\nab"])), [""; 0]);
    // Cut off at a torn end, rewritten, emptied.
    for after in [&b"{}\n"[..], b"{}\nxb", b""] {
        assert_eq!(broken(&files(b"{}\nab", flush(), &[after])), ["record/append-only"]);
    }
}

#[test]
fn what_another_process_wrote_is_not_written_over() {
    let other = || vec![RecordStep::OtherWriter(b"{\"a\":1}\n".to_vec())];
    assert_eq!(broken(&files(b"{}\n", other(), &[b"{}\n{\"a\":1}\n"])), [""; 0]);
    assert_eq!(broken(&files(b"{}\n", other(), &[b"{}\n"])), ["record/append-only"]);
    assert_eq!(broken(&files(b"{}\n", other(), &[b"{}\n{\"b\":1}\n"])), ["record/append-only"]);
}

#[test]
fn a_missing_answer_is_reported_by_one_rule() {
    let mut case = files(b"", vec![RecordStep::Flush], &[]);
    assert_eq!(broken(&case), ["record/total"]);
    case.answers = Err("it crashed".into());
    assert_eq!(broken(&case), ["record/total"]);
}
