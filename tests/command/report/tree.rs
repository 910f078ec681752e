//! The tree of records: what is drawn straight down, what is indented, and what is folded.

use turnproof::report::Screen;
use turnproof::report::tree::{Leaf, Mark, draw};

fn drawn(leaves: &[Leaf]) -> String {
    let mut out = Vec::new();
    draw(leaves, Screen::default(), &mut |at| Ok(at.to_string()), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn leaf(parent: Option<u32>) -> Leaf {
    Leaf { parent, mark: Mark::Kept, is_main: true, remark: String::new() }
}

fn left(parent: u32) -> Leaf {
    Leaf { mark: Mark::Left, is_main: false, ..leaf(Some(parent)) }
}

#[test]
fn a_branch_is_indented_and_the_conversation_goes_straight_down() {
    let leaves = [leaf(None), leaf(Some(0)), left(1), left(2), leaf(Some(1)), left(2)];
    assert_eq!(drawn(&leaves), "● 0\n● 1\n├─○ 2\n│ ├─○ 3\n│ ○ 5\n● 4\n");
}

#[test]
fn a_long_stretch_is_folded_in_its_middle() {
    let mut leaves = vec![leaf(None)];
    leaves.extend((0..99).map(|at| leaf(Some(at))));
    assert_eq!(drawn(&leaves), "● 0\n● 1\n● 2\n┊ 94 more\n● 97\n● 98\n● 99\n");
    leaves[50].remark = "here".to_owned();
    assert!(drawn(&leaves).contains("● 50  ← here\n"));
}

#[test]
fn what_was_left_is_folded_with_its_branches() {
    let mut leaves = vec![leaf(None), leaf(Some(0))];
    for at in 0..40 {
        leaves.push(left(if at < 2 { 0 } else { at }));
    }
    let drawn = drawn(&leaves);
    assert_eq!(drawn.lines().count(), 9, "{drawn}");
    assert!(drawn.contains("┊ 34 more\n"), "{drawn}");
}

#[test]
fn a_circle_is_drawn_once() {
    let leaves = [leaf(Some(1)), leaf(Some(0)), leaf(None)];
    assert_eq!(drawn(&leaves), "● 2\n● 0\n● 1\n");
}

#[test]
fn a_deep_tree_needs_no_deep_stack() {
    let mut leaves = vec![leaf(None)];
    for at in 0..100_000 {
        leaves.extend([leaf(Some(2 * at)), left(2 * at)]);
    }
    let depth = drawn(&leaves).lines().map(|line| line.matches('│').count()).max();
    assert!(depth.is_some_and(|depth| depth <= 24));
}
