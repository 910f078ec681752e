//! What pages *run*. `sh` runs each line with `$` in a block marked `console`, and the lines with `>` that go on with
//! it. What stands below must come out; `[..]` stands for anything within a line, and a line `...` for any lines.
//! `TURNPROOF_WRITE_PAGES=1` writes down what came out instead, cut where it was cut before.

use std::ops::Range;
use std::{env, fs};

use snapbox::IntoData;

use super::{BY_CARGO, lines, pages, root, sample_folder, shell};
use crate::call::has_python;

/// A command of a block marked `console`.
struct Command {
    /// The number of its block.
    block: usize,
    line: String,
    /// Where in the page its output stands.
    output: Range<usize>,
}

fn commands(page: &str) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut number = 0;
    for (at, block, line) in lines(page) {
        let end = (at + line.len() + 1).min(page.len());
        if block != Some("console") {
            assert!(!line.starts_with("$ "), "only blocks marked `console` are run: {line}");
            number += 1;
            continue;
        }
        match (line.split_at_checked(2), commands.last_mut()) {
            (Some(("$ ", command)), _) => {
                let line = command.replace(BY_CARGO, "turnproof ");
                commands.push(Command { block: number, line, output: end..end });
            }
            (Some(("> ", more)), Some(Command { line, output, .. })) if output.start == output.end => {
                line.push_str(&format!("\n{more}"));
                *output = end..end;
            }
            (_, Some(Command { output, .. })) if output.end == at => output.end = end,
            _ => panic!("output without a command: {line}"),
        }
    }
    commands
}

#[test]
fn each_command_on_a_page_prints_what_stands_below_it() {
    let (mut runs, mut different) = (0, Vec::new());
    for (name, mut page) in pages() {
        let folder = sample_folder();
        let mut found = Vec::new();
        let mut skipped = None;
        for Command { block, line: command, output: place } in commands(&page) {
            // What follows in its block may read what it writes.
            if skipped == Some(block) || command.contains("python3") && !has_python() {
                eprintln!("not run: {command}");
                skipped = Some(block);
                continue;
            }
            let printed = String::from_utf8(shell(&folder, &command).stdout).unwrap();
            let title = format!("{}: {command}", name.display());
            let compare = snapbox::Assert::new().normalize_paths(false);
            let expected = page[place.clone()].into_data();
            runs += 1;
            if let Err(difference) = compare.try_eq(Some(&title), printed.as_str().into_data(), expected) {
                let cut = cut_as(&page[place.clone()], &printed);
                found.push((place, cut));
                different.push(difference.to_string());
            }
        }
        if !found.is_empty() && env::var_os("TURNPROOF_WRITE_PAGES").is_some() {
            found.into_iter().rev().for_each(|(place, printed)| page.replace_range(place, &printed));
            fs::write(root().join(&name), page).unwrap();
        }
    }
    eprintln!("{runs} commands were run");
    assert!(runs > 20, "pages have only {runs} commands");
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// Cuts an output where the one that stands there is cut: as many lines before the first `...`, after the last, and from
/// the line on that each part between begins with. Lines that still fit `[..]` stay.
fn cut_as(old: &str, printed: &str) -> String {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = printed.lines().collect();
    let parts: Vec<&[&str]> = old.split(|line| *line == "...").collect();
    let mut cut: Vec<String> = Vec::new();
    let mut done = 0;
    for (number, part) in parts.iter().enumerate() {
        let from = match number {
            0 => Some(0),
            _ if number + 1 == parts.len() => Some(new.len().saturating_sub(part.len()).max(done)),
            _ => (done..new.len()).find(|&at| part.first().is_some_and(|first| fits(first, new[at]))),
        };
        let Some(from) = from else { continue };
        let end = if parts.len() == 1 { new.len() } else { (from + part.len()).min(new.len()) };
        cut.extend((from > done).then(|| "...".to_owned()));
        cut.extend((0..end.saturating_sub(from)).map(|at| cut_line(part.get(at).copied(), new[from + at])));
        done = end.max(done);
    }
    cut.iter().map(|line| format!("{line}\n")).collect()
}

/// A line: as it stood, if it still fits; as long as what stood, if that was cut at its end.
fn cut_line(old: Option<&str>, new: &str) -> String {
    match old {
        Some(old) if fits(old, new) => old.to_owned(),
        Some(old) if old.ends_with("[..]") && new.chars().count() > old.chars().count() => {
            let kept: String = new.chars().take(old.chars().count() - "[..]".len()).collect();
            format!("{kept}[..]")
        }
        _ => new.to_owned(),
    }
}

/// Whether a line is what another says, where `[..]` stands for anything.
fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else { return false };
    let mut ends_open = false;
    for part in parts {
        ends_open = part.is_empty();
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    ends_open || rest.is_empty()
}

#[test]
fn an_output_that_is_written_anew_is_cut_where_it_was_cut() {
    let old = "a: 1\n...\nm [..]\nn\n...\nz in [..] s\n";
    let new = "a: 2\nb\nc\nm 5\no\np\nz in 3 s\n";
    assert_eq!(cut_as(old, new), "a: 2\n...\nm [..]\no\n...\nz in [..] s\n");
    assert_eq!(cut_as("a\n", new), new);
    assert_eq!(cut_as("a\n...\n", new), "a: 2\n...\n");
    assert_eq!(cut_as("long[..]\n", "another one\n"), "anot[..]\n");
}
