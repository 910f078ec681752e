//! Files *on disk* that are watched: they grow, are cut, replaced, and come and go.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use turnproof::check::{Again, Event, Watcher};
use turnproof_rules::rules::Severity;

use super::{NEXT, USER, append, line, options, words};

/// Files on disk that are looked at, at times that the test says.
struct Disk {
    folder: tempfile::TempDir,
    watcher: Watcher,
    now: Duration,
}

impl Disk {
    /// Watches the folder, or files in it, when `before` has been done in it.
    fn new(named: &[&str], before: impl Fn(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        before(folder.path());
        let paths: Vec<PathBuf> = match named {
            [] => vec![folder.path().to_owned()],
            named => named.iter().map(|name| folder.path().join(name)).collect(),
        };
        Self { watcher: Watcher::new(&paths, &options(), false), folder, now: Duration::ZERO }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Looks at once, and when all is at rest; gives what was told, with the file's name.
    fn look(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        for _ in 0..2 {
            let mut tell = |file: &str, event: Event<'_>| {
                let name = Path::new(file).file_name().unwrap().to_str().unwrap();
                told.push(format!("{name}: {}", words(&event)));
                Ok(())
            };
            self.watcher.poll(self.now, &mut tell).unwrap();
            self.now += Duration::from_secs(2);
        }
        told
    }
}

#[test]
fn what_stands_in_a_file_before_is_known_and_what_comes_is_new() {
    let mut disk = Disk::new(&["s.jsonl"], |folder| append(&folder.join("s.jsonl"), &(line(USER) + "no json\n")));
    assert_eq!(disk.look(), [r#"s.jsonl: began 2 {"wire/json-object": 1}"#, "s.jsonl: damaged"]);
    append(&disk.path("s.jsonl"), "no json\n");
    let said = disk.look();
    assert_eq!(said[0], "s.jsonl: 3 wire/json-object");
    assert!(disk.watcher.is_broken(Severity::Error));
}

#[test]
fn a_file_may_come_later_be_cut_replaced_changed_and_removed() {
    let mut disk = Disk::new(&["s.jsonl"], |_| {});
    let path = disk.path("s.jsonl");
    assert!(disk.look().is_empty());
    append(&path, &(line(USER) + "no json\n"));
    assert_eq!(disk.look(), ["s.jsonl: 2 wire/json-object", "s.jsonl: damaged"]);
    fs::write(&path, line(USER)).unwrap();
    let cut = format!("s.jsonl: again {:?}", Again::Truncated);
    assert_eq!(disk.look(), [cut.as_str(), "s.jsonl: gone wire/json-object 1", "s.jsonl: healthy"]);
    // Rotated: what is still written to the old file is read before the new one.
    append(&path, "\0\n");
    fs::rename(&path, disk.path("s.jsonl.1")).unwrap();
    append(&path, &(line(USER) + "half\n" + &line(USER) + "\n\n\n\n"));
    let replaced = format!("s.jsonl: again {:?}", Again::Replaced);
    let said = disk.look();
    assert_eq!(said[..3], ["s.jsonl: 2 wire/no-nul", replaced.as_str(), "s.jsonl: 2 wire/json-object"]);
    assert!(said.contains(&"s.jsonl: gone wire/no-nul 1".to_owned()), "{said:?}");
    // Longer than before, and another beginning.
    fs::write(&path, line(NEXT) + &line(USER) + &"\n".repeat(900)).unwrap();
    let said = disk.look();
    assert_eq!(said[0], format!("s.jsonl: again {:?}", Again::Rewritten));
    assert!(said.contains(&"s.jsonl: gone wire/json-object 1".to_owned()), "{said:?}");
    fs::remove_file(&path).unwrap();
    assert_eq!(disk.look(), ["s.jsonl: removed"]);
    append(&path, &line(USER));
    assert_eq!(disk.look(), ["s.jsonl: gone chain/parent-exists 1", "s.jsonl: healthy"]);
    assert!(!disk.watcher.is_broken(Severity::Warning));
}

#[test]
fn a_change_in_the_midst_of_a_file_is_found_although_its_size_is_the_same() {
    let mut disk = Disk::new(&["s.jsonl"], |_| {});
    let path = disk.path("s.jsonl");
    let filling = line(r#"{"type":"summary","summary":"a","leafUuid":"u1"}"#).repeat(20);
    fs::write(&path, format!("{filling}{USER}\n{filling}")).unwrap();
    assert_eq!(disk.look(), ["s.jsonl: healthy"]);
    fs::write(&path, format!("{filling}{}\n{filling}", USER.replace("\"u1\"", "\"u1 "))).unwrap();
    // A file system may keep times no finer than some milliseconds.
    let later = std::time::SystemTime::now() + Duration::from_secs(5);
    fs::OpenOptions::new().append(true).open(&path).unwrap().set_modified(later).unwrap();
    assert_eq!(disk.look()[0], "s.jsonl: 21 wire/json-object");
}

#[test]
fn in_a_folder_a_file_is_read_when_it_changes_and_new_ones_are_found() {
    let mut disk = Disk::new(&[], |folder| {
        append(&folder.join("old.jsonl"), &(line(USER) + "no json\n"));
        append(&folder.join("quiet.jsonl"), "no json\n");
        append(&folder.join("other.txt"), "no json\n");
    });
    assert!(disk.look().is_empty());
    fs::create_dir(disk.path("sub")).unwrap();
    append(&disk.path("sub/new.jsonl"), "no json\n");
    append(&disk.path("old.jsonl"), "\0\n");
    let said = disk.look();
    for expected in [
        r#"old.jsonl: began 2 {"wire/json-object": 1}"#,
        "old.jsonl: 3 wire/no-nul",
        "new.jsonl: 1 wire/json-object",
        "new.jsonl: not a session",
    ] {
        assert!(said.iter().any(|said| said == expected), "{expected}: {said:?}");
    }
    assert!(said.iter().all(|said| !said.starts_with("quiet") && !said.starts_with("other")), "{said:?}");
    assert_eq!(disk.watcher.len(), 3);
    fs::remove_file(disk.path("sub/new.jsonl")).unwrap();
    assert_eq!(disk.look(), ["new.jsonl: removed"]);
    assert_eq!(disk.watcher.len(), 2);
}
