//! Appending to what takes only a part: how much of the lines was taken is known.

use std::io::{self, Write};

use turnproof_reference::transcript::write::{Appended, write_lines};

/// A file that takes so many bytes a write, and so many in all.
struct Taking<'b> {
    at_once: usize,
    room: usize,
    bytes: &'b mut Vec<u8>,
}

impl Write for Taking<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.at_once).min(self.room);
        if taken == 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        self.room -= taken;
        self.bytes.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_is_taken_is_told_without_the_line_end_that_heals_whatever_the_writes_take() {
    for (heals, line_end) in [(false, &b""[..]), (true, b"\n")] {
        let whole = [line_end, b"{\"a\":1}\n"].concat();
        for (at_once, room) in (1..=whole.len()).flat_map(|at_once| (0..=20).map(move |room| (at_once, room))) {
            let mut bytes = Vec::new();
            let outcome = write_lines(Taking { at_once, room, bytes: &mut bytes }, heals, b"{\"a\":1}\n");
            let written = whole.len().min(room);
            assert_eq!(bytes, whole[..written]);
            let expected = match written < whole.len() {
                true => Err(written.saturating_sub(line_end.len())),
                false => Ok(Appended { healed: heals }),
            };
            assert_eq!(outcome.map_err(|error| error.taken), expected, "{room} bytes, {at_once} at once");
        }
    }
}
