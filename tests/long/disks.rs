//! The recorder on real file systems: full, without folders, with files that others remove, replace and tear.
//! Each time the caller gets the error, what is on disk stays as it is, and nothing is lost or doubled.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use turnproof_reference::message::Event;
use turnproof_reference::transcript::write::{Disk, Failing, FileDisk, Held, RecordError, Recorder, RecorderOptions};
use turnproof_reference::transcript::{Link, Transcript};

fn message(uuid: &str, size: usize) -> Event {
    let text =
        format!(r#"{{"type":"user","uuid":"{uuid}","message":{{"role":"user","content":"{}"}}}}"#, "x".repeat(size));
    serde_json::from_str(&text).unwrap()
}

/// This many messages: `u0`, `u1`, …
fn list(count: usize, size: usize) -> Vec<Event> {
    (0..count).map(|index| message(&format!("u{index}"), size)).collect()
}

fn recorder<D: Disk>(disk: D) -> Recorder<D> {
    Recorder::new(disk, RecorderOptions::new("s1"))
}

/// The uuids of the records of a file.
fn uuids(path: &Path) -> Vec<String> {
    let transcript = Transcript::from_bytes(fs::read(path).unwrap());
    transcript.records().map(|record| record.uuid().unwrap().into_owned()).collect()
}

/// Asserts that the file holds each of this many messages once, in order, each the parent of the next.
fn assert_all_once(path: &Path, count: usize) {
    let expected: Vec<String> = (0..count).map(|index| format!("u{index}")).collect();
    assert_eq!(uuids(path), expected);
    let transcript = Transcript::from_bytes(fs::read(path).unwrap());
    for (record, before) in transcript.records().skip(1).zip(&expected) {
        assert_eq!(record.parent(), Link::To(before.as_str().into()));
    }
}

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    (folder, path)
}

/// A small file system of its own. `None` when mounting is not allowed.
struct Mounted(TempDir);

impl Mounted {
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(folder.path());
        mount.output().is_ok_and(|output| output.status.success()).then_some(Self(folder))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_full_file_system_is_an_error_and_what_waits_is_written_when_there_is_room() {
    let Some(mounted) = Mounted::new() else {
        eprintln!("mounting is not allowed here; the next tests fill a disk without it");
        return;
    };
    let (path, ballast) = (mounted.0.path().join("session.jsonl"), mounted.0.path().join("ballast"));
    fs::write(&ballast, vec![0; 32 * 1024]).unwrap();
    let list = list(40, 1_000);
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.before_request(&list[..10]).unwrap();
    let before = fs::read(&path).unwrap();
    let error = recorder.before_request(&list).unwrap_err();
    let RecordError::Disk { written, queued, source } = &error else { panic!("{error}") };
    assert_eq!(source.kind(), io::ErrorKind::StorageFull);
    assert_eq!(written + queued, 30);
    assert!(*queued > 0 && *queued == recorder.queued());
    let full = fs::read(&path).unwrap();
    assert!(full.starts_with(&before) && full.len() > before.len());
    assert!(!full.ends_with(b"\n"), "a part of a line was taken");
    assert_eq!(uuids(&path).len(), 10 + written);
    assert!(recorder.flush().is_err());
    assert_eq!(fs::read(&path).unwrap(), full, "a full disk takes nothing more");

    fs::remove_file(&ballast).unwrap();
    assert!(recorder.flush().unwrap().healed);
    assert!(fs::read(&path).unwrap().starts_with(&full));
    assert_all_once(&path, 40);
    assert_eq!(recorder.queued(), 0);
}

#[test]
fn a_file_that_fails_after_any_byte_loses_nothing() {
    let (_folder, path) = folder();
    let list = list(3, 10);
    let mut whole = recorder(FileDisk::new(&path));
    whole.record(&list).unwrap();
    let size = whole.flush().unwrap().bytes;
    for bytes in 0..size {
        fs::remove_file(&path).unwrap();
        let mut recorder = recorder(Failing::after(FileDisk::new(&path), bytes));
        recorder.record(&list).unwrap();
        assert!(matches!(recorder.flush(), Err(RecordError::Disk { .. })));
        let before = fs::read(&path).unwrap_or_default();
        assert_eq!(before.len() as u64, bytes);
        recorder.disk_mut().takes = None;
        recorder.flush().unwrap();
        assert!(fs::read(&path).unwrap().starts_with(&before));
        assert_all_once(&path, 3);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_that_is_always_full_is_an_error_each_time() {
    let mut recorder = recorder(FileDisk::new("/dev/full"));
    recorder.record(&list(2, 10)).unwrap();
    for _ in 0..2 {
        let error = recorder.flush().unwrap_err();
        assert!(
            matches!(&error, RecordError::Disk { written: 0, queued: 2, source } if source.kind() == io::ErrorKind::StorageFull),
            "{error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_removed_file_is_lost_until_it_is_back() {
    let (folder, path) = folder();
    let away = folder.path().join("away");
    let list = list(3, 10);
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.before_request(&list[..1]).unwrap();
    fs::rename(&path, &away).unwrap();
    let before = fs::read(&away).unwrap();
    for _ in 0..2 {
        let error = recorder.before_request(&list[..2]).unwrap_err();
        assert!(matches!(&error, RecordError::Lost { path: lost, queued: 1 } if *lost == path), "{error}");
        assert!(!path.exists(), "no new file is made without being asked for");
        assert_eq!(fs::read(&away).unwrap(), before);
    }
    fs::rename(&away, &path).unwrap();
    recorder.before_request(&list).unwrap();
    assert_all_once(&path, 3);
}

#[cfg(unix)]
#[test]
fn what_was_written_to_a_file_that_is_lost_since_is_not_confirmed() {
    let (_folder, path) = folder();
    let list = list(1, 10);
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.record(&list).unwrap();
    recorder.flush().unwrap();
    fs::remove_file(&path).unwrap();
    let error = recorder.before_request(&list).unwrap_err();
    assert!(matches!(error, RecordError::NotConfirmed { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn a_file_that_is_gone_can_be_recreated_with_the_whole_conversation() {
    let (_folder, path) = folder();
    let list = list(3, 10);
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.before_request(&list[..2]).unwrap();
    assert!(recorder.disk_mut().recreate().is_err(), "a file is there");
    fs::remove_file(&path).unwrap();
    assert!(matches!(recorder.before_request(&list), Err(RecordError::Lost { queued: 1, .. })));
    assert!(recorder.disk_mut().reopen().is_err(), "no file is there");
    recorder.disk_mut().recreate().unwrap();
    recorder.start_over();
    recorder.before_request(&list).unwrap();
    assert_all_once(&path, 3);
    assert_eq!(mode(&path), 0o600);
}

#[cfg(unix)]
#[test]
fn another_file_in_its_place_is_not_written_to_unless_the_caller_takes_it() {
    let (folder, path) = folder();
    let (other, away) = (folder.path().join("other"), folder.path().join("away"));
    let list = list(3, 10);
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.before_request(&list[..2]).unwrap();
    let before = fs::read(&path).unwrap();
    // A copy that somebody edited, as an editor saves it.
    let edited = [&before[..], b"{\"type\":\"custom-title\",\"uuid\":\"t\"}"].concat();
    fs::write(&other, &edited).unwrap();
    fs::rename(&path, &away).unwrap();
    fs::rename(&other, &path).unwrap();
    assert!(matches!(recorder.before_request(&list), Err(RecordError::Lost { queued: 1, .. })));
    assert_eq!(fs::read(&path).unwrap(), edited);
    assert_eq!(fs::read(&away).unwrap(), before);
    recorder.disk_mut().reopen().unwrap();
    recorder.before_request(&list).unwrap();
    assert_eq!(uuids(&path), ["u0", "u1", "t", "u2"]);
    assert!(fs::read(&path).unwrap().starts_with(&edited));
    assert_eq!(fs::read(&away).unwrap(), before);
}

#[test]
fn a_folder_that_is_missing_is_an_error_until_it_is_there() {
    let (folder, _) = folder();
    let path = folder.path().join("projects").join("session.jsonl");
    let list = list(2, 10);
    let mut recorder = recorder(FileDisk::new(&path));
    let error = recorder.before_request(&list).unwrap_err();
    assert!(
        matches!(&error, RecordError::Disk { written: 0, queued: 2, source } if source.kind() == io::ErrorKind::NotFound),
        "{error}"
    );
    fs::create_dir(folder.path().join("projects")).unwrap();
    recorder.flush().unwrap();
    assert_all_once(&path, 2);
}

/// Permissions do not stop every user. Nobody can write to a folder that is in fact a file.
#[test]
fn a_folder_that_nobody_can_write_to_is_an_error() {
    let (folder, _) = folder();
    let projects = folder.path().join("projects");
    fs::write(&projects, "no folder").unwrap();
    let path = projects.join("session.jsonl");
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.record(&list(2, 10)).unwrap();
    assert!(matches!(recorder.flush(), Err(RecordError::Disk { written: 0, queued: 2, .. })));
    assert_eq!(fs::read(&projects).unwrap(), b"no folder");
    fs::remove_file(&projects).unwrap();
    fs::create_dir(&projects).unwrap();
    recorder.flush().unwrap();
    assert_all_once(&path, 2);
}

#[test]
fn a_path_that_names_a_folder_is_an_error() {
    let (folder, _) = folder();
    let mut recorder = recorder(FileDisk::new(folder.path()));
    recorder.record(&list(1, 10)).unwrap();
    assert!(matches!(recorder.flush(), Err(RecordError::Disk { queued: 1, .. })));
}

#[test]
fn a_recorder_that_continues_a_file_needs_it_to_exist() {
    let (_folder, path) = folder();
    assert_eq!(FileDisk::existing(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert!(!path.exists());
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).unwrap().mode() & 0o777
}

#[cfg(unix)]
#[test]
fn files_are_made_for_their_owner_alone_and_the_mode_of_others_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = folder();
    assert!(!path.exists());
    let mut first = recorder(FileDisk::new(&path));
    first.record(&list(1, 10)).unwrap();
    assert!(!path.exists(), "nothing is made before something is written");
    first.flush().unwrap();
    assert_eq!(mode(&path), 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut second = recorder(FileDisk::new(&path));
    second.record(&list(2, 10)).unwrap();
    second.flush().unwrap();
    assert_eq!(mode(&path), 0o640);
}

#[cfg(unix)]
#[test]
fn a_torn_tail_that_another_process_left_is_healed() {
    let (_folder, path) = folder();
    let list = list(3, 10);
    let mut recorder = recorder(FileDisk::new(&path));
    recorder.before_request(&list[..2]).unwrap();
    let status = Command::new("sh")
        .args(["-c", r#"printf '%s' '{"type":"user","uuid":"torn","mess' >> "$0""#])
        .arg(&path)
        .status()
        .unwrap();
    assert!(status.success());
    let before = fs::read(&path).unwrap();
    assert!(before.ends_with(b"mess"));
    recorder.record(&list).unwrap();
    assert!(recorder.flush().unwrap().healed);
    let after = fs::read(&path).unwrap();
    assert!(after.starts_with(&[&before[..], b"\n{"].concat()));
    assert_eq!(uuids(&path), ["u0", "u1", "u2"]);

    // A whole record that lacks its line end is not written again by the next recorder.
    fs::write(&path, &before[..before.len() - r#"{"type":"user","uuid":"torn","mess"#.len() - 1]).unwrap();
    let held = Held::read(fs::File::open(&path).unwrap()).unwrap();
    let disk = FileDisk::existing(&path).unwrap();
    let mut recorder = Recorder::resumed(disk, RecorderOptions::new("s1"), held.uuids, held.last);
    recorder.before_request(&list).unwrap();
    assert_all_once(&path, 3);
}

#[test]
fn two_recorders_in_one_process_never_tear_a_line() {
    let (_folder, path) = folder();
    let count = 2_000;
    std::thread::scope(|scope| {
        for name in ["a", "b"] {
            let path = &path;
            scope.spawn(move || {
                let mut recorder = recorder(FileDisk::new(path));
                let mut last: Option<Event> = None;
                for index in 0..count {
                    let next = message(&format!("{name}{index}"), index % 300);
                    let list: Vec<Event> = last.take().into_iter().chain([next.clone()]).collect();
                    recorder.record(&list).unwrap();
                    if index % 3 == 0 {
                        assert!(!recorder.flush().unwrap().healed);
                    }
                    last = Some(next);
                }
                recorder.flush().unwrap();
            });
        }
    });
    let transcript = Transcript::from_bytes(fs::read(&path).unwrap());
    assert_eq!(transcript.defects(), []);
    for name in ["a", "b"] {
        let own: Vec<String> = uuids(&path).into_iter().filter(|uuid| uuid.starts_with(name)).collect();
        assert_eq!(own, (0..count).map(|index| format!("{name}{index}")).collect::<Vec<_>>());
    }
}
