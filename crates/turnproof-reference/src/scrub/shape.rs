//! The *shape* of a text says that it is a uuid, an id or a time. Such a text is replaced alone, wherever it is, so
//! that it stays the same as others like it.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::DateTime;

use super::letters::Key;

/// How many characters a uuid has.
const UUID: usize = 36;

/// How ids of the API and of clients begin.
const PREFIXES: [&str; 12] = [
    "toolu_",
    "srvtoolu_",
    "mcptoolu_",
    "msg_",
    "req_",
    "call_",
    "container_",
    "file_",
    "batch_",
    "chatcmpl-",
    "resp_",
    "fc_",
];

/// The least length of an id that is known inside a longer text.
const LONG_ID: usize = 12;

fn is_uuid(text: &[u8]) -> bool {
    text.len() == UUID
        && text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A uuid of the same version, variant and case. Uuids that begin alike do so afterwards, and small numbers at the end
/// stay: clients derive the uuids of parts so.
pub(super) fn uuid(key: &Key, text: &[u8]) -> Vec<u8> {
    const HEAD: usize = 24;
    let lower = text.to_ascii_lowercase();
    let is_upper = text.iter().any(u8::is_ascii_uppercase);
    let (mut head, mut tail) = (key.numbers(3, &lower[..HEAD]), key.numbers(4, &lower));
    let counts = lower[HEAD..].starts_with(b"00000000");
    let replaced = lower.iter().enumerate().map(|(at, &byte)| match at {
        8 | 13 | 14 | 18 | 19 | 23 => byte,
        _ if at >= HEAD && counts => byte,
        _ => {
            let numbers = if at < HEAD { &mut head } else { &mut tail };
            b"0123456789abcdef"[(numbers.next() % 16) as usize]
        }
    });
    replaced.map(|byte| if is_upper { byte.to_ascii_uppercase() } else { byte }).collect()
}

/// The uuid that begins at a byte of a text, as a word of its own.
pub(super) fn uuid_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let end = at + UUID;
    let is_word = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let stands_alone = (at == 0 || !is_word(text.get(at - 1))) && !is_word(text.get(end));
    (stands_alone && is_uuid(text.get(at..end)?)).then_some(at..end)
}

/// The id that begins at a byte of a text, and the length of the prefix that says what it is. A short one counts only
/// where it is the whole text.
pub(super) fn id_at(text: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let rest = &text[at..];
    let prefix = PREFIXES.iter().find(|prefix| rest.starts_with(prefix.as_bytes()))?.len();
    let is_start = at == 0 || !text[at - 1].is_ascii_alphanumeric() && text[at - 1] != b'_';
    let length = rest.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-').count();
    let is_whole = at == 0 && length == text.len();
    (is_start && length > prefix && (is_whole || length >= LONG_ID)).then_some((at..at + length, prefix))
}

/// The time that a whole text is: `2026-01-05T09:00:01`, and what follows that has no letters but `T` and `Z`, in
/// either case. It is earlier by as many seconds as all others. What looks like a time and is none stays: no rule may
/// find it better.
pub(super) fn time(key: &Key, text: &[u8]) -> Option<Vec<u8>> {
    const SECONDS: usize = 19;
    let form = |(at, byte): (usize, &u8)| match at {
        4 | 7 => *byte == b'-',
        10 => matches!(*byte, b'T' | b't' | b' '),
        13 | 16 => *byte == b':',
        0..SECONDS => byte.is_ascii_digit(),
        _ => byte.is_ascii_digit() || b".+-:Zz".contains(byte),
    };
    if !(SECONDS..SECONDS + 20).contains(&text.len()) || !text.iter().enumerate().all(form) {
        return None;
    }
    let mut time = shifted(key, &text[..SECONDS]).unwrap_or_else(|| text[..SECONDS].to_vec());
    time.extend_from_slice(&text[SECONDS..]);
    time[10] = text[10];
    Some(time)
}

/// The time that is one to nine years earlier.
fn shifted(key: &Key, text: &[u8]) -> Option<Vec<u8>> {
    const YEAR: u64 = 365 * 24 * 3_600;
    let seconds = YEAR + key.numbers(5, b"").next() % (8 * YEAR);
    let time: DateTime = std::str::from_utf8(text).ok()?.parse().ok()?;
    let earlier = time.checked_sub(i64::try_from(seconds).ok()?.seconds()).ok()?;
    let earlier = earlier.strftime("%Y-%m-%dT%H:%M:%S").to_string().into_bytes();
    (earlier.len() == text.len()).then_some(earlier)
}
