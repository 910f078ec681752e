//! A *special* byte is one at which the plain part of a JSON string ends: a quote, a backslash or a control character.

use wide::u8x16;

/// So many bytes are looked at in one step.
const STEP: usize = 16;

/// The first special byte from `at` on; the length of `bytes` when there is none.
#[inline]
pub(super) fn find_special(bytes: &[u8], at: usize) -> usize {
    // Most keys end in the first step; what goes on after it is long.
    let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) else { return find_at_end(bytes, at) };
    let flags = special_bytes(*chunk);
    if flags != 0 { at + flags.trailing_zeros() as usize } else { find_far(bytes, at + STEP) }
}

/// The same, where more than a step is to be passed.
fn find_far(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let flags = special_bytes(*chunk);
        if flags != 0 {
            return at + flags.trailing_zeros() as usize;
        }
        at += STEP;
    }
    find_at_end(bytes, at)
}

/// The same for less than a step.
fn find_at_end(bytes: &[u8], at: usize) -> usize {
    let left = bytes.len().saturating_sub(at);
    if let (1..STEP, Some(last)) = (left, bytes.last_chunk()) {
        let flags = special_bytes(*last) >> (STEP - left);
        return at + if flags == 0 { left } else { flags.trailing_zeros() as usize };
    }
    let rest = bytes.get(at..).unwrap_or_default();
    at.min(bytes.len()) + rest.iter().take_while(|&&byte| byte >= b' ' && byte != b'"' && byte != b'\\').count()
}

/// A bit for each byte, the first one lowest: whether it is special.
#[inline]
fn special_bytes(chunk: [u8; STEP]) -> u32 {
    let bytes = u8x16::new(chunk);
    let is_control = bytes.min(u8x16::splat(0x1F)).simd_eq(bytes);
    let is_special = is_control | bytes.simd_eq(u8x16::splat(b'"')) | bytes.simd_eq(u8x16::splat(b'\\'));
    is_special.to_bitmask()
}
