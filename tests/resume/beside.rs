//! Notices *beside* the path (part 7): they come back with what they hang on.

use super::*;

#[test]
fn what_a_hook_attaches_to_a_call_comes_back_though_the_result_hangs_there_too() {
    let lines = [
        user("u1", "-"),
        call("a1", "u1", "m1", "t1"),
        line("attachment", "x1", "a1"),
        line("hook_result", "h1", "x1"),
        results("r1", "a1", &["t1"]),
        assistant("a2", "r1", "m2"),
    ];
    assert_eq!(uuids(&lines), "u1 a1 x1 h1 r1 a2");
}

#[test]
fn what_hangs_on_a_result_beside_the_path_comes_back_with_it() {
    let lines = [
        user("u1", "-"),
        call("a1", "u1", "m1", "t1"),
        call("a2", "a1", "m1", "t2"),
        results("r1", "a1", &["t1"]),
        line("attachment", "x1", "r1"),
        results("r2", "a2", &["t2"]),
        assistant("a3", "r2", "m2"),
    ];
    assert_eq!(uuids(&lines), "u1 a1 a2 r1 x1 r2 a3");
}

#[test]
fn what_hangs_on_a_branch_that_was_left_does_not_come_back() {
    let lines = [
        user("u1", "-"),
        assistant("a1", "u1", "m1"),
        user("u2", "a1"),
        assistant("a2", "u2", "m2"),
        notice("s1", "a2"),
        user("u3", "a1"),
        notice("s2", "a1"),
    ];
    assert_eq!(uuids(&lines), "u1 a1 u3 s2");
}

#[test]
fn a_notice_before_the_last_boundary_stays_there() {
    let lines = [
        user("u1", "-"),
        notice("s1", "u1"),
        line("system", "b", "-").with("subtype", "compact_boundary"),
        user("u2", "b"),
        notice("s2", "b"),
        assistant("a2", "u2", "m2"),
    ];
    assert_eq!(uuids(&lines), "b u2 s2 a2");
}

#[test]
fn a_thousand_notices_on_one_record_keep_the_order_of_the_file() {
    let mut lines = vec![user("u1", "-"), assistant("a1", "u1", "m1")];
    let mut wanted = vec!["u1".to_owned(), "a1".to_owned()];
    for number in 0..1_000 {
        lines.push(notice(&format!("s{number}"), "a1"));
        wanted.push(format!("s{number}"));
    }
    lines.push(user("u2", "a1"));
    wanted.push("u2".into());
    assert_eq!(uuids(&lines), wanted.join(" "));
}
