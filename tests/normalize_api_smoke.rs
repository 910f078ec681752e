//! scratch
use turnproof::operation::RequestOptions;
use turnproof::scenario::{Profile, Scenario};
use turnproof::subject::{Outcome, Reference, Subject};
#[test]
fn smoke() {
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let mut bad = 0;
    for case in 0..n {
        for profile in Profile::ALL {
            let s = Scenario::from_seed(3, case, profile);
            let msgs = s.messages();
            let json = format!("[{}]", msgs.join(","));
            let opt = RequestOptions { context: s.context.then(|| "ctx".to_owned()) };
            let Outcome::Output(out) = Reference.normalize_api(&json, &opt) else { panic!("{json}") };
            let turns: Vec<serde_json::Value> = serde_json::from_str(&out.turns).unwrap();
            let again: Vec<_> =
                turns.iter().map(|t| serde_json::json!({"type": t["role"], "message": t})).collect();
            let Outcome::Output(again) =
                Reference.normalize_api(&serde_json::to_string(&again).unwrap(), &RequestOptions::default())
            else {
                panic!()
            };
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(&again.turns).unwrap(),
                serde_json::from_str::<serde_json::Value>(&out.turns).unwrap(),
                "{json}"
            );
            let Outcome::Output(inc) = Reference.normalize_api_incremental(&json, &opt) else { panic!() };
            for (i, state) in inc.iter().enumerate() {
                let part = format!("[{}]", msgs[..=i].join(","));
                let Outcome::Output(o) = Reference.normalize_api(&part, &opt) else { panic!() };
                if &o.turns != state {
                    bad += 1;
                    if bad < 4 {
                        println!("{part}\n{}\n{state}\n", o.turns);
                    }
                }
            }
            for (i, t) in turns.iter().enumerate() {
                assert_eq!(t["role"], ["user", "assistant"][i % 2], "{json}");
            }
        }
    }
    assert_eq!(bad, 0);
}
