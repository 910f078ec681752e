//! *Rows* of the format's tables as choices: what is added to a table is drawn, and plans name it.

/// The name of a row in plans, where `-` and `_` are the same, and what the row is.
pub(super) type Row = (&'static str, &'static str);

/// The rows of several lists, one after the other.
pub(super) const fn joined<const COUNT: usize>(lists: &[&[Row]]) -> [Row; COUNT] {
    let mut rows = [("", ""); COUNT];
    let (mut list, mut place) = (0, 0);
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            rows[place] = lists[list][at];
            (place, at) = (place + 1, at + 1);
        }
        list += 1;
    }
    rows
}

/// A row for each of these by its own name, but for those in other lists.
pub(super) const fn named<const COUNT: usize>(names: &[&'static str], others: &[&[&str]]) -> [Row; COUNT] {
    let mut rows = [("", ""); COUNT];
    let (mut at, mut place) = (0, 0);
    while at < names.len() {
        if !has(others, names[at]) {
            rows[place] = (names[at], names[at]);
            place += 1;
        }
        at += 1;
    }
    rows
}

const fn has(lists: &[&[&str]], name: &str) -> bool {
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        if at == lists[list].len() {
            (list, at) = (list + 1, 0);
        } else if is_same(lists[list][at].as_bytes(), name.as_bytes()) {
            return true;
        } else {
            at += 1;
        }
    }
    false
}

/// The place of the row with this name; `None` when there is none.
pub(super) const fn place(rows: &[Row], name: &str) -> Option<u8> {
    let mut at = 0;
    while at < rows.len() {
        if is_same(rows[at].0.as_bytes(), name.as_bytes()) {
            return Some(at as u8);
        }
        at += 1;
    }
    None
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] && !(is_dash(one[at]) && is_dash(other[at])) {
            return false;
        }
        at += 1;
    }
    one.len() == other.len()
}

const fn is_dash(byte: u8) -> bool {
    matches!(byte, b'-' | b'_')
}

/// Defines choices of all rows of a table, with constants for those that the generators name.
macro_rules! rows {
    ($(#[$meta:meta])* $name:ident of $rows:ident { $($CONST:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u8);

        impl $name {
            $(
                #[doc = concat!("`", $text, "`")]
                pub const $CONST: Self = Self($crate::scenario::pool::row::place(&$rows, $text).unwrap());
            )*

            pub(in $crate::scenario) fn what(self) -> &'static &'static str {
                &$rows[usize::from(self.0)].1
            }

            fn name(self) -> String {
                $rows[usize::from(self.0)].0.replace('_', "-")
            }
        }

        impl $crate::scenario::choice::Choice for $name {
            const ALL: &'static [Self] = &{
                let mut all = [Self(0); $rows.len()];
                while (all[0].0 as usize) < all.len() - 1 {
                    all[0].0 += 1;
                    let name = $rows[all[0].0 as usize].0;
                    assert!(
                        matches!($crate::scenario::pool::row::place(&$rows, name), Some(place) if place == all[0].0),
                        "two rows have one name"
                    );
                    all[all[0].0 as usize] = all[0];
                }
                all[0].0 = 0;
                all
            };

            fn place(self) -> u8 {
                self.0
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self(0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                let place = $crate::scenario::pool::row::place(&$rows, &name);
                place.map(Self).ok_or_else(|| serde::de::Error::custom(format!("nothing has the name {name:?}")))
            }
        }
    };
}
pub(super) use rows;
