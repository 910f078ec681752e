//! The *form* of texts: uuids, and times as RFC 3339 writes them.

/// Whether a text has the form of a UUID: 8, 4, 4, 4 and 12 hexadecimal digits, with dashes between.
pub(super) fn is_uuid(text: &str) -> bool {
    let is_right = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.as_bytes().iter().enumerate().all(is_right)
}

/// Whether a text is a `date-time` of RFC 3339, such as `2026-01-05T09:00:01.000Z`.
pub(super) fn is_date_time(text: &str) -> bool {
    let Some((date_and_time, rest)) = text.as_bytes().split_at_checked(19) else { return false };
    let zone = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if digits == 0 {
                return false;
            }
            &fraction[digits..]
        }
        zone => zone,
    };
    is_time_of_a_day(date_and_time) && is_zone(zone)
}

/// Whether these 19 bytes are a date and a time of that day: `2026-01-05T09:00:01`.
fn is_time_of_a_day(bytes: &[u8]) -> bool {
    let separators = [4, 7, 10, 13, 16].map(|at| bytes[at]);
    if !matches!(separators, [b'-', b'-', b'T' | b't', b':', b':']) {
        return false;
    }
    let numbers = [0..4, 5..7, 8..10, 11..13, 14..16, 17..19].map(|range| number(&bytes[range]));
    let [Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second)] = numbers else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    // The sixtieth second is a leap second.
    (1..=12).contains(&month) && (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 61
}

fn is_zone(bytes: &[u8]) -> bool {
    match bytes {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', hour @ .., b':', tens, ones] if hour.len() == 2 => {
            number(hour).is_some_and(|hour| hour < 24) && number(&[*tens, *ones]).is_some_and(|minute| minute < 60)
        }
        _ => false,
    }
}

/// A number of digits alone.
fn number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u32::from(byte - b'0')))
}
