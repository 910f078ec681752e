//! The *summary* of a night, as people read it in the morning.

use std::fmt::Write as _;

use jiff::SignedDuration;

use super::state::{Account, Find, State};

/// A time such as `8h 5m 12s`.
pub fn in_words(seconds: u64) -> String {
    format!("{:#}", SignedDuration::from_secs(seconds as i64))
}

/// What ran, and how to replay what was found.
pub fn text(state: &State) -> String {
    let mut text = String::from(
        "target                        time   executions  a second  coverage  corpus  crashes  corpus merged\n",
    );
    state.targets.iter().for_each(|(name, account)| text.push_str(&row(name, account)));
    let executions: u64 = state.targets.values().map(|account| account.executions).sum();
    let (done, time, finds) = (in_words(state.done()), in_words(state.time), state.tonight().count());
    let began = &state.began;
    let _ = writeln!(text, "\nfrom {began}: {done} of {time}, executions: {executions}, finds: {finds}");
    for Find { target, place, words, message, case, first, times } in state.tonight() {
        let case = case.display();
        let _ = write!(
            text,
            "\n{target}: {words}\n  place: {place}\n  it says: {message}\n  inputs: {times}, first {first}\n  case: {case}\n  \
             replay: cargo run -p turnproof-fuzz --bin {target} -- {case}\n"
        );
    }
    text
}

/// The line of a target in the table; at its end stands what the user should know.
pub fn row(name: &str, account: &Account) -> String {
    let Account { seconds, executions, coverage, corpus, crashes, .. } = account;
    let (time, rate) = (in_words(*seconds), executions / (*seconds).max(1));
    let merged = account.merged.map(|(before, after)| format!("{before} to {after}"));
    let last = account.trouble.clone().or(merged).unwrap_or_default();
    let figures = format!("{time:>11} {executions:>12} {rate:>9} {coverage:>9} {corpus:>7} {crashes:>8}");
    format!("{}\n", format!("{name:<22} {figures}  {last}").trim_end())
}
