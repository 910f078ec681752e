//! The *fuzz seeds* are tests too: each file under `fuzz/seeds/<target>` keeps the target's law.

use std::fs;
use std::path::Path;

/// What must hold for any bytes; panics where it does not.
type Law = fn(&[u8]);

/// The laws, by their target.
const LAWS: &[(&str, Law)] = &[("parse", turnproof::fuzzing::parse)];

#[test]
fn every_seed_keeps_the_law_of_its_target() {
    for (target, law) in LAWS {
        for (name, bytes) in seeds(target) {
            eprintln!("{target}/{name}");
            law(&bytes);
        }
    }
}

#[test]
fn prefixes_of_a_seed_keep_the_law() {
    for (name, bytes) in seeds("parse") {
        eprintln!("{name}");
        (0..bytes.len()).step_by(7).for_each(|end| turnproof::fuzzing::parse(&bytes[..end]));
    }
}

#[test]
fn every_folder_of_seeds_belongs_to_a_target_and_is_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for entry in fs::read_dir(root.join("seeds")).expect("fuzz/seeds") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
        assert!(
            LAWS.iter().any(|(target, _)| *target == name),
            "add the law of `{name}` to LAWS in this file"
        );
        assert!(root.join("fuzz_targets").join(format!("{name}.rs")).is_file(), "no target named {name}");
        for (seed, bytes) in seeds(&name) {
            assert!(bytes.len() <= 4096, "{seed}: {} bytes; cut it down to 4,096", bytes.len());
        }
    }
}

/// The seeds of a target, by name.
fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned();
        (name, fs::read(path).expect("a seed"))
    };
    let mut seeds: Vec<_> = fs::read_dir(folder).expect("a folder of seeds").map(read).collect();
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds.sort();
    seeds
}
