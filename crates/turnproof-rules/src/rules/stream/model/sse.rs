//! A plain reader of *server-sent events*: bytes in any cuts to names and data.

/// One event: its name, if it has one, and its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) name: Option<String>,
    pub(super) data: String,
}

/// The response so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    line: Vec<u8>,
    is_after_return: bool,
    has_line: bool,
    name: Option<String>,
    data: Option<String>,
}

impl Reader {
    /// Takes more bytes; gives the events that they complete.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Vec<Sent> {
        let mut sent = Vec::new();
        for &byte in bytes {
            let is_second_half = byte == b'\n' && self.is_after_return;
            self.is_after_return = byte == b'\r';
            match byte {
                b'\n' if is_second_half => {}
                b'\n' | b'\r' => sent.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        sent
    }

    /// Whether the bytes so far end with a carriage return, so that a reader may wait for what follows.
    pub(super) fn is_after_return(&self) -> bool {
        self.is_after_return
    }

    fn end_line(&mut self) -> Option<Sent> {
        let bytes = std::mem::take(&mut self.line);
        let is_first = !std::mem::replace(&mut self.has_line, true);
        let text = String::from_utf8_lossy(&bytes);
        let line = if is_first { text.strip_prefix('\u{FEFF}').unwrap_or(&text) } else { &text };
        if line.is_empty() {
            let name = self.name.take();
            return self.data.take().map(|data| Sent { name, data });
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match (field, &mut self.data) {
            ("data", Some(data)) => {
                data.push('\n');
                data.push_str(value);
            }
            ("data", none) => *none = Some(value.to_owned()),
            ("event", _) => self.name = Some(value.to_owned()),
            _ => {}
        }
        None
    }
}
