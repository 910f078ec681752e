//! What a command reads: a file, or standard input.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use super::Failure;

/// The bytes of a file; of standard input where its name is `-`.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = if path.as_os_str() == "-" { read_stdin() } else { fs::read(path) };
    bytes.map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))
}

pub(super) fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
