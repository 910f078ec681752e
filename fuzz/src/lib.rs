//! What makes a [`Target`] of [`turnproof::fuzzing`] a program, two ways.
//!
//! Under cargo-fuzz, which sets `cfg(fuzzing)`, a target is fed by libFuzzer. Under plain cargo it
//! is a program that replays the files and folders it is given.
//!
//! Who is held to the laws is [`subject`]: the reference. A program of your own gives another one to
//! [`Target::hold_to`].

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use turnproof::fuzzing::mutate::{Shape, cross, mutate};
use turnproof::fuzzing::{Effort, Target};
use turnproof::subject::Subject;

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// Makes the target of this name in [`turnproof::fuzzing`] a program.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| $crate::hold(&turnproof::fuzzing::$name, bytes));

        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            let usual = $crate::libfuzzer_sys::fuzzer_mutate;
            $crate::change(&turnproof::fuzzing::$name, data, size, max_size, seed, usual)
        });

        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            $crate::join(&turnproof::fuzzing::$name, one, other, out, seed)
        });

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::replay(&turnproof::fuzzing::$name, std::env::args_os().skip(1))
        }
    };
}

/// Who is held to the laws.
#[cfg(not(feature = "planted"))]
pub fn subject() -> &'static dyn Subject {
    &turnproof::subject::Reference
}

/// Who is held to the laws: the fault that the variable `TURNPROOF_FAULT` names.
///
/// # Panics
/// When there is no such fault.
#[cfg(feature = "planted")]
pub fn subject() -> &'static dyn Subject {
    static PLANTED: std::sync::OnceLock<&turnproof::faults::Fault> = std::sync::OnceLock::new();
    *PLANTED.get_or_init(|| {
        let id = std::env::var("TURNPROOF_FAULT").unwrap_or_default();
        let fault = turnproof::faults::all().find(|fault| fault.id == id);
        fault.unwrap_or_else(|| panic!("TURNPROOF_FAULT: no fault `{id}`; `turnproof faults` lists them"))
    })
}

/// How much is asked with one input. Of a fault all is: the laws that ask the library itself say nothing of it.
const EFFORT: Effort = if cfg!(feature = "planted") { Effort::Whole } else { Effort::Part };

/// Holds the law of a target with an input.
///
/// # Panics
/// When the law is broken.
pub fn hold(target: &Target, bytes: &[u8]) {
    target.hold_to(subject(), bytes, EFFORT);
}

/// Changes the first `size` bytes of `data`, which may grow to `most`; gives how many there are then. Every other time
/// the change keeps the shape of what the target reads, else it is libFuzzer's own, which knows the dictionary.
pub fn change(
    target: &Target,
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    usual: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    match target.shape {
        Some(shape) if seed.is_multiple_of(2) => put(&mutate(&data[..size], shape, seed / 2, most), data),
        _ => usual(data, size, most),
    }
}

/// Writes to `out` what two inputs give together, gives how long that is; nothing where they cannot be joined: a
/// request is one document.
pub fn join(target: &Target, one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    match target.shape {
        Some(Shape::Transcript | Shape::Stream) => put(&cross(one, other, seed, out.len()), out),
        Some(Shape::Request) | None => 0,
    }
}

fn put(bytes: &[u8], out: &mut [u8]) -> usize {
    let size = bytes.len().min(out.len());
    out[..size].copy_from_slice(&bytes[..size]);
    size
}

/// Holds the law of a target with each file that `paths` name, folders with everything under them.
///
/// # Errors
/// When something cannot be read.
///
/// # Panics
/// When the law is broken; the file was named on standard error before.
pub fn replay<P: Into<PathBuf>>(target: &Target, paths: impl IntoIterator<Item = P>) -> io::Result<()> {
    let mut replayed = 0;
    for path in paths {
        replayed += replay_path(target, &path.into())?;
    }
    println!("{}: {replayed} files replayed, the law holds", target.name);
    Ok(())
}

fn replay_path(target: &Target, path: &Path) -> io::Result<usize> {
    if path.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        return paths.iter().try_fold(0, |replayed, path| Ok(replayed + replay_path(target, path)?));
    }
    eprintln!("{}", path.display());
    target.hold_to(subject(), &fs::read(path)?, Effort::Whole);
    Ok(1)
}
