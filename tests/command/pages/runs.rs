//! What pages *run*. `sh` runs each line with `$` in a block marked `console`, and the lines with `>` that go on with
//! it. What stands below must come out; `[..]` stands for anything within a line, and a line `...` for any lines.
//! `TURNPROOF_WRITE_PAGES=1` writes down what came out instead.

use std::ops::Range;
use std::{env, fs};

use snapbox::IntoData;

use super::{BY_CARGO, lines, pages, root, sample_folder, shell};

/// The commands of the blocks marked `console`, and where in the page their output stands.
fn commands(page: &str) -> Vec<(String, Range<usize>)> {
    let mut commands: Vec<(String, Range<usize>)> = Vec::new();
    for (at, block, line) in lines(page) {
        let end = (at + line.len() + 1).min(page.len());
        if block != Some("console") {
            assert!(!line.starts_with("$ "), "only blocks marked `console` are run: {line}");
            continue;
        }
        match (line.split_at_checked(2), commands.last_mut()) {
            (Some(("$ ", command)), _) => commands.push((command.replace(BY_CARGO, "turnproof "), end..end)),
            (Some(("> ", more)), Some((command, output))) if output.start == output.end => {
                command.push_str(&format!("\n{more}"));
                *output = end..end;
            }
            (_, Some((_, output))) if output.end == at => output.end = end,
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
    eprintln!("{runs} commands were run");
    assert!(runs > 20, "pages have only {runs} commands");
    assert!(different.is_empty(), "{}", different.join("\n"));
}
