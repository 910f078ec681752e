//! How fast sessions are checked, with what becomes of each, beside what it takes to read their lines as `Value`s of
//! serde_json. One thread; both read the files from disk.
//!
//! Two inputs: a folder of real sessions, repeated until it has 160 MB, and the same lines in one file. They are those of
//! the folder `TURNPROOF_TRANSCRIPTS` (by default `shared/transcripts` beside the repository). Each round runs every
//! contender; the clock is the processor's. It prints the fastest of the rounds: MB a second, and the ratio to `Value`.

#[path = "sample/field.rs"]
mod field;

use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::time::{ClockId, clock_gettime};
use turnproof::check::{Options, Sink, TranscriptFile, check, gather};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SIZE: usize = 160_000_000;

const ROUNDS: usize = 10;

/// Reads or checks some files.
type Contender = fn(&[TranscriptFile]) -> u64;

const CONTENDERS: [(&str, Contender); 3] = [
    ("check", |inputs| checked(inputs, true)),
    ("its rules alone", |inputs| checked(inputs, false)),
    ("Value", values),
];

fn main() -> io::Result<()> {
    let transcripts = field::transcripts(&field::folder()).unwrap_or_default();
    let size: usize = transcripts.iter().map(Vec::len).sum();
    if size == 0 {
        eprintln!("no transcripts in {}: nothing is measured", field::folder().display());
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let (one, many) = (folder.path().join("one.jsonl"), folder.path().join("many"));
    fs::create_dir(&many)?;
    let mut file = io::BufWriter::new(fs::File::create(&one)?);
    for round in 0..SIZE.div_ceil(size) {
        for (number, transcript) in transcripts.iter().enumerate() {
            fs::write(many.join(format!("{round:03}-{number:04}.jsonl")), transcript)?;
            file.write_all(transcript)?;
        }
    }
    file.flush()?;
    measure("one file", &one);
    measure("a folder", &many);
    Ok(())
}

fn measure(name: &str, path: &Path) {
    let found = gather(&[PathBuf::from(path)], || unreachable!("no standard input is named"));
    let inputs: Vec<TranscriptFile> = found.into_iter().filter_map(Result::ok).collect();
    let megabytes = inputs.iter().map(|input| input.size).sum::<u64>() as f64 / 1e6;
    let mut fastest = [f64::MAX; CONTENDERS.len()];
    for _ in 0..ROUNDS {
        for ((_, contender), fastest) in CONTENDERS.iter().zip(&mut fastest) {
            let start = seconds();
            black_box(contender(&inputs));
            *fastest = fastest.min(seconds() - start);
        }
    }
    let [.., value] = fastest;
    for ((contender, _), seconds) in CONTENDERS.iter().zip(fastest) {
        eprintln!("{name}, {contender}: {:.0} MB/s, {:.2}", megabytes / seconds, value / seconds);
    }
}

/// What the processor has spent on this program.
fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Takes what is found, and shows it to nobody.
struct Nobody;

impl Sink for Nobody {}

fn checked(inputs: &[TranscriptFile], verdicts: bool) -> u64 {
    let options = Options { threads: 1, verdicts, ..Options::default() };
    check(inputs, &options, &mut Nobody).expect("one thread").violation_count()
}

fn values(inputs: &[TranscriptFile]) -> u64 {
    let mut values = 0;
    for input in inputs {
        let bytes = fs::read(&input.path).expect("a file that was written");
        for line in bytes.split(|&byte| byte == b'\n') {
            values += u64::from(black_box(serde_json::from_slice::<serde_json::Value>(line)).is_ok());
        }
    }
    values
}
