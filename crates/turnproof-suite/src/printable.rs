//! What is *printable* takes one place a character and does nothing to a terminal.

/// The most characters that [`line`] shows.
const LONGEST: usize = 2000;

/// A whole line, made fit for a terminal; cut after 2,000 characters.
pub fn line(bytes: &[u8]) -> String {
    let mut text: String = characters(bytes).take(LONGEST).collect();
    if characters(bytes).nth(LONGEST).is_some() {
        text.push('…');
    }
    text
}

/// A whole line, in which each character is what it is: one that cannot be seen is written by its number, as in
/// `<U+FEFF>`, and a byte that is no UTF-8 as in `<0xFF>`. Control characters have their pictures. Cut after 2,000
/// characters.
pub fn exact(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match show(character) {
                shown if shown == character || character < '\u{80}' => text.push(shown),
                _ => text.push_str(&format!("<U+{:04X}>", character as u32)),
            }
        }
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("<0x{byte:02X}>")));
    }
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The bytes as characters that take one place each and do nothing to a terminal.
pub fn characters(bytes: &[u8]) -> impl Iterator<Item = char> {
    measured(bytes).map(|(character, _)| character)
}

/// The same [characters], each with its number of bytes.
pub fn measured(bytes: &[u8]) -> impl Iterator<Item = (char, usize)> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let broken = chunk.invalid().len();
        let valid = chunk.valid().chars().map(|character| (show(character), character.len_utf8()));
        valid.chain((broken > 0).then_some((char::REPLACEMENT_CHARACTER, broken)))
    })
}

fn show(character: char) -> char {
    match character {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + character as u32).unwrap_or(' '),
        '\u{7F}' => '\u{2421}',
        '\u{85}' | '\u{2028}' | '\u{2029}' => '\u{2424}',
        '\u{FEFF}' => '\u{2423}',
        '\u{80}'..='\u{9F}'
        | '\u{AD}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' => char::REPLACEMENT_CHARACTER,
        _ => character,
    }
}
