//! *Encodings* of bodies: gzip, deflate and zstd are unpacked, up to a size.

use std::io::{self, Read};

use crate::error::ApiError;

/// Unpacks a body that came with this `content-encoding`; fails where it is not in that encoding, or has more bytes
/// than `most`.
pub fn unpacked(body: &[u8], encoding: &str, most: usize) -> Result<Vec<u8>, ApiError> {
    let mut bytes = body.to_vec();
    // The last encoding was put on last.
    for name in encoding.split(',').rev().map(|name| name.trim().to_lowercase()) {
        bytes = match name.as_str() {
            "" | "identity" => bytes,
            "gzip" | "x-gzip" => read(flate2::read::MultiGzDecoder::new(bytes.as_slice()), most, &name)?,
            "deflate" => read(flate2::read::ZlibDecoder::new(bytes.as_slice()), most, &name)?,
            "zstd" => {
                let decoder = ruzstd::decoding::StreamingDecoder::new(bytes.as_slice()).map_err(|_| broken(&name))?;
                read(decoder, most, &name)?
            }
            _ => return Err(ApiError::invalid(format!("Unsupported content encoding: {name}"))),
        };
    }
    Ok(bytes)
}

fn read(decoder: impl Read, most: usize, name: &str) -> Result<Vec<u8>, ApiError> {
    let mut bytes = Vec::new();
    let read: io::Result<usize> = decoder.take(most as u64 + 1).read_to_end(&mut bytes);
    match read {
        Ok(_) if bytes.len() > most => Err(ApiError::too_large()),
        Ok(_) => Ok(bytes),
        Err(_) => Err(broken(name)),
    }
}

fn broken(name: &str) -> ApiError {
    ApiError::invalid(format!("The request body could not be decompressed as {name}"))
}
