//! *Ids* that are made from other ids, so that the same input always gives the same ones (SPEC.md section 2.3).

/// How many characters of the parent a derived id keeps.
const KEPT: usize = 24;

/// How many indexes there are: twelve hex digits of them.
const INDEXES: u64 = 1 << 48;

/// How many hex digits of an id its short form is made of.
const DIGITS: usize = 10;

/// How many characters a short id has at most.
const SHORT: usize = 6;

/// An index that twelve hex digits cannot write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("index {index} needs more than twelve hex digits; derive from 16^12 = {INDEXES} blocks at most")]
pub struct DeriveError {
    /// The index.
    pub index: u64,
}

/// An id without enough hex digits to be shortened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{uuid}` does not begin with {DIGITS} hex digits, dashes aside; give a UUID")]
pub struct ShortIdError {
    /// The id.
    pub uuid: String,
}

/// The id of part `index` of the message `parent`: the parent's first 24 characters, then the
/// index in lower-case hex, twelve digits.
///
/// Any parent will do, UUID or not (SPEC.md section 2.3.1).
///
/// ```
/// use turnproof_reference::message::id::derive_uuid;
///
/// let parent = "6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1d";
/// assert_eq!(derive_uuid(parent, 0)?, "6f1c1de6-9b1b-4a5f-8c3d-000000000000");
/// assert_eq!(derive_uuid(parent, 255)?, "6f1c1de6-9b1b-4a5f-8c3d-0000000000ff");
/// assert_eq!(derive_uuid("u1", 1)?, "u1000000000001");
/// assert!(derive_uuid(parent, 1 << 48).is_err());
/// # Ok::<(), turnproof_reference::message::id::DeriveError>(())
/// ```
pub fn derive_uuid(parent: &str, index: u64) -> Result<String, DeriveError> {
    if index >= INDEXES {
        return Err(DeriveError { index });
    }
    let end = parent.char_indices().nth(KEPT).map_or(parent.len(), |(at, _)| at);
    Ok(format!("{}{index:012x}", &parent[..end]))
}

/// A name for an id that fits a narrow column: its first ten hex digits as a number in base 36, cut to six characters.
///
/// Dashes do not count, and upper-case digits are read as lower-case ones. Leading zeros make it shorter than six.
///
/// ```
/// use turnproof_reference::message::id::short_id;
///
/// assert_eq!(short_id("6f1c1de6-9b1b-4a5f-8c3d-2e7f5a9b0c1d")?, "6388cp");
/// assert_eq!(short_id("00000000-00ff-4000-8000-000000000000")?, "0");
/// assert!(short_id("u1").is_err());
/// # Ok::<(), turnproof_reference::message::id::ShortIdError>(())
/// ```
pub fn short_id(uuid: &str) -> Result<String, ShortIdError> {
    let digits: Option<Vec<u32>> = uuid.chars().filter(|&c| c != '-').take(DIGITS).map(|c| c.to_digit(16)).collect();
    match digits {
        Some(digits) if digits.len() == DIGITS => {
            let number = digits.into_iter().fold(0, |number, digit| number * 16 + u64::from(digit));
            Ok(base_36(number).chars().take(SHORT).collect())
        }
        _ => Err(ShortIdError { uuid: uuid.to_owned() }),
    }
}

/// A number in base 36, lower-case, without leading zeros.
fn base_36(mut number: u64) -> String {
    let mut reversed = Vec::new();
    loop {
        reversed.extend(char::from_digit((number % 36) as u32, 36));
        number /= 36;
        if number == 0 {
            return reversed.into_iter().rev().collect();
        }
    }
}
