//! *Members* of an event are taken out of an object one by one; what stays is unknown and kept.

use crate::json::{FieldError, Fields, JsonType, Raw, Text};
use crate::message::{Maybe, Typed};

/// The `type` of an object: `None` when it is absent or null.
pub(super) fn type_of(fields: &Fields) -> Result<Option<Text>, FieldError> {
    match fields.get("type") {
        Some(raw) if raw.json_type() != JsonType::Null => {
            Text::read(raw).map(Some).map_err(|error| error.within("type"))
        }
        _ => Ok(None),
    }
}

/// Takes a member that has to be there.
pub(super) fn needed<T: Typed>(fields: &mut Fields, name: &str) -> Result<T, FieldError> {
    let raw = fields.take(name).ok_or_else(|| missing::<T>(name))?;
    T::read(&raw).map_err(|error| error.within(name))
}

/// Takes a member that may be absent or null.
pub(super) fn optional<T: Typed>(fields: &mut Fields, name: &str) -> Result<Maybe<T>, FieldError> {
    match fields.take(name) {
        None => Ok(Maybe::Absent),
        Some(raw) if raw.json_type() == JsonType::Null => Ok(Maybe::Null),
        Some(raw) => T::read(&raw).map(Maybe::Is).map_err(|error| error.within(name)),
    }
}

/// Sets a member, unless it is absent.
pub(super) fn put<T: Typed>(fields: &mut Fields, name: &str, value: &Maybe<T>) {
    match value {
        Maybe::Absent => {}
        Maybe::Null => fields.set(name, null()),
        Maybe::Is(value) => fields.set(name, value.write()),
    }
}

/// `null`
pub(super) fn null() -> Raw {
    Raw::null()
}

fn missing<T: Typed>(name: &str) -> FieldError {
    FieldError {
        path: name.to_owned(),
        expected: T::SHAPE.expected().into(),
        found: "absent",
        shown: "the event has no such member".to_owned(),
    }
}
