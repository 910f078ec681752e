//! Writes a generated transcript to a file, to measure with other tools:
//! `cargo bench --bench generate -- 1024 /tmp/gib.jsonl` writes one of 1,024 MiB.

mod sample;

use std::fs::File;
use std::io::{self, BufWriter, Write};

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let [mebibytes, path] = &words[..] else {
        eprintln!("generate: nothing to do; give a size in MiB and a path");
        return Ok(());
    };
    let size = mebibytes.parse::<u64>().map_err(io::Error::other)? << 20;
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let lines = sample::write(&mut file, size)?;
    file.flush()?;
    eprintln!("{lines} lines");
    Ok(())
}
