//! A *document* is a typed view of a JSON object that loses nothing. Known fields are typed, unknown ones stay beside
//! them, and an absent field is not a null one. A *misfit* is a known field of another JSON type: it counts as missing,
//! and is written back as it was.

use super::typed::Typed;
use crate::json::{FieldError, Fields, Json, JsonType, ObjectWriter, Raw, Text};

/// A field that may be absent, null, or there. Readers that dropped nulls changed 42 % of the lines of real sessions
/// when they wrote them back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Maybe<T> {
    /// The object has no such key.
    #[default]
    Absent,
    /// The key is there, its value `null`.
    Null,
    /// The key is there with a value.
    Is(T),
    /// The key is there with a value of another JSON type. It counts as missing, and is written back (SPEC.md section
    /// 2.4).
    Misfit(Box<Raw>),
}

impl<T> Maybe<T> {
    /// The value, if there is one.
    pub fn get(&self) -> Option<&T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Null | Self::Misfit(_) => None,
        }
    }

    /// The value to change, if there is one.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Null | Self::Misfit(_) => None,
        }
    }

    /// Takes a newer value, unless that is missing; null is a value here.
    pub(crate) fn update(&mut self, newer: &Self)
    where
        T: Clone,
    {
        if matches!(newer, Self::Is(_) | Self::Null) {
            self.clone_from(newer);
        }
    }

    /// Whether the object has the key at all.
    pub fn is_present(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// Whether the key is there with a value of another JSON type.
    pub fn is_misfit(&self) -> bool {
        matches!(self, Self::Misfit(_))
    }
}

impl Maybe<Text> {
    /// The text, if there is one.
    pub fn as_str(&self) -> Option<&str> {
        self.get().map(Text::as_str)
    }
}

impl Maybe<bool> {
    /// Whether the flag is set; absent and null count as not set.
    pub fn is_true(&self) -> bool {
        matches!(self, Self::Is(true))
    }
}

impl<T> From<T> for Maybe<T> {
    fn from(value: T) -> Self {
        Self::Is(value)
    }
}

impl From<&str> for Maybe<Text> {
    fn from(text: &str) -> Self {
        Self::Is(text.into())
    }
}

impl<T> From<Option<T>> for Maybe<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Is)
    }
}

impl<T: Typed> Maybe<T> {
    /// Whether it has no lone surrogate.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Self::Absent | Self::Null => true,
            Self::Is(value) => value.is_whole(),
            Self::Misfit(raw) => raw.is_whole(),
        }
    }

    /// Reads a value that may be null, or of any other type, in place of what is there.
    #[inline]
    pub(crate) fn put_json(&mut self, json: Json<'_>) {
        if json.json_type() == JsonType::Null {
            *self = Self::Null;
        } else if !T::read_into(self, json) {
            *self = Self::Misfit(Box::new(json.into()));
        }
    }

    /// Reads a value that may be null, or of any other type.
    pub(crate) fn read(raw: &Raw) -> Self {
        match raw.json_type() {
            JsonType::Null => Self::Null,
            _ => T::read(raw).map_or_else(|_| Self::Misfit(Box::new(raw.clone())), Self::Is),
        }
    }

    /// Reads the member of this name, if there is one.
    pub(crate) fn of(fields: &Fields, name: &str) -> Self {
        fields.get(name).map_or(Self::Absent, Self::read)
    }

    /// What has another JSON type: the member itself, which is called so, or the first one inside.
    pub(crate) fn misfit(&self, name: &str) -> Option<FieldError> {
        let error = match self {
            Self::Absent | Self::Null => None,
            Self::Is(value) => value.misfit(),
            Self::Misfit(raw) => T::read(raw).err(),
        };
        error.map(|error| error.within(name))
    }

    /// Appends the field to an object, unless it is absent. Its name is written with the comma before it, the quotes and
    /// the colon.
    #[inline]
    pub(super) fn write_into(&self, name: &'static str, object: &mut ObjectWriter<'_>) {
        if self.is_present() {
            self.write_present(name, object);
        }
    }

    fn write_present(&self, name: &'static str, object: &mut ObjectWriter<'_>) {
        let json = object.member_of_token(name);
        match self {
            Self::Absent | Self::Null => json.push_str("null"),
            Self::Is(value) => value.write_to(json),
            Self::Misfit(raw) => raw.write_to(json),
        }
    }
}

/// Declares a document: a struct with a [`Maybe`] field for each known member.
///
/// `struct Name { field: Type = "jsonName", … }` declares a whole object, which keeps unknown members in `extra`.
/// `struct Name in Envelope { … }` also has the members of an envelope. `part struct Name { … }` declares members only,
/// to be such an envelope.
macro_rules! document {
    ($(#[$meta:meta])* pub part struct $Name:ident { $($members:tt)* }) => {
        $crate::message::document::document!(@declare [$(#[$meta])*] $Name [] [] $($members)*);
    };
    ($(#[$meta:meta])* pub struct $Name:ident in Envelope { $($members:tt)* }) => {
        $crate::message::document::document!(@declare [$(#[$meta])*] $Name [envelope] [extra] $($members)*);

        impl $Name {
            /// Reads a document from an object's members, `type` taken out.
            pub(crate) fn from_members(members: $crate::json::Members<'_>) -> std::sync::Arc<Self> {
                // Filled where it is: most documents are large, and moving one is as much work as reading it.
                let mut shared = std::sync::Arc::<Self>::default();
                if let Some(document) = std::sync::Arc::get_mut(&mut shared) {
                    let mut extra = $crate::json::WithRepeated::default();
                    for (name, value) in members {
                        if !document.put(name, value) && !document.envelope.put(name, value) {
                            extra.push(name, value);
                        }
                    }
                    if !extra.is_empty() {
                        document.extra = extra.last_of_each();
                    }
                }
                shared
            }

            /// The first known field that has another JSON type.
            pub(crate) fn misfit(&self) -> Option<$crate::json::FieldError> {
                self.envelope.misfit_member().or_else(|| self.misfit_member())
            }

            /// Appends all members that are present, with the envelope's those of another one.
            pub(crate) fn write_into(
                &self,
                envelope: &$crate::message::Envelope,
                object: &mut $crate::json::ObjectWriter<'_>,
            ) {
                envelope.write_members(object);
                self.write_members(object);
                self.extra.push_members(object);
            }
        }
    };
    ($(#[$meta:meta])* pub struct $Name:ident { $($members:tt)* }) => {
        $crate::message::document::document!(@declare [$(#[$meta])*] $Name [] [extra] $($members)*);

        impl $Name {
            /// Reads a document from an object's members.
            pub(crate) fn from_members(members: $crate::json::Members<'_>) -> Self {
                let mut document = Self::default();
                document.fill(members);
                document
            }

            /// The same, filled where it is.
            #[allow(dead_code, reason = "for blocks")]
            pub(crate) fn boxed(members: $crate::json::Members<'_>) -> Box<Self> {
                let mut document = Box::<Self>::default();
                document.fill(members);
                document
            }

            /// Sets an empty document's members.
            fn fill(&mut self, members: $crate::json::Members<'_>) {
                let mut extra = $crate::json::WithRepeated::default();
                for (name, value) in members {
                    if !self.put(name, value) {
                        extra.push(name, value);
                    }
                }
                if !extra.is_empty() {
                    self.extra = extra.last_of_each();
                }
            }

            /// Appends all members that are present.
            pub(crate) fn write_into(&self, object: &mut $crate::json::ObjectWriter<'_>) {
                self.write_members(object);
                self.extra.push_members(object);
            }
        }

        impl $crate::message::Typed for $Name {
            const SHAPE: $crate::message::Shape = $crate::message::Shape::Object(Self::MEMBERS);

            fn read_json(json: $crate::json::Json<'_>) -> Result<Self, $crate::json::FieldError> {
                let members = json.members().ok_or_else(|| $crate::json::FieldError::new("an object", json.get()))?;
                Ok(Self::from_members(members))
            }

            fn read_into(place: &mut $crate::message::Maybe<Self>, json: $crate::json::Json<'_>) -> bool {
                let Some(members) = json.members() else { return false };
                *place = $crate::message::Maybe::Is(Self::default());
                if let $crate::message::Maybe::Is(document) = place {
                    document.fill(members);
                }
                true
            }

            fn misfit(&self) -> Option<$crate::json::FieldError> {
                self.misfit_member()
            }

            fn write_to(&self, json: &mut String) {
                let mut object = $crate::json::ObjectWriter::begin(json);
                self.write_into(&mut object);
                object.end();
            }

            fn is_whole(&self) -> bool {
                self.are_members_whole() && self.extra.is_whole()
            }
        }
    };
    (
        @declare [$($meta:tt)*] $Name:ident [$($envelope:ident)?] [$($extra:ident)?]
        $( $(#[$field_meta:meta])* $field:ident: $Type:ty = $key:literal, )*
    ) => {
        $($meta)*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $Name {
            $(
                /// The fields that every kind may have.
                pub $envelope: $crate::message::Envelope,
            )?
            $( $(#[$field_meta])* pub $field: $crate::message::Maybe<$Type>, )*
            $(
                /// Unknown members, in order.
                pub $extra: $crate::json::Fields,
            )?
        }

        #[allow(dead_code, unreachable_code, unused_mut, unused_variables, reason = "a document may have no members, or be no part")]
        impl $Name {
            /// The known members, without those of an envelope: names in JSON, and shapes.
            pub const MEMBERS: &'static [$crate::message::Member] = &[
                $( $crate::message::Member { name: $key, shape: <$Type as $crate::message::Typed>::SHAPE }, )*
            ];

            /// Reads the member if it is a known one; false if not. Of a repeated one the last value stays.
            #[allow(non_upper_case_globals, reason = "a constant for each field has its name")]
            pub(crate) fn put(&mut self, name: $crate::json::Name<'_>, value: $crate::json::Json<'_>) -> bool {
                struct Hash;
                impl Hash {
                    $( const $field: u32 = $crate::json::hash_name($key.as_bytes()); )*
                }
                match name.hash() {
                    $( Hash::$field if name.is(Hash::$field, $key) => self.$field.put_json(value), )*
                    _ => return false,
                }
                true
            }

            /// The first known member that has another JSON type, or has one inside.
            pub(crate) fn misfit_member(&self) -> Option<$crate::json::FieldError> {
                $( if let Some(error) = self.$field.misfit($key) {
                    return Some(error);
                } )*
                None
            }

            /// Appends the known members that are present.
            pub(crate) fn write_members(&self, object: &mut $crate::json::ObjectWriter<'_>) {
                $( self.$field.write_into(concat!(",\"", $key, "\":"), object); )*
            }

            /// Takes the known members that another document gives: those that are there and not null.
            pub(crate) fn take_given(&mut self, other: &Self) {
                $( if other.$field.get().is_some() {
                    self.$field.clone_from(&other.$field);
                } )*
            }

            /// Whether no known member has a lone surrogate.
            fn are_members_whole(&self) -> bool {
                true $( && self.$field.is_whole() )*
            }
        }
    };
}

pub(crate) use document;

/// Gives a type that reads and writes as a [`Raw`] value its serde implementations.
macro_rules! serde_through_raw {
    ($Name:ty) => {
        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::message::Typed::write(self).serialize(serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $Name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                let read = $crate::json::walked(raw.get(), <Self as $crate::message::Typed>::read_json);
                let read = read.ok_or_else(|| serde::de::Error::custom("a value of 4 GiB or more"))?;
                read.map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_through_raw;
