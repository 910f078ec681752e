//! A *shard* is one of n equal parts of a run.

use turnproof_suite::suite::Shard;

#[test]
fn the_parts_of_a_run_hold_each_case_once() {
    for count in 1..6 {
        let shards: Vec<Shard> = (1..=count).map(|index| format!("{index}/{count}").parse().unwrap()).collect();
        for case in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(case)).count(), 1);
        }
        for cases in 0..20 {
            assert_eq!(shards.iter().map(|shard| shard.share_of(cases)).sum::<u64>(), cases);
        }
    }
}

#[test]
fn what_is_no_part_is_refused() {
    for text in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}
