//! What is known of *models* by their names.

/// Whether the client gives a model its reminders as turns of the system. Recorded of the client 2.1.332 on 2026-11-26:
/// `claude-opus-4-6` and `claude-sonnet-4-5` get texts, `claude-opus-4-8` and the families of 5 get turns. Between 4.6
/// and 4.8 that is inferred.
///
/// ```
/// use turnproof_format::takes_system_turns;
///
/// assert!(takes_system_turns("claude-opus-5-5"));
/// assert!(!takes_system_turns("claude-opus-4-6"));
/// assert!(!takes_system_turns("claude-sonnet-4-5-20250929"));
/// ```
pub fn takes_system_turns(model: &str) -> bool {
    version(model).is_some_and(|version| version >= (4, 8))
}

/// The version in a model's name: its first two small numbers.
fn version(model: &str) -> Option<(u32, u32)> {
    let mut numbers =
        model.split(['-', '@', ':', '.']).filter(|word| word.len() < 3).filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next().unwrap_or(0)))
}
