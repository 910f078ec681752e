//! *Seeds*: what the fuzzers begin with and what they have found. Each file under `fuzz/seeds/TARGET`, each regression
//! under `tests/regressions/fuzz/TARGET` and each local artifact keeps the law of its target.

use std::fs;
use std::path::{Path, PathBuf};

use turnproof_mock::MOCK;
use turnproof_suite::fuzzing::mutate::Shape;
use turnproof_suite::fuzzing::{self, Law, TARGETS, Target};
use turnproof_suite::scenario::{Profile, Scenario};

/// The longest regression case, in bytes.
const LONGEST: usize = 4096;

#[test]
fn every_seed_keeps_the_law_of_its_target() {
    for target in targets() {
        let seeds = files(&root().join("fuzz/seeds").join(target.name));
        assert!(!seeds.is_empty(), "{} has no seeds; fuzz/make-seeds makes some", target.name);
        for (name, bytes) in seeds {
            eprintln!("{name}");
            target.hold(&bytes);
        }
    }
}

#[test]
fn every_regression_and_every_artifact_keeps_the_law_of_its_target() {
    for target in targets() {
        for folder in ["tests/regressions/fuzz", "fuzz/artifacts"] {
            for (name, bytes) in files(&root().join(folder).join(target.name)) {
                eprintln!("{name}");
                target.hold(&bytes);
            }
        }
    }
}

#[test]
fn prefixes_of_a_seed_keep_the_law() {
    for target in ["parse", "resume", "accumulate", "check_request", "mock"] {
        let law = find(target).expect("a target");
        for (name, bytes) in files(&root().join("fuzz/seeds").join(target)) {
            eprintln!("{name}");
            (0..bytes.len()).step_by(1 + bytes.len() / 16).for_each(|end| law.hold(&bytes[..end]));
        }
    }
}

#[test]
fn every_folder_of_seeds_belongs_to_a_target_and_is_small() {
    for folder in ["fuzz/seeds", "tests/regressions/fuzz"] {
        for path in entries(&root().join(folder)) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
            assert!(find(name).is_some(), "{}: no target has this name", path.display());
            // A plan that was found is kept as JSON.
            let longest = if folder == "fuzz/seeds" { find(name).map_or(0, Target::longest) } else { LONGEST };
            for (seed, bytes) in files(&path) {
                assert!(bytes.len() <= longest, "{seed}: {} bytes; cut it down to {longest}", bytes.len());
            }
        }
    }
}

#[test]
fn every_target_is_a_program_with_its_own_name() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("fuzz/Cargo.toml");
    for target in targets() {
        let path = format!("fuzz_targets/{}.rs", target.name);
        let program = fs::read_to_string(root().join("fuzz").join(&path)).expect(&path);
        let home = if target.name == MOCK.name { "turnproof_mock" } else { "turnproof_suite::fuzzing" };
        let law = format!("turnproof_fuzz::target!({home}::{}", target.name.to_uppercase());
        let is_said = [")", ","].iter().any(|end| program.contains(&format!("{law}{end}")));
        assert!(is_said, "{path} is to say `{law})`");
        assert!(manifest.contains(&format!("path = \"{path}\"")), "fuzz/Cargo.toml is to have a [[bin]] of {path}");
    }
    let programs = entries(&root().join("fuzz/fuzz_targets")).len();
    assert_eq!(programs, targets().count() + 1, "beside the targets there is the yardstick");
}

#[test]
fn the_build_for_continuous_fuzzing_gives_each_target_its_dictionary() {
    let script = fs::read_to_string(root().join(".clusterfuzzlite/build.sh")).expect("build.sh");
    for target in targets() {
        let is_named = |line: &&str| {
            let names = line.split_once(')').map(|(names, _)| names.split('|').map(str::trim));
            names.is_some_and(|mut names| names.any(|name| name == target.name))
        };
        let line = script.lines().find(is_named);
        let given = line.and_then(|line| line.split("echo ").nth(1)?.split_whitespace().next());
        assert_eq!(given, target.shape.map(Shape::name), "{}", target.name);
        if let Some(name) = given {
            assert!(root().join("fuzz/dictionaries").join(format!("{name}.dict")).is_file(), "{name}.dict");
        }
    }
}

#[test]
fn an_input_of_a_law_on_plans_may_be_the_plan_as_json() {
    let law = find("normalize_api").expect("a target");
    assert!(matches!(law.law, Law::Plan(..)));
    let plan = Scenario::from_seed(3, 1, Profile::Shuffled);
    assert_eq!(law.plan(&serde_json::to_vec(&plan).expect("JSON")), Some(plan.clone()));
    assert_eq!(law.plan(&Scenario::bytes_of_seed(3, 1, Profile::Shuffled)), Some(plan));
    let profile_of = |target: &str| find(target).and_then(|law| law.plan(b"{")).map(|plan| plan.profile());
    assert_eq!(profile_of("record_resume"), Some(Profile::Causal));
    assert_eq!(profile_of("normalize_api"), Some(Profile::Shuffled), "no engine is played for a list");
    assert_eq!(find("parse").expect("a target").plan(b"{"), None);
}

/// Every target, that of the mock too.
fn targets() -> impl Iterator<Item = &'static Target> {
    TARGETS.into_iter().chain([&MOCK])
}

fn find(name: &str) -> Option<&'static Target> {
    fuzzing::find(name).or((name == MOCK.name).then_some(&MOCK))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The entries of a folder, in order; no entries when there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// The files of a folder, each with its path in words.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |path: &PathBuf| (path.display().to_string(), fs::read(path).expect("a file"));
    entries(folder).iter().map(read).collect()
}
