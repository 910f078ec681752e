//! What a scan of JSON text says: the places and types of values, the keys of members, and what is wrong.

use super::text::unescape;

/// A range of bytes of the scanned text. Texts are shorter than 4 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The bytes of the span in the text that it was measured on.
    #[inline]
    pub fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start as usize..self.end as usize]
    }

    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }
}

/// Declares an enum whose variants have fixed names, and the method that gives them.
macro_rules! named {
    (
        $(#[$meta:meta])*
        pub enum $Enum:ident { $( $(#[$variant_meta:meta])* $Variant:ident = $text:literal, )* }
        $(#[$method_meta:meta])*
        $method:ident
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $Enum {
            $( #[doc = concat!("`", $text, "`")] $(#[$variant_meta])* $Variant, )*
        }

        impl $Enum {
            $(#[$method_meta])*
            pub const fn $method(self) -> &'static str {
                match self {
                    $( Self::$Variant => $text, )*
                }
            }
        }
    };
}

pub(crate) use named;

named! {
    /// The six types of a JSON value.
    pub enum JsonType {
        Null = "null",
        Bool = "boolean",
        Number = "number",
        String = "string",
        Array = "array",
        Object = "object",
    }
    /// The type's name in messages.
    name
}

impl JsonType {
    /// The type of the value that begins with `byte`; anything unknown would be a number.
    #[inline]
    pub fn of(byte: u8) -> Self {
        match byte {
            b'n' => Self::Null,
            b't' | b'f' => Self::Bool,
            b'"' => Self::String,
            b'[' => Self::Array,
            b'{' => Self::Object,
            _ => Self::Number,
        }
    }
}

/// What stopped a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Another byte than the named thing.
    Expected(&'static str),
    /// The text ends inside a value.
    EndOfText,
    /// A container at depth [`MAX_DEPTH`](super::MAX_DEPTH) + 1.
    TooDeep,
    /// A message of more content blocks than are looked into.
    TooMany,
    /// A raw byte below 0x20 inside a string.
    ControlInString,
    /// A backslash before something that is not an escape.
    BadEscape,
}

/// Where and why a scan stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The byte at which the text stops being JSON.
    pub at: usize,
    /// The reason.
    pub kind: FaultKind,
}

/// A defect that does not stop the scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// An object has this key a second time.
    RepeatedKey,
    /// An escape is half of a surrogate pair.
    LoneSurrogate,
}

/// A defect that does not stop the scan, and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// What it is.
    pub kind: FlawKind,
    /// The key without its quotes, or the escape.
    pub span: Span,
}

/// A member's name as written, without its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Where it is.
    pub span: Span,
    /// Whether it holds escapes.
    pub escaped: bool,
    pub(crate) hash: u32,
}

impl Key {
    /// Whether the key, its escapes read, is this name.
    #[inline]
    pub fn is(self, bytes: &[u8], name: &str) -> bool {
        let key = self.span.of(bytes);
        key == name.as_bytes() || (self.escaped && unescape(key) == name.as_bytes())
    }
}
