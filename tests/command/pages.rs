//! The *pages* are what people read: README.md, SPEC.md, `docs/` and their like. They are narrow, their links lead
//! somewhere, and the program prints what they say that it prints.
//!
//! `sh` runs each line with `$` in a block marked `console`, and the lines with `>` that go on with it. What stands
//! below must come out; `[..]` stands for anything within a line, and a line `...` for any lines. `TURNPROOF_WRITE_PAGES=1` writes down what came out
//! instead. Blocks marked `sh` or `yaml` hold what cannot run here: cargo, git, files that only the reader has. There
//! and in the running text each call of the program must at least be one that it knows.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use snapbox::IntoData;
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
    for folder in ["docs", "adapters", "examples", "crates/turnproof-rules/rules"] {
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

/// The commands of the blocks marked `console`, and where in the page their output stands.
fn commands(page: &str) -> Vec<(String, Range<usize>)> {
    let mut commands: Vec<(String, Range<usize>)> = Vec::new();
    for (at, block, line) in lines(page) {
        let end = (at + line.len() + 1).min(page.len());
        if block != Some("console") {
            continue;
        }
        match (line.split_at_checked(2), commands.last_mut()) {
            (Some(("$ ", command)), _) => commands.push((command.replace(BY_CARGO, "turnproof "), end..end)),
            (Some(("> ", more)), Some((command, output))) if output.start == output.end => {
                command.push_str(&format!("\n{more}"));
                *output = end..end;
            }
            (_, Some((_, output))) => output.end = end,
            (_, None) => panic!("a block without a command: {line}"),
        }
    }
    commands
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
    for name in ["tests/cases", "tests/conversations", "tests/sessions"] {
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

#[test]
fn each_command_on_a_page_prints_what_stands_below_it() {
    let (mut runs, mut different) = (0, Vec::new());
    for (name, mut page) in pages() {
        let folder = sample_folder();
        let mut found = Vec::new();
        for (command, place) in commands(&page) {
            let printed = String::from_utf8(shell(&folder, &command).stdout).unwrap();
            let title = format!("{}: {command}", name.display());
            let compare = snapbox::Assert::new().normalize_paths(false);
            let expected = page[place.clone()].into_data();
            runs += 1;
            if let Err(difference) = compare.try_eq(Some(&title), printed.as_str().into_data(), expected) {
                found.push((place, printed));
                different.push(difference.to_string());
            }
        }
        if !found.is_empty() && env::var_os("TURNPROOF_WRITE_PAGES").is_some() {
            found.into_iter().rev().for_each(|(place, printed)| page.replace_range(place, &printed));
            fs::write(root().join(&name), page).unwrap();
        }
    }
    println!("{runs} commands were run");
    assert!(runs > 0, "no page has a command");
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn the_program_knows_each_call_that_a_page_names() {
    let pages = pages();
    let mut calls = BTreeSet::new();
    for (name, page) in pages.iter().filter(|(name, _)| !name.ends_with("CHANGELOG.md")) {
        for (_, block, line) in lines(page) {
            let in_blocks = matches!(block, Some("sh" | "yaml")).then(|| line.split(" #").next().unwrap());
            let in_text = line.split('`').skip(1).step_by(2).filter(|_| block.is_none());
            let parts = in_blocks.iter().flat_map(|line| line.split(['|', '>'])).chain(in_text);
            for part in parts.map(|part| part.trim_start_matches("- run: ").trim().replace(BY_CARGO, "turnproof ")) {
                if part.starts_with("turnproof ") {
                    calls.insert((part.trim_end_matches('…').to_owned(), name));
                }
            }
        }
    }
    let folder = sample_folder();
    println!("{} calls are known", calls.len());
    assert!(calls.len() > 20, "{calls:?}");
    for (call, page) in calls {
        let output = shell(&folder, &format!("{call} --help"));
        assert!(output.status.success(), "{}: {call}\n{}", page.display(), String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn lines_of_pages_have_at_most_120_columns() {
    for (name, page) in pages() {
        for (number, line) in page.lines().enumerate() {
            // Tables, links, and errors that are quoted as the API gives them.
            let is_free = line.starts_with('|') || line.contains("://") || line.starts_with("- messages.N");
            let columns = line.chars().count();
            assert!(is_free || columns <= 120, "{}:{}: {columns} columns", name.display(), number + 1);
        }
    }
}

#[test]
fn the_readme_has_at_most_12_000_bytes() {
    let size = fs::metadata(root().join("README.md")).unwrap().len();
    assert!(size <= 12_000, "{size} bytes: more than a first page holds belongs in docs/");
}

/// The anchors of the headings of a page, as GitHub makes them.
fn anchors(page: &str) -> Vec<String> {
    let headings = lines(page).filter(|(_, block, line)| block.is_none() && line.starts_with('#'));
    let is_kept = |c: &char| c.is_alphanumeric() || "-_ ".contains(*c);
    let anchor = |title: &str| title.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-");
    headings.map(|(_, _, line)| anchor(line.trim_start_matches('#').trim())).collect()
}

#[test]
fn each_link_leads_to_a_file_and_each_anchor_to_a_heading() {
    let mut links = 0;
    for (name, page) in pages() {
        let text: String = lines(&page).filter(|line| line.1.is_none()).map(|line| format!("{}\n", line.2)).collect();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") {
                continue;
            }
            links += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = match file {
                "" => root().join(&name),
                _ => root().join(&name).with_file_name("").join(file),
            };
            assert!(file.exists(), "{}: {link}", name.display());
            let has_anchor = || anchors(&fs::read_to_string(&file).unwrap()).iter().any(|known| known == anchor);
            assert!(anchor.is_empty() || has_anchor(), "{}: {link}", name.display());
        }
    }
    assert!(links > 20, "{links} links");
}

#[test]
fn the_readme_names_each_page_of_the_docs() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    for (name, _) in pages().iter().filter(|(name, _)| name.parent() == Some(Path::new("docs"))) {
        assert!(readme.contains(&format!("({})", name.display())), "{} cannot be found", name.display());
    }
}
