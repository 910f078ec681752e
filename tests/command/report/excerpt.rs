//! Excerpts: the place is in them, and nothing that a terminal would obey.

use turnproof::report::Excerpt;

#[test]
fn a_short_line_is_shown_whole() {
    let excerpt = Excerpt::new(br#"{"a":1,"a":2}"#, 8..9);
    assert_eq!(excerpt.text, r#"{"a":1,"a":2}"#);
    assert_eq!(&excerpt.text[excerpt.marked], "a");
}

#[test]
fn a_long_line_is_cut_on_both_sides_of_the_place() {
    let line = [vec![b'x'; 500], b"HERE".to_vec(), vec![b'y'; 500]].concat();
    let excerpt = Excerpt::new(&line, 500..504);
    assert_eq!(&excerpt.text[excerpt.marked.clone()], "HERE");
    assert_eq!(excerpt.text.chars().count(), 1 + 60 + 4 + 60 + 1);
}

#[test]
fn nothing_that_controls_a_terminal_gets_through() {
    let excerpt = Excerpt::new(b"a\x1b[31m\0\xFFb\xE2\x80\xAEc", 6..7);
    assert_eq!(excerpt.text, "a\u{241B}[31m\u{2400}\u{FFFD}b\u{FFFD}c");
    assert_eq!(&excerpt.text[excerpt.marked], "\u{2400}");
}

#[test]
fn a_place_beyond_the_line_marks_its_end() {
    let excerpt = Excerpt::new(b"abc", 7..9);
    assert_eq!((excerpt.text.as_str(), excerpt.marked), ("abc", 3..3));
}
