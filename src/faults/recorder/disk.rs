//! A *disk* is the file that a plain recorder appends to.

use super::Slip;

/// A file in memory.
pub(super) struct Disk {
    pub(super) file: Vec<u8>,
    /// How many bytes more it takes; none: everything.
    pub(super) room: Option<u64>,
    /// Where the recorder's own last line ended.
    offset: usize,
}

impl Disk {
    pub(super) fn new(file: Vec<u8>) -> Self {
        Self { offset: file.len(), file, room: None }
    }

    /// The same file for another process; nothing is left here.
    pub(super) fn restarted(&mut self) -> Self {
        Self { room: self.room, ..Self::new(std::mem::take(&mut self.file)) }
    }

    /// Appends lines, each without its line end; gives how many are whole now, and whether the disk is full.
    pub(super) fn append(&mut self, lines: &[String], slip: Option<Slip>) -> (usize, bool) {
        if slip == Some(Slip::CutsTornEnds) {
            let whole = self.file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            self.file.truncate(whole);
        }
        let end = if slip == Some(Slip::KeepsAnOffset) { self.offset } else { self.file.len() };
        let begins_lines = slip == Some(Slip::BeginsWithLineEnds);
        let is_torn = end > 0 && self.file[end - 1] != b'\n';
        let mut bytes = Vec::new();
        if is_torn && !begins_lines && slip != Some(Slip::GluesLines) {
            bytes.push(b'\n');
        }
        let mut ends = Vec::new();
        for line in lines {
            let [before, after] = if begins_lines { ["\n", ""] } else { ["", "\n"] };
            bytes.extend([before, line, after].concat().bytes());
            ends.push(bytes.len());
        }
        let room = self.room.map_or(usize::MAX, |room| usize::try_from(room).unwrap_or(usize::MAX));
        let taken = bytes.len().min(room);
        self.room = self.room.map(|room| room - taken as u64);
        let overwritten = (end + taken).min(self.file.len());
        self.file.splice(end..overwritten, bytes[..taken].iter().copied());
        self.offset = end + taken;
        // A line that lacks only its line end is whole, since the next append begins with one.
        let whole = ends.iter().filter(|&&end| end <= taken + usize::from(!begins_lines)).count();
        (whole, taken < bytes.len())
    }

    /// Rewrites the file without the line of a message.
    pub(super) fn take_out(&mut self, uuid: &str) {
        let member = format!("\"uuid\":\"{uuid}\"");
        let lines = self.file.split_inclusive(|&byte| byte == b'\n');
        let kept = lines.filter(|line| !String::from_utf8_lossy(line).contains(&member));
        self.file = kept.flatten().copied().collect();
        self.offset = self.file.len();
    }
}
