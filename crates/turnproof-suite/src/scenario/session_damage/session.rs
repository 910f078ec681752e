//! A *session* as lines, of which some are the messages of its conversation, in order.

use crate::json::{Fields, JsonType, Raw};
use crate::transcript::Transcript;
use crate::transcript::resume::{ResumeOptions, resume};

pub(super) struct Session {
    /// The lines, each with its end.
    pub(super) lines: Vec<Vec<u8>>,
    /// The lines of the conversation, in its order, each with one record alone.
    pub(super) conversation: Vec<usize>,
}

impl Session {
    pub(super) fn read(file: &[u8]) -> Self {
        let lines: Vec<Vec<u8>> = file.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let transcript = Transcript::from_bytes(file.to_vec());
        let places = resume(&transcript, &ResumeOptions::default()).map(|found| found.places).unwrap_or_default();
        let conversation = places.iter().map(|place| place.line as usize - 1);
        let mut session = Self { conversation: conversation.collect(), lines };
        let whole: Vec<usize> =
            session.conversation.iter().copied().filter(|&line| session.record(line).is_some()).collect();
        session.conversation = whole;
        session
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.lines.concat()
    }

    /// The record of a line that holds nothing else.
    pub(super) fn record(&self, line: usize) -> Option<Fields> {
        let text = String::from_utf8(self.lines.get(line)?.trim_ascii_end().to_vec()).ok()?;
        Fields::from_raw(&Raw::from_json(text).ok()?).ok()
    }

    /// Writes a record in the place of a line.
    pub(super) fn put(&mut self, line: usize, record: &Fields) {
        self.lines[line] = ended(record);
    }

    /// Writes a record behind a line of the conversation. What followed it follows the new one.
    pub(super) fn insert(&mut self, line: usize, record: &Fields) {
        let [before, uuid] = [self.text(line, "uuid"), text_of(record, "uuid")];
        for child in 0..self.lines.len() {
            if before.is_some() && self.text(child, "parentUuid") == before {
                self.name_parent(child, uuid.as_deref());
            }
        }
        if !self.lines[line].ends_with(b"\n") {
            self.lines[line].push(b'\n');
        }
        self.lines.insert(line + 1, ended(record));
    }

    /// Takes a line out. What followed it follows what it followed.
    pub(super) fn cut(&mut self, line: usize) {
        let [parent, uuid] = [self.text(line, "parentUuid"), self.text(line, "uuid")];
        for child in 0..self.lines.len() {
            if uuid.is_some() && self.text(child, "parentUuid") == uuid {
                self.name_parent(child, parent.as_deref());
            }
        }
        self.lines.remove(line);
    }

    /// Lets a record name a parent, or none.
    pub(super) fn name_parent(&mut self, line: usize, parent: Option<&str>) {
        if let Some(mut record) = self.record(line) {
            record.set("parentUuid", parent.map_or_else(Raw::null, Raw::from));
            self.put(line, &record);
        }
    }

    /// A text of a record.
    pub(super) fn text(&self, line: usize, name: &str) -> Option<String> {
        text_of(&self.record(line)?, name)
    }

    pub(super) fn kind(&self, line: usize) -> String {
        self.text(line, "type").unwrap_or_default()
    }

    /// The blocks of a message; none where its content is no list.
    pub(super) fn blocks(&self, line: usize) -> Vec<Fields> {
        let message = self.record(line).and_then(|record| record.object("message"));
        let content = message.and_then(|message| message.get("content").cloned());
        let list: Vec<Raw> = content
            .filter(|content| content.json_type() == JsonType::Array)
            .and_then(|content| content.read().ok())
            .unwrap_or_default();
        list.iter().filter_map(|block| Fields::from_raw(block).ok()).collect()
    }

    /// Gives a message this content.
    pub(super) fn set_content(&mut self, line: usize, content: Raw) -> Option<()> {
        let mut record = self.record(line)?;
        let mut message = record.object("message")?;
        message.set("content", content);
        record.set("message", message.to_raw());
        self.put(line, &record);
        Some(())
    }

    pub(super) fn set_blocks(&mut self, line: usize, blocks: &[Fields]) -> Option<()> {
        let blocks: Vec<String> = blocks.iter().map(Fields::to_json).collect();
        self.set_content(line, Raw::written(format!("[{}]", blocks.join(","))))
    }

    /// The lines of the conversation of a kind.
    pub(super) fn of_kind(&self, kind: &str) -> Vec<usize> {
        self.conversation.iter().copied().filter(|&line| self.kind(line) == kind).collect()
    }

    /// The replies whose content is a list of blocks, with at least one.
    pub(super) fn replies(&self) -> Vec<usize> {
        self.of_kind("assistant").into_iter().filter(|&line| !self.blocks(line).is_empty()).collect()
    }

    /// The lines of the conversation with a block of a type, and its place in the content.
    pub(super) fn with_block(&self, type_name: &str) -> Vec<(usize, usize)> {
        let of = |&line: &usize| {
            let blocks = self.blocks(line).into_iter().enumerate();
            let own = blocks.filter(|(_, block)| text_of(block, "type").as_deref() == Some(type_name));
            own.map(|(at, _)| (line, at)).collect::<Vec<_>>()
        };
        self.conversation.iter().flat_map(of).collect()
    }
}

fn ended(record: &Fields) -> Vec<u8> {
    [record.to_json().as_bytes(), b"\n"].concat()
}

pub(super) fn text_of(record: &Fields, name: &str) -> Option<String> {
    record.text(name).map(|text| text.as_str().to_owned())
}
