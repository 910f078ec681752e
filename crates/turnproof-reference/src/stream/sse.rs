//! *Server-sent events* are how a stream comes over HTTP: fields on lines, an empty line after each event.

use memchr::memchr2;

/// An event as the server sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerEvent {
    /// The event's name, if it gives one.
    pub name: Option<String>,
    /// Its data; several lines of it are joined with LF.
    pub data: String,
}

/// Makes events of bytes, cut anywhere.
///
/// ```
/// use turnproof_reference::stream::SseDecoder;
///
/// let mut decoder = SseDecoder::new();
/// assert!(decoder.push(b"event: ping\r\nda").is_empty());
/// let events = decoder.push(b"ta: {}\r\n\r\ndata: cut sho");
/// assert_eq!((events[0].name.as_deref(), events[0].data.as_str()), (Some("ping"), "{}"));
/// assert!(decoder.is_inside_event());
/// ```
#[derive(Clone, Debug, Default)]
pub struct SseDecoder {
    /// The beginning of a line that is not whole yet.
    line: Vec<u8>,
    /// Whether the line before ended with CR, so that a LF now belongs to it.
    after_cr: bool,
    /// Whether a line was read: a byte order mark may come before the first one alone.
    is_past_first_line: bool,
    name: Option<String>,
    data: Option<String>,
}

impl SseDecoder {
    /// A decoder at the beginning of a response.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes; gives the events that they make whole.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<ServerEvent> {
        let mut events = Vec::new();
        let mut rest = bytes;
        while let Some(&first) = rest.first() {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                self.line.extend_from_slice(rest);
                break;
            };
            self.after_cr = rest[end] == b'\r';
            let mut line = std::mem::take(&mut self.line);
            line.extend_from_slice(&rest[..end]);
            events.extend(self.whole_line(&line));
            // The buffer is used again.
            line.clear();
            self.line = line;
            rest = &rest[end + 1..];
        }
        events
    }

    /// Whether the bytes so far end inside an event. Such an event is none when no more bytes come.
    pub fn is_inside_event(&self) -> bool {
        !self.line.is_empty() || self.data.is_some() || self.name.is_some()
    }

    /// Ends the response: what is unfinished is dropped. Gives whether anything was.
    pub fn finish(self) -> bool {
        self.is_inside_event()
    }

    /// Takes a line without its end; gives the event that an empty line ends.
    fn whole_line(&mut self, line: &[u8]) -> Option<ServerEvent> {
        const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
        let line = match std::mem::replace(&mut self.is_past_first_line, true) {
            false => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            true => line,
        };
        if line.is_empty() {
            let name = self.name.take();
            return self.data.take().map(|data| ServerEvent { name, data });
        }
        let (field, value) = match memchr::memchr(b':', line) {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[line.len()..]),
        };
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match field {
            b"event" => self.name = (!value.is_empty()).then(|| value.into_owned()),
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(&value);
                }
                None => self.data = Some(value.into_owned()),
            },
            // `id`, `retry`, comments (no field before the colon) and what is unknown.
            _ => {}
        }
        None
    }
}
