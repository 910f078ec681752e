//! *Media* in base64 become other media of the same length. The bytes for format and size of a picture are kept.

use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::letters::Key;
use super::png;

/// The least length of base64 that is looked into.
const SHORTEST: usize = 8;

/// How many bytes of a format are kept, for those that have their size at the beginning.
const HEADERS: [(&[u8], usize); 3] = [
    (b"GIF8", 13),
    // RIFF, and the head of the first chunk.
    (b"RIFF", 30),
    (b"%PDF-", 8),
];

/// What is kept inside of a PDF.
const MARKS: [&[u8]; 2] = [b"/Encrypt", b"%%EOF"];

const JPEG: &[u8] = b"\xFF\xD8\xFF";

/// Other media of the same format, size and length, when a text is base64 of a format that is known.
pub(super) fn media(key: &Key, text: &[u8]) -> Option<Vec<u8>> {
    if text.len() < SHORTEST {
        return None;
    }
    let alphabet = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'+' || **byte == b'/';
    let is_base64 = text.iter().take_while(alphabet).count();
    // The last letters may be padded; those of a text that is cut need not be whole.
    let rest = text.len() - is_base64;
    if rest > 2 || text[is_base64..].iter().any(|&byte| byte != b'=') {
        return None;
    }
    let (mut bytes, whole) = match STANDARD.decode(text) {
        Ok(bytes) => (bytes, text.len()),
        Err(_) => (STANDARD.decode(&text[..is_base64 / 4 * 4]).ok()?, is_base64 / 4 * 4),
    };
    let mut numbers = key.numbers(6, &bytes);
    let replaced = replaced(&bytes)?;
    let before = bytes.starts_with(png::SIGNATURE).then(|| bytes.clone());
    for range in replaced {
        // 0xFF begins a marker in JPEG.
        bytes[range].iter_mut().for_each(|byte| *byte = (numbers.next() % 255) as u8);
    }
    if let Some(before) = before {
        png::fill(&before, &mut bytes);
    }
    let mut out = STANDARD.encode(bytes).into_bytes();
    // At most two bytes, which need not be canonical.
    out.extend(text[whole..].iter().map(|&byte| if byte == b'=' { byte } else { b'A' }));
    Some(out)
}

/// The ranges that are replaced; `None` for a format that is not known.
fn replaced(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    if bytes.starts_with(JPEG) {
        return Some(segments(bytes));
    }
    if bytes.starts_with(png::SIGNATURE) {
        return Some(png::inside(bytes));
    }
    let kept = HEADERS.iter().find(|(magic, _)| bytes.starts_with(magic))?.1.min(bytes.len());
    let mut replaced = Vec::new();
    let mut start = kept;
    // They say whether a PDF is whole and open.
    let marks = (kept..bytes.len()).filter_map(|at| {
        let mark = MARKS.iter().find(|mark| bytes[at..].starts_with(mark))?;
        Some(at..at + mark.len())
    });
    for mark in marks {
        replaced.push(start..mark.start);
        start = mark.end;
    }
    replaced.push(start..bytes.len());
    Some(replaced)
}

/// The insides of a JPEG's segments but those that hold its size.
fn segments(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut inside = Vec::new();
    let mut at = 2;
    while let Some(&[0xFF, marker, high, low]) = bytes.get(at..at + 4) {
        let length = usize::from(high) << 8 | usize::from(low);
        let (start, end) = (at + 4, (at + 2 + length.max(2)).min(bytes.len()));
        let tells_size = matches!(marker, 0xC0..=0xCF) && !matches!(marker, 0xC4 | 0xC8 | 0xCC);
        if !tells_size {
            inside.push(start..end);
        }
        at = end;
        if marker == 0xDA {
            break;
        }
    }
    inside.push(at..bytes.len());
    inside
}
