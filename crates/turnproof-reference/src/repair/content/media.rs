//! *Media* of attachments: a picture of a type that no request may carry loses its data, and is no picture then.

use std::ops::Range;

use crate::repair::edit;
use crate::repair::file::File;

/// Members of attachments on the way to a medium.
const ON_THE_WAY: [&str; 6] = ["content", "file", "contents", "cells", "outputs", "image"];

const DATA: [&str; 3] = ["base64", "blob", "image_data"];

const TYPES: [&str; 3] = ["type", "mimeType", "media_type"];

const TAKEN: [&[u8]; 4] = [b"\"image/jpeg\"", b"\"image/png\"", b"\"image/gif\"", b"\"image/webp\""];

pub(super) fn fix(file: &mut File, row: usize) {
    while let Some(data) = data_of_odd_picture(&file.rows[row].bytes) {
        let what = "without the data of a picture whose type no request may carry".to_owned();
        file.take(row, data, "api/required-fields", what);
    }
}

/// Where the data of the first such picture is.
fn data_of_odd_picture(record: &[u8]) -> Option<Range<usize>> {
    let mut left = vec![edit::member(record, "attachment")?];
    while let Some(place) = left.pop() {
        let value = &record[place.clone()];
        let within = |range: Range<usize>| place.start + range.start..place.start + range.end;
        if let Some(elements) = edit::elements(value) {
            left.extend(elements.into_iter().map(within));
            continue;
        }
        let is_odd = |name: &str| {
            let kind = edit::member(value, name).map(|range| &value[range]);
            kind.is_some_and(|kind| kind.starts_with(b"\"image/") && !TAKEN.contains(&kind))
        };
        if TYPES.iter().any(|name| is_odd(name))
            && let Some(data) = DATA.iter().find_map(|name| edit::member(value, name))
        {
            return Some(within(data));
        }
        left.extend(ON_THE_WAY.iter().filter_map(|name| edit::member(value, name)).map(within));
    }
    None
}
