//! Files, and what comes back from each: written by hand from the definition, step by step.

use turnproof_rules::rules::right_resume;

use super::notation::{case, file};
use super::{broken, held};

/// Records, and the uuids that come back.
const RIGHT: &[(&str, &str)] = &[
    // Where the conversation ends.
    ("u1 -", "u1"),
    ("u1 -; a1 u1; u2 a1", "u1 a1 u2"),
    ("s1 -", ""),
    ("x1 -; p1 x1; t1 p1", ""),
    ("u1 - side", ""),
    ("u1 - virtual", ""),
    ("u1 - meta", "u1"),
    ("a1 - withdraws=u9", "a1"),
    ("u1 -; s1 - retracts=u1", ""),
    ("u1 -; a1 u1; a2 u1", "u1 a2"),
    ("u1 -; a1 u1; u2 a1; u3 a1 meta", "u1 a1 u2"),
    ("u1 - meta; u2 - meta", "u2"),
    ("u1 -; s1 u1; s2 u1", "u1 s1 s2"),
    ("u1 -; s1 u1; p1 u1", "u1 s1"),
    ("u1 -; a1 u1 at=3; p1 u1 at=9", "u1 a1"),
    ("u1 -; u2 u1 meta; p1 u1", "u1 u2"),
    ("u1 a1; a1 lost", "u1 a1"),
    ("u1 a1; a1 lost meta", "a1 u1"),
    ("u2 u1; u1 -", "u1 u2"),
    ("a1 u1 at=2; u1 - at=1; a2 u1 at=0", "u1 a2"),
    ("u1 -; a1 u1; u2 -; u1 u2", "u2 u1 a1"),
    // Repeated uuids.
    ("u1 -; u1 - meta; a1 u1", "u1 a1"),
    ("u1 - side; u1 -; a1 u1", "u1 a1"),
    // Parents that were never written, or are no uuid.
    ("u1 -; a1 u1; u2 lost; a2 u2", "u1 a1 u2 a2"),
    ("u1 lost", "u1"),
    ("u1 !; a1 !; u2 #", "u1 a1 u2"),
    ("u1 - of=s; a1 u1 of=s; u9 - of=z; u2 lost of=s", "u1 a1 u2"),
    ("u1 -; p1 u1; u2 lost", "u1 u2"),
    ("u1 -; a1 u1 side; u2 a1", "u1 u2"),
    // Circles.
    ("u1 u1", "u1"),
    ("u1 a1; a1 u1", "u1 a1"),
    ("u0 -; u1 a1; a1 u1", "u0 u1 a1"),
    ("u0 -; p1 p2; p2 p1; u1 p2", "u0 u1"),
    ("a1 u1; u9 -; u1 lost; a2 a1", "u9 u1 a1 a2"),
    // Progress, unknown and virtual records.
    ("u1 -; p1 u1; a1 p1; x1 a1; u2 x1", "u1 a1 u2"),
    ("u1 -; u2 u1 virtual; a1 u2", "u1 a1"),
    ("u1 -; a1 u1 m=m c=t; p1 a1; p2 p1; u2 a1 r=t; p3 p2", "u1 a1 u2"),
    // Withdrawn.
    ("u1 -; a1 u1 m=m; a2 a1 m=n withdraws=a1", "u1 a2"),
    ("u1 -; a1 u1 c=t; u2 a1 r=t; a2 u2 retracts=a1,a1,zz", "u1 a2"),
    ("u1 -; a1 u1 c=t; u2 a1 r=t,q; a2 u2 retracts=a1", "u1 u2 a2"),
    ("u1 -; a1 u1 c=t; u2 a1 r=t text; a2 u2 retracts=a1", "u1 u2 a2"),
    ("u1 -; a1 u1 c=t; a3 a1 c=t; u2 a3 r=t; a2 u2 retracts=a1", "u1 a3 u2 a2"),
    ("u1 - withdraws=u1,a1; a1 u1", "u1 a1"),
    ("u1 -; a1 u1; a2 u1 side withdraws=a1", "u1 a1"),
    ("u1 -; a1 u1; x1 - withdraws=a1", "u1"),
    ("u1 -; a1 u1; a1 u1; a2 a1 withdraws=a1", "u1 a2"),
    ("u1 -; a1 u1 m=m; a2 u1 m=n withdraws=a1", "u1 a2"),
    // Subagents and teams.
    ("u1 -; a1 u1; u2 a1 side; a2 u2 side", "u1 a1"),
    ("u1 -; a1 u1 team=red; a2 u1 team=", "u1 a2"),
    // Replies that a notice pushed off.
    ("u1 -; a1 u1; s1 u1; u2 s1", "u1 a1 s1 u2"),
    ("u1 -; s1 u1; a1 u1; s2 s1; u2 s2", "u1 s1 a1 s2 u2"),
    ("u1 -; s1 u1; s2 s1; a1 s1; u2 s2", "u1 s1 s2 a1 u2"),
    ("u1 -; a1 u1; t1 a1; s1 u1; u2 s1", "u1 a1 t1 s1 u2"),
    ("u1 -; a1 u1; u9 a1; a9 a1; s1 u1; u2 s1", "u1 a1 a9 s1 u2"),
    ("u1 -; a1 u1 error; s1 u1; u2 s1", "u1 s1 u2"),
    ("u1 -; a1 u1; s1 u1; u2 s1 r=t", "u1 s1 u2"),
    ("u1 -; s1 u1; u2 s1; a1 u1", "u1 s1 a1"),
    ("u1 -; s1 u1; u2 s1; a1 u1; u3 u2", "u1 s1 u2 u3"),
    ("u1 -; a1 u1; u2 u1", "u1 u2"),
    ("u1 -; a2 u1 m=n; s1 u1 retracts=a2; u2 s1", "u1 s1 u2"),
    ("u1 -; a1 u1; p1 u1; u2 p1", "u1 a1 u2"),
    ("u1 -; s1 u1; a1 s1; u2 a1; s2 a1; s3 s2", "u1 s1 a1 u2 s2 s3"),
    ("u1 -; a1 u1; a2 u1; s1 u1; u2 s1", "u1 a1 a2 s1 u2"),
    // Replies in one piece.
    ("u1 -; a1 u1 m=m c=x; a2 a1 m=m c=y; u2 a2 r=y; u3 a1 r=x; a3 u3 m=n", "u1 a1 a2 u2 u3 a3"),
    ("u1 -; a1 u1 m=m c=x; a2 a1 m=m c=y; u2 a1 r=x; a3 u2", "u1 a1 a2 u2 a3"),
    ("u1 -; a1 u1 c=x,y; u2 a1 r=x; u3 a1 r=y; a2 u3", "u1 a1 u2 u3 a2"),
    ("u1 -; a1 u1 c=x; u2 a1 r=x; u3 a1 r=x; a2 u3", "u1 a1 u3 a2"),
    ("u1 -; a1 u1 m=m; a2 u1 m=m; u2 a2", "u1 a1 a2 u2"),
    ("u1 -; a1 u1 m=m; a2 u1 m=m virtual; u2 a1", "u1 a1 u2"),
    ("u1 -; a1 u1 m=; a2 u1 m=; u2 a2", "u1 a2 u2"),
    ("a1 - c=x; a2 a1 c=x; u1 a2 r=x; u2 a2", "a1 a2 u1 u2"),
    ("a1 - c=x; a2 a1 c=x; u1 zz r=x by=a1; u2 a2", "a1 u1 a2 u2"),
    ("a1 - c=x; a2 a1 c=x; u1 a9 r=x; u2 a2", "a1 a2 u2"),
    // Boundaries.
    ("u1 -; a1 u1; b1 -; u2 b1; a2 u2", "b1 u2 a2"),
    ("u1 -; a1 u1; b1 a1; u2 b1", "b1 u2"),
    ("u1 -; b1 -; u2 b1; b2 -; u3 b2", "b2 u3"),
    ("u1 -; a1 u1; b1 - keeps=u2,u1,a1; u2 b1; u3 u2", "b1 u2 u1 a1 u3"),
    ("u1 -; a1 u1; u2 a1; b1 - keeps=b1,u2; u3 b1", "b1 u2 u3"),
    ("u1 -; a1 u1; u2 a1; a2 u2; b1 - segment=u3,u2,a2; u3 b1; u4 u3", "b1 u3 u2 a2 u4"),
    ("u1 -; p1 u1; a1 p1; b1 - segment=b1,u1,a1; u3 b1", "b1 u1 a1 u3"),
    ("u1 -; a1 u1; b1 - keeps=u2,u1,zz; u2 b1; u3 u2", "b1 u2 u3"),
    ("u1 -; a1 u1; b1 - keeps=u2,u1,u1; u2 b1; u3 u2", "b1 u2 u3"),
    ("u1 -; a1 u1; b1 - keeps=a1,u1; u2 b1", "b1 u2"),
    ("u1 -; a1 u1; b1 - segment=u2,zz,a1; u2 b1", "b1 u2"),
    ("u1 -; p1 u1; b1 - segment=u2,p1,p1; u2 b1", "b1 u2"),
    ("u1 -; b1 - segment=u1,u1,u1; u2 b1; u1 u2", "b1 u2 u1"),
    ("u1 -; b1 - segment=u2,u1,u1; u2 b1; u1 u2", "b1 u2 u1"),
    ("u1 -; a1 u1 m=m c=x,y; u5 a1 r=y; u6 a1 r=x; b1 - keeps=b1,a1,u6 all=u5; u3 b1", "b1 a1 u5 u6 u3"),
    ("u1 -; a1 u1 m=m c=x,y; u5 a1 r=y; u6 a1 r=x; b1 - keeps=b1,a1,u6; u3 b1", "b1 a1 u6 u3"),
    ("u1 -; a1 u1 m=m c=x,y; u5 a1 r=y; u6 a1 r=x; b1 - segment=b1,a1,u6; u3 b1", "b1 a1 u5 u6 u3"),
    ("a1 - m=m; b1 -; a2 b1 m=m; u2 a2", "b1 a2 u2"),
    ("u1 -; b1 -; u2 b1; u3 lost", "b1 u2 u3"),
    // Notices beside the path.
    ("u1 -; a1 u1 c=x; t1 a1; u2 a1 r=x", "u1 a1 t1 u2"),
    ("u1 -; a1 u1 c=x; u2 a1 r=x; t1 a1; p1 t1; h1 p1; a2 u2", "u1 a1 u2 t1 h1 a2"),
    ("u1 -; a1 u1; s1 a1; a2 u1; t2 u1; u2 a2", "u1 a2 t2 u2"),
    ("u1 -; a1 u1; b1 -; t1 a1; u2 b1", "b1 u2"),
    ("u1 -; t1 u1; a1 u1; x1 - withdraws=t1", "u1 a1"),
    // Damage.
    ("u1 -; \"{\"type\":\"assist; a1 u1", "u1 a1"),
    ("u1 -; \"\0\0\0; \"[]; a1 u1", "u1 a1"),
    ("u1 -; a1 u1; \"{\"type\":\"last-prompt\",\"leafUuid\":\"u1\"}", "u1 a1"),
    ("\"{\"type\":\"pr-link\",\"prNumber\":1e400}; u1 -; \"{\"type\":\"queue-operation\"}; a1 u1", "u1 a1"),
];

#[test]
fn the_model_finds_what_is_written_here() {
    assert!(RIGHT.len() > 90);
    let mut wrong = Vec::new();
    for (lines, expected) in RIGHT {
        let (records, order) = right_resume(&file(lines));
        let uuids: Vec<_> = order.iter().filter_map(|&index| records[index].uuid.as_deref()).collect();
        if uuids.join(" ") != *expected {
            wrong.push(format!("{lines:?}: {uuids:?}, not {expected}"));
        }
        let kept = records.iter().filter(|record| record.fate.starts_with("it comes back"));
        assert_eq!(kept.count(), order.len(), "{lines:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn right_answers_break_nothing() {
    for (lines, expected) in RIGHT {
        let mut case = case(&file(lines), expected);
        case.again = Some(case.answer.clone());
        case.recorded = Some(expected.split_whitespace().map(str::to_owned).collect());
        assert_eq!(broken(&case), [""; 0], "{lines:?}");
    }
}

#[test]
fn each_record_lost_repeated_changed_or_moved_is_detected() {
    let mut detections = 0;
    for (lines, expected) in RIGHT {
        let file = file(lines);
        let right: Vec<&str> = expected.split_whitespace().collect();
        for at in 0..right.len() {
            let (mut lost, mut twice) = (right.clone(), right.clone());
            lost.remove(at);
            twice.insert(at, right[at]);
            let rules = broken(&case(&file, &lost.join(" ")));
            let is_empty = lost.is_empty();
            assert!(rules.len() == 1 && (rules == ["resume/total"]) == is_empty, "{lines:?} {lost:?} {rules:?}");
            assert_eq!(broken(&case(&file, &twice.join(" "))), ["resume/total"], "{lines:?} {twice:?}");
            let mut changed = case(&file, expected);
            changed.answer.as_mut().unwrap().as_mut().unwrap().records[at].bytes.push(b' ');
            assert_eq!(broken(&changed), ["resume/total"], "{lines:?}");
            for to in (0..right.len()).filter(|to| *to != at) {
                let mut moved = lost.clone();
                moved.insert(to, right[at]);
                let rules = broken(&case(&file, &moved.join(" ")));
                assert!(!rules.is_empty() && !rules.contains(&"resume/total"), "{lines:?} {moved:?} {rules:?}");
                detections += 1;
            }
        }
    }
    assert!(detections > 500, "{detections}");
}

#[test]
fn each_record_too_many_is_detected_by_one_rule() {
    let mut detections = 0;
    for (lines, expected) in RIGHT.iter().filter(|(_, expected)| !expected.is_empty()) {
        let file = file(lines);
        for record in right_resume(&file).0.iter().filter(|record| record.fate.starts_with("it stays away")) {
            let Some(uuid) = &record.uuid else { continue };
            // Of a repeated uuid the notation gives the last one.
            if record.fate.contains("a later record has its uuid") || expected.split(' ').any(|own| own == uuid) {
                continue;
            }
            for wrong in [format!("{expected} {uuid}"), format!("{uuid} {expected}")] {
                let rules = broken(&case(&file, &wrong));
                assert_eq!(rules.len(), 1, "{lines:?} {wrong} {rules:?}");
                detections += 1;
            }
        }
    }
    assert!(detections > 100, "{detections}");
}

#[test]
fn a_file_touches_the_rules_that_it_is_about() {
    for (lines, expected, touched) in [
        ("u1 -; a1 u1", "u1 a1", &["resume/total", "resume/complete"][..]),
        ("u1 -; p1 u1", "u1", &["resume/total", "resume/complete", "resume/old-progress"]),
        ("u1 -; a1 lost", "u1 a1", &["resume/total", "resume/complete", "resume/bridges-gap"]),
        ("b1 -; u1 b1", "b1 u1", &["resume/total", "resume/complete", "resume/boundary"]),
        ("u1 - side", "", &["resume/total", "resume/sidechain-apart"]),
        ("u1 -; x1 - withdraws=u1", "", &["resume/total", "resume/old-progress", "resume/withdrawn"]),
        (
            "u1 -; a1 u1; s1 u1; u2 s1",
            "u1 a1 s1 u2",
            &["resume/total", "resume/complete", "resume/no-delivered-reply-lost"],
        ),
        (
            "a1 - c=x,y; u1 a1 r=x; u2 a1 r=y",
            "a1 u1 u2",
            &["resume/total", "resume/complete", "resume/parallel-results"],
        ),
    ] {
        let case = case(&file(lines), expected);
        assert_eq!(held(&case), touched, "{lines:?}");
    }
}
