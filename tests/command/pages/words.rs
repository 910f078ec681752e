//! Words that must not come back to pages and comments: the field has plainer ones (detect, fix, again, exercise).

use std::fs;

use super::{lines, pages, root};

const WORDS: &[&str] = &[
    "anew",
    "by chance",
    "convict",
    "convicted",
    "convicts",
    "injuries",
    "injury",
    "mend",
    "mended",
    "mends",
    "plot",
    "put to the test",
];

#[test]
fn pages_use_the_words_of_the_field() {
    // What the matrix says is made by its program.
    for (name, page) in pages().into_iter().filter(|(name, _)| !name.ends_with("docs/matrix.md")) {
        for (number, (_, _, line)) in lines(&page).enumerate().filter(|(_, (_, block, _))| block.is_none()) {
            let prose: String = line.split('`').step_by(2).collect();
            let words: Vec<_> = prose.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let prose = format!(" {} ", words.join(" ").to_lowercase());
            let found = WORDS.iter().find(|word| prose.contains(&format!(" {word} ")));
            assert!(found.is_none(), "{}:{}: {found:?}", name.display(), number + 1);
        }
    }
}

/// How such words begin in comments of the sources. The comments of a command line are its help.
const BEGINNINGS: &[&str] =
    &["anew", "by chance", "convict", "injur", "mend", "plot", "put to the test", "what is none", "what is told"];

#[test]
fn comments_use_the_words_of_the_field() {
    let folders = ["src", "crates", "tests", "fuzz", "benches", "examples"];
    let entries = folders.into_iter().flat_map(|folder| walkdir::WalkDir::new(root().join(folder)));
    let paths = entries.map(|entry| entry.unwrap().into_path());
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let source = fs::read_to_string(&path).unwrap();
        for (number, line) in source.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//")) {
            let comment = format!(" {}", line.to_lowercase());
            let found = BEGINNINGS.iter().find(|word| comment.contains(&format!(" {word}")));
            assert!(found.is_none(), "{}:{}: {found:?}", path.display(), number + 1);
        }
    }
}
