//! A *choice* is an enum of a few named things, the plainest first.
//!
//! Plans name choices, also as JSON. Generators and shrinking use their order.

/// One of a few things in a fixed order.
pub trait Choice: Copy + Eq + 'static {
    /// All of them. The first is the plainest.
    const ALL: &'static [Self];

    /// The place among all.
    fn place(self) -> u8;

    /// The choice at a place. After the last place it starts again at the first.
    fn at(place: u8) -> Self {
        Self::ALL[usize::from(place) % Self::ALL.len()]
    }

    /// How many there are.
    fn count() -> u8 {
        Self::ALL.len() as u8
    }

    /// Whether it is the first.
    fn is_plainest(self) -> bool {
        self.place() == 0
    }
}

/// A choice of how a block or a member is written.
pub(super) trait Form: Choice {
    /// Its JSON. `$` marks the place of an id or a text, with its quotes.
    fn json(self) -> &'static str;

    /// Whether it has a place for an id or a text.
    fn is_filled(self) -> bool {
        self.json().contains('$')
    }

    /// Its JSON, with an id or a text in its place.
    fn filled(self, inside: &str) -> String {
        self.json().replace('$', inside)
    }
}

/// Defines choices by name and title, where plans write another name with that one. With a type, each choice has a
/// value of it.
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident: $what_type:ty {
        $($variant:ident $text:literal $title:literal => $what:expr;)+
    }) => {
        $crate::scenario::choice::choices! {
            $(#[$meta])* $name { $($variant $text $title;)+ }
        }

        impl $name {
            pub(in $crate::scenario) fn what(self) -> &'static $what_type {
                const WHAT: &[$what_type] = &[$($what),+];
                &WHAT[self as usize]
            }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal $title:literal;)+ }) => {
        $crate::scenario::choice::choices! {
            $(#[$meta])* $name { $(#[serde(rename = $text)] $variant $title;)+ }
        }
    };
    ($(#[$meta:meta])* $name:ident { $($(#[$of:meta])* $variant:ident $title:expr;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $(#[doc = $title] $(#[$of])* $variant,)+ }

        impl $crate::scenario::choice::Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn place(self) -> u8 {
                self as u8
            }
        }

        impl Default for $name {
            fn default() -> Self {
                <Self as $crate::scenario::choice::Choice>::ALL[0]
            }
        }
    };
}
pub(super) use choices;

/// Defines the forms of a block or of other members, each with its JSON.
macro_rules! forms {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $json:literal)+ }) => {
        $crate::scenario::choice::choices! {
            $(#[$meta])* $name { $($variant concat!("Written as `", $json, "`.");)+ }
        }

        impl $crate::scenario::choice::Form for $name {
            fn json(self) -> &'static str {
                const JSON: &[&str] = &[$($json),+];
                JSON[self as usize]
            }
        }
    };
}
pub(super) use forms;
