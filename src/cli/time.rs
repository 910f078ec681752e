//! A *time* on the command line.

use std::time::Duration;

/// A time such as `90s`, `30m` or `8h`; a plain number is seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    let time: jiff::SignedDuration = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Duration::try_from(time).map_err(|_| "a time cannot be negative".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_units_or_is_seconds() {
        let seconds = |text| duration(text).map(|time| time.as_secs());
        assert_eq!(seconds("8h"), Ok(8 * 3600));
        assert_eq!(seconds("30m"), Ok(1800));
        assert_eq!(seconds("90s"), Ok(90));
        assert_eq!(seconds("1h30m"), Ok(5400));
        assert_eq!(seconds("45"), Ok(45));
        assert_eq!(duration("1500ms"), Ok(Duration::from_millis(1500)));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in ["", "h", "8 parsecs", "-5", "-5s", "1.5"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
