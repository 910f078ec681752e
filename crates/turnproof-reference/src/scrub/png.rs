//! A *PNG* that is scrubbed has as many pixels as before, and all of them are black.

use std::io::{self, Read, Write};
use std::ops::Range;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// Pixels of more bytes than this are not counted.
const MOST: u64 = 64 << 20;

/// A part of a PNG: its kind, and where its data is.
type Part = ([u8; 4], Range<usize>);

/// The parts of a PNG up to its end, the last of which may be cut short, and where they end.
fn parts(bytes: &[u8]) -> (Vec<Part>, usize) {
    let mut parts = Vec::new();
    let mut at = SIGNATURE.len();
    while let Some(&[a, b, c, d, e, f, g, h]) = bytes.get(at..at.saturating_add(8)) {
        let kind = [e, f, g, h];
        if !kind.iter().all(u8::is_ascii_alphabetic) {
            break;
        }
        let end = (at + 8).saturating_add(u32::from_be_bytes([a, b, c, d]) as usize);
        parts.push((kind, at + 8..end.min(bytes.len())));
        at = end.saturating_add(4);
        if &kind == b"IEND" {
            break;
        }
    }
    (parts, at.min(bytes.len()))
}

/// What is replaced in a PNG: the data of its parts, but for its size and format, and what is behind them.
pub(super) fn inside(bytes: &[u8]) -> Vec<Range<usize>> {
    let (parts, end) = parts(bytes);
    let data = parts.into_iter().filter(|(kind, _)| kind != b"IHDR").map(|(_, data)| data);
    data.chain(std::iter::once(end..bytes.len())).collect()
}

/// Gives a scrubbed PNG as many pixels as it had before, and the sums of its parts. Where black ones need more room than
/// those before, which were then of one colour, too, those are kept.
pub(super) fn fill(before: &[u8], bytes: &mut [u8]) {
    let (parts, _) = parts(before);
    let pixels: Vec<&Range<usize>> = parts.iter().filter(|(kind, _)| kind == b"IDAT").map(|(_, data)| data).collect();
    let packed: Vec<u8> = pixels.iter().flat_map(|&data| &before[data.clone()]).copied().collect();
    let filled = match black(count(&packed)) {
        Some(black) if black.len() <= packed.len() => black,
        Some(_) => packed,
        None => Vec::new(),
    };
    let mut filled = filled.into_iter();
    for data in pixels {
        bytes[data.clone()].iter_mut().zip(&mut filled).for_each(|(byte, other)| *byte = other);
    }
    for (kind, data) in parts.into_iter().filter(|(kind, _)| kind != b"IHDR") {
        let Some(sum) = bytes.get(data.end..data.end + 4).map(|_| sum(kind, &bytes[data.clone()])) else { continue };
        bytes[data.end..data.end + 4].copy_from_slice(&sum);
    }
}

/// How many bytes are packed here.
fn count(packed: &[u8]) -> u64 {
    let (mut reader, mut count, mut room) = (ZlibDecoder::new(packed).take(MOST + 1), 0, [0; 1 << 14]);
    while let Ok(more @ 1..) = reader.read(&mut room) {
        count += more as u64;
    }
    count
}

/// So many zeros, packed; nothing for none, or for too many.
fn black(count: u64) -> Option<Vec<u8>> {
    if count == 0 || count > MOST {
        return None;
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    io::copy(&mut io::repeat(0).take(count), &mut packed).ok()?;
    packed.flush().ok()?;
    packed.finish().ok()
}

fn sum(kind: [u8; 4], data: &[u8]) -> [u8; 4] {
    let mut sum = flate2::Crc::new();
    sum.update(&kind);
    sum.update(data);
    sum.sum().to_be_bytes()
}
