//! A *typed* value is read from JSON and written back as JSON that means the same.

use std::borrow::Cow;

use super::document::Maybe;
use super::shape::Shape;
use crate::json::{FieldError, Fields, Json, Number, Raw, Text, without_lone_surrogates};

/// A type that a field can have.
pub trait Typed: Sized {
    /// The JSON values that it can be read from.
    const SHAPE: Shape;

    /// Reads a value that is not null. The error says where the value, or an element of it, has another JSON type.
    /// Members of another type are no errors: they are misfits.
    fn read_json(json: Json<'_>) -> Result<Self, FieldError>;

    /// Reads a value that is not null into a place. False where [`read_json`](Self::read_json) fails: what is in the
    /// place then has no meaning.
    #[inline]
    fn read_into(place: &mut Maybe<Self>, json: Json<'_>) -> bool {
        let Ok(read) = Self::read_json(json) else { return false };
        *place = Maybe::Is(read);
        true
    }

    /// Reads a value that is not null, as [`read_json`](Self::read_json) does.
    fn read(raw: &Raw) -> Result<Self, FieldError> {
        raw.walked(Self::read_json)
    }

    /// The first known field inside that has another JSON type; its path counts from the value.
    fn misfit(&self) -> Option<FieldError> {
        None
    }

    /// Appends the value as JSON.
    fn write_to(&self, json: &mut String);

    /// The value as JSON text.
    fn to_json(&self) -> String {
        // Most values have less, and memory for them is there.
        let mut json = String::with_capacity(512);
        self.write_to(&mut json);
        json
    }

    /// Writes the value back.
    fn write(&self) -> Raw {
        Raw::written(self.to_json())
    }

    /// Whether it has no lone surrogate, in strings and keys.
    fn is_whole(&self) -> bool {
        matches!(without_lone_surrogates(&self.to_json()), Cow::Borrowed(_))
    }
}

impl Typed for Raw {
    const SHAPE: Shape = Shape::Any;

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        Ok(json.into())
    }

    #[inline(never)]
    fn read_into(place: &mut Maybe<Self>, json: Json<'_>) -> bool {
        *place = Maybe::Absent;
        json.hand_raw(|raw| *place = Maybe::Is(raw));
        true
    }

    fn read(raw: &Raw) -> Result<Self, FieldError> {
        Ok(raw.clone())
    }

    fn write_to(&self, json: &mut String) {
        json.push_str(self.get());
    }

    fn write(&self) -> Raw {
        self.clone()
    }
}

impl Typed for Text {
    const SHAPE: Shape = Shape::Text;

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        json.text().ok_or_else(|| FieldError::new(Self::SHAPE.expected(), json.get()))
    }

    #[inline(never)]
    fn read_into(place: &mut Maybe<Self>, json: Json<'_>) -> bool {
        // What is there is dropped first, so that the text need not wait.
        *place = Maybe::Absent;
        json.hand_text(|text| *place = Maybe::Is(text)).is_some()
    }

    fn write_to(&self, json: &mut String) {
        self.push_token(json);
    }

    fn is_whole(&self) -> bool {
        !self.has_lone_surrogate()
    }
}

impl Typed for bool {
    const SHAPE: Shape = Shape::Flag;

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        match json.get() {
            "true" => Ok(true),
            "false" => Ok(false),
            found => Err(FieldError::new(Self::SHAPE.expected(), found)),
        }
    }

    fn write_to(&self, json: &mut String) {
        json.push_str(if *self { "true" } else { "false" });
    }
}

impl Typed for Number {
    const SHAPE: Shape = Shape::Number;

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        Self::from_json(json).ok_or_else(|| FieldError::new(Self::SHAPE.expected(), json.get()))
    }

    #[inline(never)]
    fn read_into(place: &mut Maybe<Self>, json: Json<'_>) -> bool {
        *place = Maybe::Absent;
        Self::hand(json, |number| *place = Maybe::Is(number)).is_some()
    }

    fn write_to(&self, json: &mut String) {
        json.push_str(self.get());
    }
}

impl Typed for Fields {
    const SHAPE: Shape = Shape::Object(&[]);

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        Self::from_json(json)
    }

    fn write_to(&self, json: &mut String) {
        self.push_json(json);
    }

    fn is_whole(&self) -> bool {
        self.iter().all(|(name, value)| name.is_whole() && value.is_whole())
    }
}

impl<T: Typed> Typed for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);

    fn read_json(json: Json<'_>) -> Result<Self, FieldError> {
        let elements = json.elements().ok_or_else(|| FieldError::new(Self::SHAPE.expected(), json.get()))?;
        let mut list = Self::with_capacity(elements.count_left());
        for element in elements {
            list.push(T::read_json(element).map_err(|error| error.at(list.len()))?);
        }
        Ok(list)
    }

    fn write_to(&self, json: &mut String) {
        json.push('[');
        for (index, element) in self.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            element.write_to(json);
        }
        json.push(']');
    }

    fn misfit(&self) -> Option<FieldError> {
        let found = |(index, element): (usize, &T)| element.misfit().map(|error| error.at(index));
        self.iter().enumerate().find_map(found)
    }
}
