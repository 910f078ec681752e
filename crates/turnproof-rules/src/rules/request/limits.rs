//! The *limits* of a request: its size, how large an image may be, in bytes and in pixels, and of which format.

use std::io::{self, Read};

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use flate2::read::ZlibDecoder;
use imagesize::{ImageSize, ImageType};

use super::view::{Block, blocks_and_parts};
use crate::operation::{Host, Request};
use crate::rules::value::text;
use crate::rules::{Place, Report, Sentence};

/// The largest body, in bytes.
const MOST: u64 = 32 << 20;

/// How much text Bedrock takes, in bytes.
const MOST_TEXT: usize = 9_000_000;

/// The largest window of a model, in tokens, and how many bytes of text a token has at least, on average.
const WINDOW: usize = 1_000_000;
const TOKEN: usize = 4;

pub(super) fn request_size(request: &Request, host: Host, report: &mut Report<'_>) {
    let text: usize = blocks_and_parts(request).filter_map(Block::text).map(str::len).sum();
    if text > MOST_TEXT && host.is_bedrock() {
        let error = format!("too many total text bytes: {text} > {MOST_TEXT}");
        let found = sentence!("texts of {text} bytes", text);
        report.predict(Place::Whole, "too-much-text", found, "at most 9000000 bytes of text", error);
    } else if text / TOKEN > WINDOW {
        let tokens = text / TOKEN;
        let found = sentence!("texts of about {tokens} tokens, as four bytes make one", tokens);
        let error = format!("prompt is too long: {tokens} tokens > {WINDOW} maximum");
        report.warn(Place::Whole, "too-many-tokens", found, "no more than the window of any model", error);
    }
    if request.bytes > MOST {
        let found = sentence!("a body of {bytes} bytes", bytes = request.bytes);
        let expected = sentence!("at most {most} bytes", most = MOST);
        report.predict(Place::Whole, "too-large", found, expected, "request_too_large");
    }
}

/// A request with more images than this has many.
const MANY: usize = 20;

pub(super) fn media_limits(request: &Request, host: Host, report: &mut Report<'_>) {
    let images = || blocks_and_parts(request).filter(|block| block.is("image"));
    let is_many = images().nth(MANY).is_some();
    for block in images() {
        match problem(block, host, is_many) {
            // Recorded in 2025: the API took three images under the name of another format.
            Some((kind @ "other-format", found, expected, error)) => {
                report.warn(block.place(), kind, found, expected, error);
            }
            Some((kind, found, expected, error)) => report.predict(block.place(), kind, found, expected, error),
            None => {}
        }
    }
}

/// The kind, what was found, what was expected, and the error.
type Problem = (&'static str, Sentence, Sentence, String);

/// The first thing that a host says of an image. Its formats and sources are in the table of shapes.
fn problem(block: Block<'_>, host: Host, is_many: bool) -> Option<Problem> {
    let source = block.given("source").filter(|source| text(source, "type") == Some("base64"))?;
    let format = text(source, "media_type").filter(|format| FORMATS.contains(format))?;
    data_problem(text(source, "data")?, format, &block.member("source"), host, is_many)
}

/// The formats that hosts take.
const FORMATS: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

fn data_problem(data: &str, media_type: &str, path: &str, host: Host, is_many: bool) -> Option<Problem> {
    let most_mb = if host == Host::Anthropic { 10 } else { 5 };
    let (size, most) = (data.len(), most_mb << 20);
    if size > most {
        let error = format!("{path}.base64: image exceeds {most_mb} MB maximum: {size} bytes > {most} bytes");
        let found = sentence!("an image of {size} bytes", size);
        return Some(("too-many-bytes", found, sentence!("at most {most} bytes", most), error));
    }
    let Some((format, pixels)) = measure(data) else {
        let found = "data that is no image, or a broken one".into();
        return Some(("broken", found, "a whole image".into(), "Could not process image".into()));
    };
    let is_whole = || STANDARD_NO_PAD.decode(data.trim_end_matches('=')).is_ok_and(|png| has_all_pixels(&png, &pixels));
    if format == "image/png" && pixels.width.max(pixels.height) <= 8000 && !is_whole() {
        let found = "an image whose pixels are cut short".into();
        return Some(("cut-short", found, "a whole image".into(), "Could not process image".into()));
    }
    if format != media_type {
        let error = format!(
            "{path}.base64.data: The image was specified using the {media_type} media type, but the image appears to \
             be a {format} image"
        );
        let expected = sentence!("a {media_type} image", media_type);
        return Some(("other-format", sentence!("a {format} image", format), expected, error));
    }
    let widest = pixels.width.max(pixels.height);
    let (limit, case) = if is_many { (2000, " for many-image requests") } else { (8000, "") };
    (widest > limit).then(|| {
        let (named, case) = if widest > 8000 { (8000, "") } else { (limit, case) };
        let error = format!(
            "{path}.base64.data: At least one of the image dimensions exceed max allowed size{case}: {named} pixels"
        );
        let ImageSize { width, height } = pixels;
        let found = sentence!("an image of {width} x {height} pixels", width, height);
        ("too-many-pixels", found, sentence!("at most {limit} pixels in each direction", limit), error)
    })
}

/// Whether the pixels of a PNG are all there: its parts are whole, and what is packed in them fills each row.
fn has_all_pixels(png: &[u8], pixels: &ImageSize) -> bool {
    let (mut packed, mut rest, mut bits) = (Vec::new(), png.get(8..).unwrap_or_default(), 0);
    while let [a, b, c, d, after @ ..] = rest {
        let size = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let Some((part, next)) = after.split_at_checked(size.saturating_add(8)) else { return false };
        match part.split_at(4) {
            // Bits of a sample, times samples of a pixel; rows that are interlaced are not counted.
            (b"IHDR", data) => {
                let samples = match data.get(9) {
                    Some(2) => 3,
                    Some(4) => 2,
                    Some(6) => 4,
                    _ => 1,
                };
                bits =
                    if data.get(12) == Some(&0) { usize::from(data.get(8).copied().unwrap_or(0)) * samples } else { 0 };
            }
            (b"IDAT", data) => packed.extend_from_slice(data.get(..size).unwrap_or_default()),
            (b"IEND", _) => {
                let row = (pixels.width * bits).div_ceil(8) + 1;
                let least = row * pixels.height;
                return bits == 0 || least > MOST_PIXEL_BYTES || unpacked(&packed, least);
            }
            _ => {}
        }
        rest = next;
    }
    false
}

/// The pixels of larger images are not unpacked.
const MOST_PIXEL_BYTES: usize = 64 << 20;

/// Whether packed bytes hold at least so many.
fn unpacked(packed: &[u8], least: usize) -> bool {
    let mut reader = ZlibDecoder::new(packed).take(least as u64);
    io::copy(&mut reader, &mut io::sink()).is_ok_and(|count| count >= least as u64)
}

/// The media type and the size of an image, read from as much of its head as that takes.
fn measure(data: &str) -> Option<(&'static str, ImageSize)> {
    let data = data.trim_end_matches('=').as_bytes();
    let mut taken = 4096;
    loop {
        let head = data.get(..taken).unwrap_or(data);
        let bytes = STANDARD_NO_PAD.decode(head).ok()?;
        let format = match imagesize::image_type(&bytes).ok()? {
            ImageType::Jpeg => "image/jpeg",
            ImageType::Png => "image/png",
            ImageType::Gif => "image/gif",
            ImageType::Webp => "image/webp",
            _ => return None,
        };
        match imagesize::blob_size(&bytes) {
            Ok(size) => return Some((format, size)),
            Err(_) if head.len() == data.len() => return None,
            // A multiple of 4, so that the cut is between bytes.
            Err(_) => taken *= 16,
        }
    }
}
