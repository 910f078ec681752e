//! Words that must not come back to pages, because the field has a plainer one: detect, fix, again, exercise.

use super::{lines, pages};

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
