//! Damages of *bytes*: lines torn, glued and overwritten.

use super::one_of;
use super::session::Session;
use crate::scenario::{Seeded, Source};

/// A line of the conversation.
fn line(session: &Session, source: &mut Seeded) -> Option<usize> {
    one_of(source, &session.conversation)
}

/// A line of the conversation that another line follows.
fn inner(session: &Session, source: &mut Seeded) -> Option<usize> {
    let last = session.lines.len() - 1;
    one_of(source, &session.conversation.iter().copied().filter(|&line| line < last).collect::<Vec<_>>())
}

/// A place inside of a record: behind its first byte, and before its last.
fn inside(session: &Session, line: usize, source: &mut Seeded) -> Option<usize> {
    let length = session.lines[line].trim_ascii_end().len();
    let room = u32::try_from(length.checked_sub(2)?).ok().filter(|&room| room > 0)?;
    Some(1 + source.below(room) as usize)
}

pub(super) fn torn_end(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let last = session.lines.len().checked_sub(1)?;
    let at = inside(session, last, source)?;
    session.lines[last].truncate(at);
    Some(())
}

pub(super) fn torn_line(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = inner(session, source)?;
    let at = inside(session, line, source)?;
    session.lines[line].truncate(at);
    session.lines[line].push(b'\n');
    Some(())
}

pub(super) fn garbage(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = line(session, source)?;
    session.lines.insert(line, b"Segmentation fault (core dumped)\n".to_vec());
    Some(())
}

pub(super) fn nul_before(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = line(session, source)?;
    session.lines[line].splice(0..0, [0; 512]);
    Some(())
}

pub(super) fn nul_over(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = inner(session, source)?;
    session.lines[line].fill(0);
    Some(())
}

pub(super) fn glued(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = inner(session, source)?;
    session.lines[line].pop();
    Some(())
}

pub(super) fn torn_and_glued(session: &mut Session, source: &mut Seeded) -> Option<()> {
    let line = inner(session, source)?;
    let at = inside(session, line, source)?;
    session.lines[line].truncate(at);
    Some(())
}

pub(super) fn byte_order_mark(session: &mut Session, _: &mut Seeded) -> Option<()> {
    session.lines.first_mut()?.splice(0..0, *b"\xEF\xBB\xBF");
    Some(())
}

pub(super) fn carriage_returns(session: &mut Session, _: &mut Seeded) -> Option<()> {
    for line in session.lines.iter_mut().filter(|line| line.ends_with(b"\n") && !line.ends_with(b"\r\n")) {
        line.insert(line.len() - 1, b'\r');
    }
    Some(())
}

/// Puts bytes at the beginning of a text of a message.
fn in_text(session: &mut Session, source: &mut Seeded, bytes: &[u8]) -> Option<()> {
    const TEXTS: [&[u8]; 2] = [b"\"text\":\"", b"\"content\":\""];
    let place = |line: &[u8]| {
        let found = TEXTS.iter().filter_map(|text| Some(memchr::memmem::find(line, text)? + text.len()));
        found.min()
    };
    let lines: Vec<(usize, usize)> =
        session.conversation.iter().filter_map(|&line| Some((line, place(&session.lines[line])?))).collect();
    let (line, at) = one_of(source, &lines)?;
    session.lines[line].splice(at..at, bytes.iter().copied());
    Some(())
}

pub(super) fn bad_utf8(session: &mut Session, source: &mut Seeded) -> Option<()> {
    in_text(session, source, b"\xC3")
}

pub(super) fn half_surrogate(session: &mut Session, source: &mut Seeded) -> Option<()> {
    in_text(session, source, br"\ud83d")
}
