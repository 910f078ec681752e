//! A *crash*: what a process printed before it died. Two at the same place, and of the same rule, are one find.

use turnproof::fuzzing::Broken;

/// Reads what a target printed before it died. `None` when that was no crash.
pub fn read(text: &str) -> Option<Broken> {
    let mut lines = text.lines().filter(|line| line.starts_with("=="));
    let error = lines.find_map(|line| line.split_once("ERROR: "));
    let words = error.and_then(|(_, error)| Some(error.split_once(": ")?.1)).map(without_figures);
    let other =
        words.map(|words| Broken { place: String::new(), rule: Some(words.to_owned()), message: words.to_owned() });
    match words {
        Some("timeout" | "out-of-memory") => other,
        // Whatever came of it, the panic was first.
        _ => panic(text).or(other),
    }
}

/// The first panic: its place stands at the end of a line, the rule and its message on the next one.
fn panic(text: &str) -> Option<Broken> {
    let mut lines = text.lines().skip_while(|line| !line.contains(" panicked at "));
    let (_, place) = lines.next()?.split_once(" panicked at ")?;
    let message = lines.next().unwrap_or_default();
    let rule = message.split_once(": ").map(|(rule, _)| rule).filter(|rule| rule.contains('/') && rule.contains('#'));
    let place = place.trim_end_matches(':').to_owned();
    Some(Broken { place, rule: rule.map(str::to_owned), message: message.to_owned() })
}

/// An error without its figures: `timeout after 3 seconds`, `out-of-memory (used: 9Mb; …)`, or an address.
fn without_figures(error: &str) -> &str {
    let ends = [" after ", " (", " on "].map(|end| error.find(end).unwrap_or(error.len()));
    &error[..ends.into_iter().min().unwrap_or_default()]
}

/// What broke, for people: the rule, or the beginning of what was said.
pub fn name(crash: &Broken) -> &str {
    crash.rule.as_deref().unwrap_or_else(|| crash.message.split(": ").next().unwrap_or_default())
}

/// The beginning of a file name: the words in small letters, joined by `-`, at most 60 bytes.
pub fn file_name(words: &str) -> String {
    let lower = words.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = words.collect::<Vec<_>>().join("-");
    name.truncate(60);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_goes_before_the_signal_that_it_became_and_figures_make_no_other_crash() {
        let of = |text: &str| read(text).map(|crash| (crash.place, crash.rule));
        let text = "thread 'a' (7) panicked at src/a.rs:6:20:\none is not: 3\n==7== ERROR: libFuzzer: deadly signal\n";
        assert_eq!(of(text), Some(("src/a.rs:6:20".to_owned(), None)));
        let text = "thread 'a' (7) panicked at src/a.rs:6:20:\nwire/utf8#not-reported: at 3\n";
        assert_eq!(of(text), Some(("src/a.rs:6:20".to_owned(), Some("wire/utf8#not-reported".to_owned()))));
        for (error, words) in [
            ("libFuzzer: timeout after 9 seconds", "timeout"),
            ("libFuzzer: out-of-memory (used: 206Mb; limit: 200Mb)", "out-of-memory"),
            ("libFuzzer: fuzz target exited", "fuzz target exited"),
            ("AddressSanitizer: stack-overflow on address 0x7f (pc 1)", "stack-overflow"),
        ] {
            let text = format!("INFO: seed\n==59==ERROR: {error}\n");
            assert_eq!(of(&text), Some((String::new(), Some(words.to_owned()))));
        }
        assert_eq!(of("Running: a\nExecuted in 3 ms\n"), None);
        assert_eq!(file_name("called `unwrap()` on a `None` value"), "called-unwrap-on-a-none-value");
    }
}
