//! A *file* on a page: numbered lines, the bytes that a violation names marked.

use std::ops::Range;

use maud::{Markup, html};

use super::marks::{Mark, Marks};
use crate::report::html::text::{bytes, line_end, rows};
use turnproof_rules::operation::Value;

/// Bytes as an answer holds them in JSON: a text, or a list of numbers.
pub(super) fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Array(numbers) => numbers.iter().map(|number| u8::try_from(number.as_u64()?).ok()).collect(),
        _ => None,
    }
}

/// The lines of a file; `beside` says something of the line that begins at a byte.
pub(super) fn file<'a>(
    title: &str,
    file: &[u8],
    marks: &Marks<'_>,
    beside: &dyn Fn(usize) -> Option<&'a str>,
) -> Markup {
    let marked = marks.in_file(file);
    let lines = lines(file);
    let last = lines.len().saturating_sub(1);
    let of_line = |at: usize| -> Vec<&(Range<usize>, Mark<'_>)> {
        marked.iter().filter(|(range, _)| touches(range, &lines[at], at == last)).collect()
    };
    let row = |at: usize, range: &Range<usize>| line(at, file, range.clone(), &of_line(at), marks, beside);
    html! {
        div.list {
            @if !title.is_empty() { h4 { (title) } }
            @if file.is_empty() {
                p.empty { "The file is empty." }
                (marks.notes(&marked.iter().map(|(_, mark)| *mark).collect::<Vec<_>>()))
            } @else {
                ol.file { (rows(&lines, |at| !of_line(at).is_empty(), row)) }
            }
        }
    }
}

/// The ranges of the lines, each with its line end.
fn lines(file: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for line in file.split_inclusive(|&byte| byte == b'\n') {
        lines.push(start..start + line.len());
        start += line.len();
    }
    lines
}

/// Whether a range, which may be empty, is to be seen in a line.
fn touches(range: &Range<usize>, line: &Range<usize>, is_last: bool) -> bool {
    match range.is_empty() {
        true => line.contains(&range.start) || (is_last && range.start >= line.end),
        false => range.start < line.end && range.end > line.start,
    }
}

fn line<'a>(
    at: usize,
    file: &[u8],
    line: Range<usize>,
    marked: &[&(Range<usize>, Mark<'_>)],
    marks: &Marks<'_>,
    beside: &dyn Fn(usize) -> Option<&'a str>,
) -> Markup {
    let whole = file.get(line.clone()).unwrap_or_default();
    let text_end = line.end - usize::from(whole.ends_with(b"\n"));
    let mut cuts: Vec<usize> = marked.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
    cuts.extend([line.start, text_end, line.end]);
    cuts.iter_mut().for_each(|cut| *cut = (*cut).clamp(line.start, line.end));
    cuts.sort_unstable();
    cuts.dedup();
    let is_point = |at: usize| marked.iter().any(|(range, _)| range.is_empty() && range.start == at);
    let is_inside =
        |piece: &Range<usize>| marked.iter().any(|(range, _)| range.start <= piece.start && piece.end <= range.end);
    let pieces = cuts.iter().zip(cuts.iter().skip(1)).map(|(&start, &end)| start..end);
    html! {
        li class={ "line" @if !marked.is_empty() { " marked" } } {
            span.index { (at + 1) }
            div.says {
                @if let Some(words) = beside(line.start) { span.side { (words) } }
                code {
                    @for piece in pieces {
                        @if is_point(piece.start) { (point()) }
                        @let shown = file.get(piece.clone()).unwrap_or_default();
                        @if is_inside(&piece) {
                            mark { @if piece.start == text_end { (line_end()) } @else { (bytes(shown)) } }
                        } @else if piece.start < text_end {
                            (bytes(shown))
                        }
                    }
                    @if is_point(line.end) { (point()) }
                }
                (marks.notes(&marked.iter().map(|(_, mark)| *mark).collect::<Vec<_>>()))
            }
        }
    }
}

/// The mark of a place between two bytes.
fn point() -> Markup {
    html! { mark.point title="between two bytes" { "▏" } }
}
