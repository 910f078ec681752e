//! *Members* of an event are taken out of an object one by one; what stays is unknown and kept.

use crate::json::{FieldError, Fields, Raw};
use crate::message::{Maybe, Typed};

/// Takes a member that has to be there.
pub(super) fn needed<T: Typed>(fields: &mut Fields, name: &str) -> Result<T, FieldError> {
    let raw = fields.take(name).ok_or_else(|| FieldError {
        path: name.to_owned(),
        expected: T::SHAPE.expected().into(),
        found: "absent",
        shown: "the event has no such member".to_owned(),
    })?;
    T::read(&raw).map_err(|error| error.within(name))
}

/// Takes a member that may be absent or null.
pub(super) fn optional<T: Typed>(fields: &mut Fields, name: &str) -> Result<Maybe<T>, FieldError> {
    fields.take(name).map_or(Ok(Maybe::Absent), |raw| Maybe::member(name, &raw))
}

/// Sets a member, unless it is absent.
pub(super) fn put<T: Typed>(fields: &mut Fields, name: &str, value: &Maybe<T>) {
    match value {
        Maybe::Absent => {}
        Maybe::Null => fields.set(name, Raw::null()),
        Maybe::Is(value) => fields.set(name, value.write()),
    }
}
