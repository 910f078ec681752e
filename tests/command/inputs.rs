//! Inputs of a check: which files they are, and what is said of those that cannot be read.

#![cfg(feature = "report")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use turnproof::check::{TranscriptFile, gather, read_requests};

fn no_stdin() -> io::Result<TranscriptFile> {
    Err(io::Error::other("nobody asked for it"))
}

#[test]
fn a_file_is_read_where_it_is_and_what_may_be_read_only_once_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let [full, empty] = ["full.jsonl", "empty.jsonl"].map(|name| folder.path().join(name));
    fs::write(&full, "{}\n").unwrap();
    fs::write(&empty, "").unwrap();
    let found = gather(&[full.clone(), empty.clone()], no_stdin);
    let found: Vec<&TranscriptFile> = found.iter().map(|input| input.as_ref().unwrap()).collect();
    assert_eq!((found[0].path.as_path(), found[0].size), (full.as_path(), 3));
    assert_ne!(found[1].path, empty);
    assert_eq!((found[1].name.as_str(), found[1].size), (empty.to_str().unwrap(), 0));
    let in_folder = gather(&[folder.path().to_owned()], no_stdin);
    let paths: Vec<&Path> = in_folder.iter().map(|input| input.as_ref().unwrap().path.as_path()).collect();
    assert_eq!(paths, [empty.as_path(), full.as_path()]);
}

#[test]
fn what_cannot_be_read_comes_with_advice() {
    let described =
        |kind: io::ErrorKind| read_requests(Path::new("-"), || Err(io::Error::from(kind))).unwrap_err().problem;
    assert!(described(io::ErrorKind::NotFound).contains("typing error"));
    assert!(described(io::ErrorKind::PermissionDenied).contains("as a user who may read it"));
    assert!(!described(io::ErrorKind::Interrupted).contains("as a user"));
    let missing = gather(&[PathBuf::from("/no/such/file"), PathBuf::from("-")], no_stdin);
    let problems: Vec<String> = missing.into_iter().map(|input| input.unwrap_err().to_string()).collect();
    assert!(problems[0].starts_with("/no/such/file: ") && problems[0].contains("typing error"), "{problems:?}");
    assert_eq!(problems[1], "-: nobody asked for it");
}
