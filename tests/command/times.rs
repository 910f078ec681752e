//! Times, as `--time` takes them.

#![cfg(feature = "cli")]

use std::time::Duration;

/// The time that the command reads.
fn time(text: &str) -> Result<Duration, clap::Error> {
    let option = format!("--time={text}");
    let matches = turnproof::cli::command().try_get_matches_from(["turnproof", "test", &option])?;
    let (_, matches) = matches.subcommand().expect("a subcommand");
    Ok(*matches.get_one("time").expect("a time"))
}

#[test]
fn a_time_has_units_or_is_seconds() {
    let seconds = |text| time(text).unwrap().as_secs();
    assert_eq!(seconds("8h"), 8 * 3600);
    assert_eq!(seconds("30m"), 1800);
    assert_eq!(seconds("90s"), 90);
    assert_eq!(seconds("1h30m"), 5400);
    assert_eq!(seconds("45"), 45);
    assert_eq!(time("1500ms").unwrap(), Duration::from_millis(1500));
}

#[test]
fn what_is_no_time_is_refused() {
    for text in ["", "h", "8 parsecs", "-5", "-5s", "1.5"] {
        assert!(time(text).is_err(), "{text}");
    }
}
