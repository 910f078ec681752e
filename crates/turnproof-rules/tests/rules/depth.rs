//! *Depth* is how much is asked about one case.

use turnproof_rules::Depth;

#[test]
fn samples_of_many_cases_ask_each_question() {
    for count in 0..9 {
        let asked = (0..9).flat_map(|number| Depth::Sample(number).asked(count, 3));
        let mut asked: Vec<usize> = asked.collect();
        asked.sort_unstable();
        asked.dedup();
        assert_eq!(asked, Vec::from_iter(0..count));
    }
}

#[test]
fn one_asks_questions_of_one_sort_and_each_in_its_turn() {
    for number in 0..9 {
        let sorts: Vec<u64> = (0..3).filter(|&sort| Depth::One(number).asks(sort, 3)).collect();
        assert_eq!(sorts, [number % 3]);
        assert!(Depth::Sample(number).asks(0, 3) && Depth::Sample(number).asks(2, 3));
    }
    assert_eq!(Depth::One(3 << 8).asked(9, 5), 6..8);
    assert_eq!(Depth::One(6).now_and_then(3), Some(Depth::One(2)));
    assert_eq!((Depth::One(7).now_and_then(3), Depth::Whole.now_and_then(3)), (None, Some(Depth::Whole)));
}
