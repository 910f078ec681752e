//! What makes a function of [`turnproof::fuzzing`] a fuzz target, two ways.
//!
//! Under cargo-fuzz, which sets `cfg(fuzzing)`, a target is fed by libFuzzer. Under plain cargo it
//! is a program that replays the files and folders it is given, with a test that replays its seeds.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(fuzzing)]
pub use libfuzzer_sys;

/// Makes the function of this name in [`turnproof::fuzzing`] a fuzz target.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| turnproof::fuzzing::$name(bytes));

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            let replayed = $crate::replay(std::env::args_os().skip(1), turnproof::fuzzing::$name)?;
            println!("{}: {replayed} files replayed, the law holds", stringify!($name));
            Ok(())
        }

        #[cfg(all(test, not(fuzzing)))]
        #[test]
        fn the_law_holds_for_every_seed() {
            let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/seeds/", stringify!($name));
            assert!($crate::replay([seeds], turnproof::fuzzing::$name).unwrap() > 0);
        }
    };
}

/// Applies `law` to each file that `paths` name, folders with everything under them; gives how many.
///
/// # Errors
/// When something cannot be read.
pub fn replay<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>, law: fn(&[u8])) -> io::Result<usize> {
    paths.into_iter().try_fold(0, |replayed, path| Ok(replayed + replay_path(&path.into(), law)?))
}

fn replay_path(path: &Path, law: fn(&[u8])) -> io::Result<usize> {
    if path.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        return replay(paths, law);
    }
    eprintln!("{}", path.display());
    law(&fs::read(path)?);
    Ok(1)
}
