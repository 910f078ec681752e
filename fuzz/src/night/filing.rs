//! *Filing*: each kind of crash becomes one regression case with a name, made smaller when that is possible.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;

use turnproof::fuzzing::{Broken, LawInput, Patience, Target, smaller};
use turnproof::scenario::Scenario;

use super::crash::{file_name, name};
use super::program::{LONGEST_INPUT, Programs, at, files, found};
use super::state::{Find, State};

/// Files each new kind of crash of a target and counts all, and removes the inputs from the folder of finds. Gives how
/// many inputs there were.
pub fn file_all(state: &mut State, programs: &Programs, target: &Target, now: &str) -> io::Result<usize> {
    let mut artifacts = files(&found(target))?;
    artifacts.sort_by_cached_key(|path| fs::metadata(path).map_or(u64::MAX, |data| data.len()));
    for artifact in &artifacts {
        let (what, _) = what_and_hash(artifact);
        let not_again = || Broken {
            place: String::new(),
            rule: Some(format!("{what}, but not again")),
            message: format!("{what}, but not again"),
        };
        let crash = programs.crash(target, artifact)?.unwrap_or_else(not_again);
        let is_known = |find: &&mut Find| find.is_of(target, &crash) && find.case.exists();
        match state.finds.iter_mut().find(is_known) {
            Some(find) => find.times += 1,
            None => {
                let case = file(programs, target, &crash, artifact)?;
                eprintln!("found in {}: {}: {}", target.name, name(&crash), case.display());
                // Somebody may have taken away the case of an earlier night.
                state.finds.retain(|find| !find.is_of(target, &crash));
                state.finds.push(Find::new(target, crash, case, now));
            }
        }
        at(artifact, fs::remove_file(artifact))?;
    }
    Ok(artifacts.len())
}

/// The parts of a name such as `timeout-81fe8bfe`, which libFuzzer gives.
fn what_and_hash(artifact: &Path) -> (&str, &str) {
    artifact.file_name().and_then(|name| name.to_str()?.rsplit_once('-')).unwrap_or_default()
}

fn file(programs: &Programs, target: &Target, crash: &Broken, artifact: &Path) -> io::Result<PathBuf> {
    let found = at(artifact, fs::read(artifact))?;
    let (bytes, extension) = match smaller_here(target, crash, &found) {
        Some(case) => case,
        None => {
            let bytes = programs.smaller(target, crash, artifact)?.unwrap_or(found);
            target.plan(&bytes).and_then(|plan| written(&plan)).unwrap_or((bytes, ""))
        }
    };
    let folder = Path::new("tests/regressions/fuzz").join(target.name);
    at(&folder, fs::create_dir_all(&folder))?;
    let case = folder.join(format!("{}-{:.8}{extension}", file_name(name(crash)), what_and_hash(artifact).1));
    at(&case, fs::write(&case, bytes))?;
    Ok(case)
}

/// The smaller case, when the law breaks in this process in the same way. The search has its own thread with a deep
/// stack: an input may run for ever, and the night must go on.
fn smaller_here(target: &Target, crash: &Broken, found: &[u8]) -> Option<(Vec<u8>, &'static str)> {
    // Without a panic, the input would end this process too.
    if crash.place.is_empty() {
        return None;
    }
    let (sender, receiver) = channel();
    let (target, found, patience) = (*target, found.to_vec(), Patience::default());
    let search = move || drop(sender.send(smaller(&target, &found, patience)));
    thread::Builder::new().stack_size(64 << 20).spawn(search).ok()?;
    let smaller = receiver.recv_timeout(patience.time * 2).ok().flatten()?;
    match smaller.input {
        _ if !smaller.broken.is_like(crash) => None,
        LawInput::Bytes(bytes) => Some((bytes, "")),
        LawInput::Plan(plan) => written(&plan),
    }
}

/// A plan as JSON, if that is no longer than cases may be.
fn written(plan: &Scenario) -> Option<(Vec<u8>, &'static str)> {
    let mut json = serde_json::to_vec_pretty(plan).ok()?;
    json.push(b'\n');
    (json.len() <= LONGEST_INPUT).then_some((json, ".json"))
}

#[cfg(test)]
mod tests {
    use turnproof::fuzzing::{Law, broken_by};

    use super::*;

    #[test]
    fn an_input_becomes_smaller_only_when_it_breaks_the_law_here_in_the_same_way() {
        let law = Law::Bytes(|_, bytes, _| assert!(!bytes.starts_with(b"a"), "no a: {bytes:?}"));
        let target = Target { name: "planted", title: "planted", law, shape: None };
        let broken = broken_by(&target, b"abc").expect("broken");
        assert_eq!(smaller_here(&target, &broken, b"abc"), Some((b"a".to_vec(), "")));
        assert_eq!(smaller_here(&target, &broken, b"bc"), None);
        let elsewhere = Broken { place: "src/other.rs:1:1".to_owned(), ..broken };
        assert_eq!(smaller_here(&target, &elsewhere, b"abc"), None);
    }
}
