//! *Labels* are counted over a run.

use turnproof::rules::find;
use turnproof::scenario::pool::Flag;
use turnproof::scenario::{Case, LABELS, Labels, LinePlan, Profile};
use turnproof::subject::Reference;
use turnproof::suite::{LabelCount, LabelTally, Options, run};

use super::plans::of_lines;

fn counted(options: &Options) -> Vec<LabelCount> {
    run(&Reference, options, &[], &mut |_| {}).unwrap().labels
}

fn options(cases: u64) -> Options {
    let rules = vec![find("id/derived-form").unwrap()];
    Options { seed: 7, cases, rules, ..Options::default() }
}

#[test]
fn labels_count_the_same_whatever_the_threads_and_shards() {
    let whole = counted(&options(300));
    assert_eq!(whole, counted(&Options { threads: 1, ..options(300) }));
    let parts: Vec<Vec<LabelCount>> =
        ["1/3", "2/3", "3/3"].map(|shard| counted(&Options { shard: shard.parse().unwrap(), ..options(300) })).to_vec();
    for (at, count) in whole.iter().enumerate() {
        assert_eq!(parts.iter().map(|part| part[at].cases).sum::<u64>(), count.cases, "{}", count.label);
        assert_eq!(parts.iter().map(|part| part[at].of).sum::<u64>(), count.of, "{}", count.label);
    }
    assert_eq!(whole.len(), LABELS.len());
    assert!(whole.iter().all(|count| !count.is_rare), "{whole:?}");
}

#[test]
fn a_label_is_counted_among_the_cases_of_its_profile() {
    let causal = counted(&Options { profiles: vec![Profile::Causal], ..options(60) });
    for (count, label) in causal.iter().zip(LABELS) {
        let is_other = label.profile.is_some_and(|profile| profile != Profile::Causal);
        assert_eq!(count.of, if is_other { 0 } else { 60 }, "{}", label.name);
    }
}

#[test]
fn a_count_is_rare_only_beyond_chance() {
    const NAME: &str = "flag/is-meta";
    assert_eq!(LABELS.iter().find(|label| label.name == NAME).unwrap().least, 100);
    let flagged = of_lines(vec![LinePlan { flags: [(Flag::IsMeta, true)].into(), ..LinePlan::default() }]);
    let flagged = Case::of(&flagged).labels();
    assert!(flagged.has(NAME));
    let none = Labels::default();
    let is_rare = |cases: u64, of: u64| {
        let mut tally = LabelTally::default();
        (0..of).for_each(|case| tally.add(Profile::Shuffled, if case < cases { &flagged } else { &none }));
        let count = tally.counts(&[Profile::Shuffled]).into_iter().find(|count| count.label == NAME).unwrap();
        assert_eq!((count.cases, count.of), (cases, of));
        count.is_rare
    };
    // 200 are expected, with a deviation of 14.
    assert!(is_rare(140, 20_000));
    assert!(!is_rare(145, 20_000));
    // Too few cases to judge.
    assert!(!is_rare(0, 1_999));
    assert!(is_rare(0, 2_000));
}

#[test]
fn labels_of_profiles_that_do_not_run_are_not_rare() {
    let mut tally = LabelTally::default();
    (0..100_000).for_each(|_| tally.add(Profile::Causal, &Labels::default()));
    let counts = tally.counts(&[Profile::Causal]);
    let profile_of = |count: &LabelCount| LABELS.iter().find(|label| label.name == count.label).unwrap().profile;
    let rare: Vec<_> = counts.iter().filter(|count| count.is_rare).collect();
    assert!(rare.len() > 50);
    assert!(rare.iter().all(|count| profile_of(count) == Some(Profile::Causal)));
}

#[test]
fn one_case_in_a_hundred_holds_each_thing_that_a_repair_mends() {
    const MENDED: [&str; 14] = [
        "call/unanswered",
        "result/twice",
        "server-call/unanswered",
        "text/blank",
        "block/result-blank",
        "message/content-empty",
        "parent/cycle",
        "parent/self",
        "parent/missing",
        "uuid/twice",
        "uuid/missing",
        "damage/cut",
        "damage/splice",
        "damage/byte-order-mark",
    ];
    let counts = counted(&Options { profiles: vec![Profile::Shuffled, Profile::Hostile], ..options(6_000) });
    for name in MENDED {
        let count = counts.iter().find(|count| count.label == name).unwrap_or_else(|| panic!("no label {name}"));
        assert!(count.cases * 100 >= count.of, "{name}: {} of {} cases", count.cases, count.of);
    }
}
