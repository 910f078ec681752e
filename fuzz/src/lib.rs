//! The *programs* of the fuzz targets: each is made of a [`Target`] of [`turnproof_suite::fuzzing`], in two ways.
//!
//! Under cargo-fuzz, which sets `cfg(fuzzing)`, and with the feature `engine`, libFuzzer feeds the target. Under plain
//! cargo the program replays the files and folders that it is given. The laws are held against the reference, or another
//! [`Subject`].

use std::fs;
use std::io;
use std::panic::{set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::sync::Once;

use turnproof_rules::operation::Parsed;
use turnproof_suite::fuzzing::mutate::{Shape, cross, mutate};
use turnproof_suite::fuzzing::{BrokenRule, Effort, Target};
use turnproof_suite::subject::{Outcome, Reference, Subject};

#[cfg(any(fuzzing, feature = "engine"))]
pub use libfuzzer_sys;

/// Makes a [`Target`] a program; the reference is held to its law, or the subject that is given too.
#[macro_export]
macro_rules! target {
    ($target:expr) => {
        $crate::target!($target, turnproof_suite::subject::Reference);
    };
    ($target:expr, $subject:expr) => {
        #[cfg(any(fuzzing, feature = "engine"))]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| { $crate::hold(&$target, &$subject, bytes) });

        #[cfg(any(fuzzing, feature = "engine"))]
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            let usual = $crate::libfuzzer_sys::fuzzer_mutate;
            $crate::change(&$target, data, size, max_size, seed, usual)
        });

        #[cfg(any(fuzzing, feature = "engine"))]
        $crate::libfuzzer_sys::fuzz_crossover!(|one: &[u8], other: &[u8], out: &mut [u8], seed: u32| {
            $crate::join(&$target, one, other, out, seed)
        });

        #[cfg(not(any(fuzzing, feature = "engine")))]
        fn main() -> std::io::Result<()> {
            $crate::replay(&$target, &$subject, std::env::args_os().skip(1))
        }
    };
}

/// The reference, but only its operation `parse`. After each input libFuzzer visits all counters of a program; a
/// program with this subject has few.
#[derive(Clone, Copy, Debug)]
pub struct Reader;

impl Subject for Reader {
    fn name(&self) -> &str {
        Reference.name()
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        Reference.parse(bytes)
    }
}

/// The subject that is held to the laws: that of the target.
#[cfg(not(feature = "planted"))]
fn held(subject: &dyn Subject) -> &dyn Subject {
    subject
}

/// The subject that is held to the laws: the fault that the variable `TURNPROOF_FAULT` names.
#[cfg(feature = "planted")]
fn held(_: &dyn Subject) -> &'static dyn Subject {
    static PLANTED: std::sync::OnceLock<&turnproof_faults::Fault> = std::sync::OnceLock::new();
    *PLANTED.get_or_init(|| {
        let id = std::env::var("TURNPROOF_FAULT").unwrap_or_default();
        let fault = turnproof_faults::find(&id);
        fault.unwrap_or_else(|| panic!("TURNPROOF_FAULT: no fault `{id}`; `turnproof-faults --list` lists them"))
    })
}

/// How much is asked with one input. Of a fault everything is, since laws that ask the library itself do not apply.
const EFFORT: Effort = if cfg!(feature = "planted") { Effort::Whole } else { Effort::Part };

/// Holds the law of a target with an input; panics when it is broken.
#[inline(always)]
pub fn hold(target: &Target, subject: &dyn Subject, bytes: &[u8]) {
    static HOOK: Once = Once::new();
    HOOK.call_once(print_broken_rules);
    target.hold_to(held(subject), bytes, EFFORT);
}

/// Prints broken rules as panics are printed: their payload is no text.
fn print_broken_rules() {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        if let (Some(broken), Some(place)) = (panic.payload().downcast_ref::<BrokenRule>(), panic.location()) {
            eprintln!("a law panicked at {place}:\n{broken}");
        }
        before(panic);
    }));
}

/// Changes the first `size` bytes of `data`, which may grow to `most` or the [longest](Target::longest); gives the new
/// size. Every other change keeps the shape of the input; the others are libFuzzer's own, which knows the dictionary.
pub fn change(
    target: &Target,
    data: &mut [u8],
    size: usize,
    most: usize,
    seed: u32,
    usual: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    let most = most.min(target.longest().max(size));
    match target.shape {
        Some(shape) if seed.is_multiple_of(2) => put(&mutate(&data[..size], shape, seed / 2, most), data),
        _ => usual(data, size, most),
    }
}

/// Joins two inputs in `out`; gives the size of the result. It is 0 for requests, which are one document each.
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

/// Holds the law of a target with each file at or under `paths`. Everything is asked of each file; after `--part` only
/// as much as a fuzzer asks.
/// Names each file on standard error; panics when the law is broken.
/// It fails when something cannot be read.
pub fn replay<P: Into<PathBuf>>(
    target: &Target,
    subject: &dyn Subject,
    paths: impl IntoIterator<Item = P>,
) -> io::Result<()> {
    let mut paths = paths.into_iter().map(Into::into).peekable();
    let effort = paths.next_if_eq(Path::new("--part")).map_or(Effort::Whole, |_| EFFORT);
    let mut replayed = 0;
    for path in paths {
        replayed += replay_path(target, subject, &path, effort)?;
    }
    println!("{}: {replayed} files replayed, the law holds", target.name);
    Ok(())
}

fn replay_path(target: &Target, subject: &dyn Subject, path: &Path, effort: Effort) -> io::Result<usize> {
    if path.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        return paths.iter().try_fold(0, |replayed, path| Ok(replayed + replay_path(target, subject, path, effort)?));
    }
    eprintln!("{}", path.display());
    target.hold_to(held(subject), &fs::read(path)?, effort);
    Ok(1)
}
