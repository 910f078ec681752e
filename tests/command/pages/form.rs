//! The *form* of pages: how wide they are, how long the README is, and where links lead.

use std::fs;
use std::path::Path;

use super::{lines, pages, root};

#[test]
fn lines_of_pages_have_at_most_120_columns() {
    for (name, page) in pages() {
        for (number, line) in page.lines().enumerate() {
            // Tables, links, and errors that are quoted as the API gives them.
            let is_error = line.starts_with("- messages.N") || line.starts_with("  - ") && line.ends_with('"');
            let is_free = line.starts_with('|') || line.contains("://") || is_error;
            let columns = line.chars().count();
            assert!(is_free || columns <= 120, "{}:{}: {columns} columns", name.display(), number + 1);
        }
    }
}

#[test]
fn the_readme_has_at_most_9_000_bytes() {
    let size = fs::metadata(root().join("README.md")).unwrap().len();
    assert!(size <= 9_000, "{size} bytes: more than a first page holds belongs in docs/");
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
fn the_list_of_pages_names_each_page_of_the_docs() {
    let list = fs::read_to_string(root().join("docs/README.md")).unwrap();
    for (name, _) in pages().iter().filter(|(name, _)| name.parent() == Some(Path::new("docs"))) {
        let page = name.file_name().unwrap().to_string_lossy();
        assert!(page == "README.md" || list.contains(&format!("({page})")), "{page} cannot be found");
    }
}
