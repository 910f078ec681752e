//! Labels of damage: bytes of a file, and streams that are cut or spoilt.

use turnproof_rules::operation::StreamItem;

use super::{ANY, Held, Hostile, LINES, Label, label};

const DAMAGED: &[turnproof_suite::scenario::Profile] = &[Hostile];

pub(super) const LABELS: &[Label] = &[
    label("damage/two-records-on-a-line", DAMAGED, 50, |it| it.has(b"}{")),
    label("damage/torn-end", DAMAGED, 20, |it| !matches!(it.case.transcript().last(), Some(b'\n' | b'}'))),
    label("damage/end-without-line-end", DAMAGED, 20, |it| it.case.transcript().last() == Some(&b'}')),
    label("damage/nul", DAMAGED, 50, |it| it.has(b"\0")),
    label("damage/block-of-nul", DAMAGED, 20, |it| it.has(&[0; 4096])),
    label("damage/no-utf8", DAMAGED, 50, |it| std::str::from_utf8(it.case.transcript()).is_err()),
    label("damage/carriage-return", DAMAGED, 50, |it| it.has(b"\r\n")),
    label("damage/byte-order-mark", DAMAGED, 50, |it| it.has("\u{FEFF}{".as_bytes())),
    label("damage/too-deep", DAMAGED, 20, |it| it.has(&[b'['; 128])),
    label("damage/half-a-pair", DAMAGED, 20, |it| it.has(b"\\ud83d\"")),
    label("damage/no-object", DAMAGED, 20, |it| it.lines_of_bytes().any(|line| !line.is_empty() && line[0] != b'{')),
    label("file/large-line", ANY, 2, |it| it.lines_of_bytes().any(|line| line.len() > 10_000)),
    label("file/of-a-hundred-messages", LINES, 2, |it| it.messages.len() > 100),
    label("stream/of-events", ANY, 280, |it| it.item(|item| matches!(item, StreamItem::Event(_)))),
    label("stream/of-bytes", DAMAGED, 300, |it| it.item(|item| matches!(item, StreamItem::Bytes(_)))),
    label("stream/given-up", ANY, 50, |it| it.item(|item| matches!(item, StreamItem::Abandon))),
    label("stream/message-between", ANY, 50, |it| it.item(|item| matches!(item, StreamItem::Message(_)))),
    label("stream/error", ANY, 5, |it| it.event("error")),
    label("stream/event-of-tomorrow", LINES, 5, |it| {
        it.item(|item| matches!(item, StreamItem::Event(json) if json.contains("tomorrow")))
    }),
    label("stream/without-its-last-stop", LINES, 20, |it| {
        it.case.streams().iter().any(|stream| count(stream, "message_start") > count(stream, "message_stop"))
    }),
    label("stream/event-lost", LINES, 20, |it| {
        it.case
            .streams()
            .iter()
            .any(|stream| count(stream, "content_block_start") > count(stream, "content_block_stop"))
    }),
];

/// How many events of a stream have this type.
fn count(stream: &[StreamItem], name: &str) -> usize {
    stream.iter().filter(|item| is_event(item, name)).count()
}

fn is_event(item: &StreamItem, name: &str) -> bool {
    matches!(item, StreamItem::Event(json) if json.contains(&format!("\"type\":\"{name}\"")))
}

impl Held<'_> {
    fn has(&self, wanted: &[u8]) -> bool {
        self.case.transcript().windows(wanted.len()).any(|window| window == wanted)
    }

    fn lines_of_bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.case.transcript().split(|byte| *byte == b'\n')
    }

    fn item(&self, is_so: impl Fn(&StreamItem) -> bool) -> bool {
        self.case.streams().iter().flatten().any(is_so)
    }

    fn event(&self, name: &str) -> bool {
        self.item(|item| is_event(item, name))
    }
}
