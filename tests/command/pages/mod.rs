//! The *pages* are what people read: README.md, SPEC.md, `docs/` and their like. They are narrow, their links lead
//! somewhere, what they name is there, and the program prints what they say that it prints.

mod errors;
mod form;
mod names;
mod rules;
mod runs;
mod words;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use tempfile::TempDir;

/// The program as README.md calls it, where nothing is installed.
const BY_CARGO: &str = "cargo run --release -- ";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names and texts of all pages.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "SPEC.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/cases/README.md"]
        .map(|page| root().join(page))
        .into();
    for folder in ["docs", "adapters", "examples", "crates/turnproof-rules/rules", "crates/turnproof-rules/errors"] {
        let found = walkdir::WalkDir::new(root().join(folder)).into_iter().map(|entry| entry.unwrap().into_path());
        paths.extend(found.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    assert!(paths.len() > 100, "{} pages", paths.len());
    let read = |path: PathBuf| (path.strip_prefix(root()).unwrap().to_owned(), fs::read_to_string(&path).unwrap());
    paths.into_iter().map(read).collect()
}

/// Each line of a page: its first byte, the word behind the opening fence if it stands in a block, the line.
fn lines(page: &str) -> impl Iterator<Item = (usize, Option<&str>, &str)> {
    let mut block = None;
    let mut start = 0;
    page.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        let line = line.trim_end();
        match line.strip_prefix("```") {
            Some(word) => {
                block = if block.is_none() { Some(word) } else { None };
                (at, None, line)
            }
            None => (at, block, line),
        }
    })
}

/// A folder with what pages name, at the places where it is in the repository.
fn sample_folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let samples = folder.path().join("docs/samples");
    fs::create_dir_all(&samples).unwrap();
    for entry in fs::read_dir(root().join("docs/samples")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), samples.join(entry.file_name())).unwrap();
    }
    fs::create_dir(folder.path().join("tests")).unwrap();
    for name in ["adapters", "examples", "tests/cases", "tests/conversations", "tests/sessions"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn shell(folder: &TempDir, command: &str) -> Output {
    let program = Path::new(assert_cmd::cargo::cargo_bin!("turnproof")).parent().unwrap().to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([program].into_iter().chain(env::split_paths(&others))).unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("exec 2>&1\n{command}")).current_dir(folder.path()).env("PATH", path);
    shell.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE").output().unwrap()
}
