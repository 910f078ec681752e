//! The *hash* of a name distinguishes known names in one comparison, and finds keys that an object repeats.

use super::text::unescape;
use super::token::Span;

/// Mixes the first and last eight bytes and the length: names of fields differ there.
#[inline]
pub(crate) const fn hash_name(name: &[u8]) -> u32 {
    match (name.first_chunk(), name.last_chunk()) {
        (Some(head), Some(tail)) => mixed(u64::from_le_bytes(*head), u64::from_le_bytes(*tail), name.len()),
        _ => {
            let mut bytes = [0; 8];
            bytes.split_at_mut(name.len()).0.copy_from_slice(name);
            let word = u64::from_le_bytes(bytes);
            // An empty name has no bits to move.
            let moved = if name.is_empty() { 0 } else { word << (64 - 8 * name.len()) };
            mixed(word, moved, name.len())
        }
    }
}

/// The hash of the name at a place of a text, its escapes read: names that differ only in escapes share it.
///
/// Eight bytes are read at each end of it, however short it is: the lengths of names follow no rule, and to ask for them
/// takes longer.
#[inline]
pub(super) fn hash_written(text: &[u8], place: Span, is_escaped: bool) -> u32 {
    const HEADS: [u64; 9] = [0, !0 >> 56, !0 >> 48, !0 >> 40, !0 >> 32, !0 >> 24, !0 >> 16, !0 >> 8, !0];
    const TAILS: [u64; 9] = [0, !0 << 56, !0 << 48, !0 << 40, !0 << 32, !0 << 24, !0 << 16, !0 << 8, !0];
    let (start, end) = (place.start as usize, place.end as usize);
    match (text[start..].first_chunk(), text[..end].last_chunk()) {
        (Some(head), Some(tail)) if !is_escaped => {
            let length = end - start;
            let few = length.min(8);
            mixed(u64::from_le_bytes(*head) & HEADS[few], u64::from_le_bytes(*tail) & TAILS[few], length)
        }
        _ => hash_unescaped(place.of(text)),
    }
}

/// The same where the name has escapes, or the text ends near.
#[cold]
fn hash_unescaped(name: &[u8]) -> u32 {
    hash_name(&unescape(name))
}

#[inline]
const fn mixed(head: u64, tail: u64, length: usize) -> u32 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    ((head ^ tail.rotate_left(29) ^ (length as u64).rotate_left(57)).wrapping_mul(ODD) >> 32) as u32
}
