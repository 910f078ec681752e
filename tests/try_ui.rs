//! scratch
use turnproof::rules::CATALOGUE;
use turnproof::scenario::Profile;
use turnproof::subject::Reference;
use turnproof::suite::{Options, Shard, run};
#[test]
fn t() {
    let pat = std::env::var("PAT").unwrap_or("ui/*".into());
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let rules = if pat == "all" { CATALOGUE.clone() } else { turnproof::rules::matching(&pat) };
    let r = run(
        &Reference,
        &Options {
            seed: 5,
            cases: n,
            shard: Shard::WHOLE,
            rules,
            profiles: Profile::ALL.to_vec(),
            threads: 0,
        },
        &[],
        &mut |_| {},
    )
    .unwrap();
    for c in &r.counts {
        println!("{} held {} na {} broken {}", c.rule, c.held, c.not_applicable, c.broken);
    }
    for f in &r.failures {
        println!(
            "\n{} {:?}\n{}",
            f.regression.rule,
            f.violations,
            f.regression.scenario.messages().join("\n")
        );
    }
    assert!(r.failures.is_empty());
}
