//! *Filing* a crash: its input, made smaller where that is possible, becomes a regression case with a name.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::thread;

use twox_hash::XxHash3_64;

use crate::fuzzing::{Input, Patience, Smaller, Target, smaller};

use super::finding::Kind;
use super::folders::FileError;

/// The longest regression case, as for seeds.
const LONGEST: usize = 4096;

/// The stack for inputs that may go deep.
const STACK: usize = 64 << 20;

/// A crash as it was filed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Filed {
    /// The regression case.
    pub(super) file: PathBuf,
    /// How many bytes it has.
    pub(super) bytes: u64,
    /// Whether it broke the law in this process too, and was made smaller.
    pub(super) is_smaller: bool,
}

/// Writes the case of a crash into `folder`; what broke no law in this process, as it was found.
pub(super) fn file(
    target: &'static Target,
    kind: &Kind,
    artifact: &Path,
    folder: &Path,
    patience: Patience,
) -> Result<Filed, FileError> {
    let found = fs::read(artifact).map_err(FileError::at(artifact))?;
    let smaller = match kind {
        Kind::Panic { .. } => in_time(target, found.clone(), patience).filter(|smaller| is_of(smaller, kind)),
        // These would end this process as they ended the target's.
        Kind::Timeout | Kind::Memory | Kind::Sanitizer { .. } | Kind::Signal { .. } => None,
    };
    let case = smaller.and_then(written);
    let is_smaller = case.is_some();
    let (bytes, extension) = case.unwrap_or((found, ""));
    let folder = folder.join(target.name);
    fs::create_dir_all(&folder).map_err(FileError::at(&folder))?;
    let hash = XxHash3_64::oneshot(&bytes) as u32;
    let path = folder.join(format!("{}-{hash:08x}{extension}", kind.file_name()));
    fs::write(&path, &bytes).map_err(FileError::at(&path))?;
    Ok(Filed { file: path, bytes: bytes.len() as u64, is_smaller })
}

/// The smaller input, unless the search does not come back: some input on the way may run for ever, and the night
/// goes on without an answer.
fn in_time(target: &'static Target, found: Vec<u8>, patience: Patience) -> Option<Smaller> {
    let (sender, receiver) = channel();
    let search = move || {
        // Nobody waits where it came too late.
        let _ = sender.send(smaller(target, &found, patience));
    };
    thread::Builder::new().stack_size(STACK).spawn(search).ok()?;
    receiver.recv_timeout(patience.time * 2).ok().flatten()
}

/// Whether the law broke as it did in the target's process. Lines may have moved since the program was built.
fn is_of(smaller: &Smaller, kind: &Kind) -> bool {
    let file = |place: &str| place.split(':').next().unwrap_or_default().to_owned();
    match kind {
        Kind::Panic { place, words } => {
            *words == smaller.broken.words() && file(place) == file(&smaller.broken.place)
        }
        _ => false,
    }
}

/// The case as a file holds it, and its extension; none where a plan is longer than cases may be.
fn written(smaller: Smaller) -> Option<(Vec<u8>, &'static str)> {
    match smaller.input {
        Input::Bytes(bytes) => Some((bytes, "")),
        Input::Plan(plan) => {
            let pretty = serde_json::to_vec_pretty(&plan).ok().filter(|json| json.len() < LONGEST);
            let mut json = pretty.or_else(|| serde_json::to_vec(&plan).ok())?;
            json.push(b'\n');
            Some((json, ".json")).filter(|(json, _)| json.len() <= LONGEST)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fuzzing::{Law, broken_by};
    use crate::scenario::{LineKind, Profile, Scenario};
    use crate::subject::Subject;
    use crate::suite::Depth;

    fn no_ab(_: &dyn Subject, bytes: &[u8], _: Depth) {
        let found = bytes.windows(2).position(|pair| pair == b"ab");
        assert!(found.is_none(), "no input holds ab: at {found:?}");
    }

    fn no_tombstone(_: &dyn Subject, plan: &Scenario, _: Depth) {
        let is_there = plan.lines.iter().any(|line| matches!(line.kind, LineKind::Tombstone { .. }));
        assert!(!is_there, "no line is a tombstone: one of {} is", plan.lines.len());
    }

    fn hangs(_: &dyn Subject, bytes: &[u8], _: Depth) {
        while bytes.len() < 3 {
            thread::sleep(Duration::from_millis(1));
        }
        panic!("inputs are short: {}", bytes.len());
    }

    static BYTES: Target = Target { name: "bytes", title: "planted", law: Law::Bytes(no_ab), shape: None };
    static PLAN: Target =
        Target { name: "plan", title: "planted", law: Law::Plan(no_tombstone, &Profile::ALL), shape: None };
    static HANGS: Target = Target { name: "hangs", title: "planted", law: Law::Bytes(hangs), shape: None };

    fn filed_within(
        time: Duration,
        target: &'static Target,
        kind: &Kind,
        bytes: &[u8],
    ) -> (Filed, Vec<u8>, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let artifact = folder.path().join("crash-1");
        fs::write(&artifact, bytes).expect("written");
        let patience = Patience { time, ..Patience::default() };
        let filed = file(target, kind, &artifact, &folder.path().join("cases"), patience).expect("filed");
        let case = fs::read(&filed.file).expect("a case");
        assert_eq!(filed.bytes, case.len() as u64);
        (filed, case, folder)
    }

    fn filed(target: &'static Target, kind: &Kind, bytes: &[u8]) -> (Filed, Vec<u8>, tempfile::TempDir) {
        filed_within(Duration::from_secs(30), target, kind, bytes)
    }

    fn panic_of(target: &'static Target, bytes: &[u8]) -> Kind {
        let broken = broken_by(target, bytes).expect("a broken law");
        Kind::of_panic(&broken.place, &broken.message)
    }

    fn name(filed: &Filed) -> String {
        filed.file.file_name().expect("a name").to_string_lossy().into_owned()
    }

    #[test]
    fn bytes_are_filed_as_the_fewest_that_break_the_law() {
        let (filed, case, _folder) = filed(&BYTES, &panic_of(&BYTES, b"xaby"), b"xx\nxaby\n");
        assert_eq!((case.as_slice(), filed.is_smaller), (&b"ab"[..], true));
        let hash = XxHash3_64::oneshot(b"ab") as u32;
        assert_eq!(name(&filed), format!("no-input-holds-ab-{hash:08x}"));
        assert!(filed.file.parent().is_some_and(|folder| folder.ends_with("cases/bytes")));
    }

    #[test]
    fn a_plan_is_filed_as_json_that_breaks_the_law_again() {
        let plans = (0..1_000).map(|case| Scenario::bytes_of_seed(5, case, Profile::Shuffled));
        let bytes = plans.into_iter().find(|bytes| broken_by(&PLAN, bytes).is_some()).expect("a tombstone");
        let kind = panic_of(&PLAN, &bytes);
        let (filed, case, _folder) = filed(&PLAN, &kind, &bytes);
        assert!(filed.is_smaller && name(&filed).ends_with(".json"), "{filed:?}");
        assert_eq!(panic_of(&PLAN, &case), kind);
        let plan: Scenario = serde_json::from_slice(&case).expect("a plan");
        assert_eq!(plan.lines.len(), 1);
    }

    #[test]
    fn what_breaks_no_law_here_is_filed_as_it_was_found() {
        let elsewhere = Kind::of_panic("src/other.rs:1:1", "no input holds ab: at 1");
        for kind in [Kind::Timeout, Kind::Memory, elsewhere] {
            let (filed, case, _folder) = filed(&BYTES, &kind, b"xaby");
            assert_eq!((case.as_slice(), filed.is_smaller), (&b"xaby"[..], false), "{kind:?}");
        }
        let (filed, case, _folder) = filed(&BYTES, &panic_of(&BYTES, b"ab"), b"ba");
        assert_eq!((case.as_slice(), filed.is_smaller), (&b"ba"[..], false));
    }

    #[test]
    fn a_search_that_never_ends_does_not_hold_the_night_up() {
        let (filed, case, _folder) =
            filed_within(Duration::from_millis(200), &HANGS, &panic_of(&HANGS, b"abcd"), b"abcd");
        assert_eq!((case.as_slice(), filed.is_smaller), (&b"abcd"[..], false));
    }
}
