//! The *limits* of a request: its size, how large an image may be, in bytes and in pixels, and of which format.

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use imagesize::{ImageSize, ImageType};

use super::view::{Block, blocks_and_parts};
use crate::operation::{Host, Request};
use crate::rules::value::text;
use crate::rules::{Place, Report, Sentence};

/// The largest body, in bytes.
const MOST: u64 = 32 << 20;

pub(super) fn request_size(request: &Request, _: Host, report: &mut Report<'_>) {
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
        if let Some((kind, found, expected, error)) = problem(block, host, is_many) {
            report.predict(block.place(), kind, found, expected, error);
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
