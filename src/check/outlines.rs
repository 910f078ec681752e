//! *Outlines* of messages: what the rules on requests need of them. The texts, inputs and answers of blocks in which
//! nothing is wrong are left out, and of large images all but their beginning. A message that is odd in another way has
//! no outline, and is read as a whole.

use memchr::memmem;

use turnproof_reference::json::{PathStep, Raw, Span, Text, locate};
use turnproof_reference::message::{
    Assistant, AssistantBody, Block, Content, Event, Kind, Maybe, Message, TextBlock, Thinking, ToolResult, ToolUse,
    Typed, User, UserBody,
};
use turnproof_reference::transcript::{BlockHead, Defect, Flag, Head, Outline, Record, begins_visibly};

/// The outlines of the messages of a file, in its order: 32 bytes a message, and 20 a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlines {
    messages: Vec<MessageOutline>,
    blocks: Vec<BlockOutline>,
}

#[derive(Clone, Copy, Debug)]
struct MessageOutline {
    /// The record's first byte in the file.
    start: u64,
    /// Where its first block is.
    blocks: u32,
    /// The bytes of its content.
    content: u32,
    /// The id of the reply, where it is a line of one.
    reply: Option<Span>,
    is_assistant: bool,
    /// Whether its content is a string.
    is_text: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BlockOutline {
    /// `None` where the block is read as a whole.
    outline: Option<Outline>,
    /// The id of a call, or of the one that a result is for; or the whole block.
    id: Span,
    /// The name of a call, or the content of a result.
    more: Span,
}

/// A message without what its outline leaves out.
pub(super) struct Abridged<'a> {
    pub(super) event: Event,
    /// So many bytes of its content are left out at most.
    pub(super) left_out: u64,
    /// The outlines of its blocks; nothing where it is whole.
    pub(super) blocks: &'a [BlockOutline],
}

const _: () = assert!(size_of::<MessageOutline>() <= 32 && size_of::<BlockOutline>() <= 20);

/// What the texts of an outlined message say.
const VISIBLE: &str = "a";

impl Outlines {
    /// Notes the next record of the file, if it has an outline.
    pub(super) fn note(&mut self, record: &Record<'_>) {
        let head = &record.head;
        let is_assistant = match head.kind {
            Some(Kind::User) => false,
            Some(Kind::Assistant) => true,
            _ => return,
        };
        let Some(content) = head.content else { return };
        let is_text = content.of(record.bytes).starts_with(b"\"");
        let is_in_order = match is_text {
            true => begins_visibly(record.bytes, content),
            false => !record.blocks.is_empty(),
        };
        let is_hidden = [Flag::Virtual, Flag::TranscriptOnly, Flag::ApiError].into_iter().any(|flag| head.has(flag));
        // An error behind such a message may take media out of it.
        let may_lose_media = head.has(Flag::Meta) && record.blocks.iter().any(|block| block.outline.is_none());
        if !is_in_order || is_hidden || may_lose_media {
            return;
        }
        let (start, blocks) = (record.start, self.blocks.len() as u32);
        let (content, reply) = (content.end - content.start, head.reply_id.filter(|_| is_assistant));
        self.messages.push(MessageOutline { start, blocks, content, reply, is_assistant, is_text });
        self.blocks.extend(record.blocks.iter().map(BlockOutline::of));
    }

    /// Forgets the outline of the record that a defect is about: it comes right behind it.
    pub(super) fn note_defect(&mut self, defect: &Defect) {
        if let Some(last) = self.messages.pop_if(|last| last.start == defect.piece) {
            self.blocks.truncate(last.blocks as usize);
        }
    }

    /// Joins the outlines of the next part of the file.
    pub(super) fn append(&mut self, part: Self) {
        let base = self.blocks.len() as u32;
        let moved = |message: MessageOutline| MessageOutline { blocks: message.blocks + base, ..message };
        self.messages.extend(part.messages.into_iter().map(moved));
        self.blocks.extend(part.blocks);
    }

    /// The record that begins at byte `start` of the file as a message, where it has an outline.
    pub(super) fn event(&self, start: u64, record: &[u8]) -> Option<Abridged<'_>> {
        let at = self.messages.binary_search_by_key(&start, |message| message.start).ok()?;
        let message = &self.messages[at];
        let end = self.messages.get(at + 1).map_or(self.blocks.len(), |next| next.blocks as usize);
        let text = |span| text(record, start, span);
        let blocks = &self.blocks[message.blocks as usize..end];
        let content = match message.is_text {
            true => Content::Text(VISIBLE.into()),
            false => Content::Blocks(blocks.iter().map(|block| block.read(record, text)).collect::<Option<_>>()?),
        };
        let content = content.into();
        let event: Message = if message.is_assistant {
            let body = AssistantBody { id: message.reply.map(text).into(), content, ..AssistantBody::default() };
            Assistant { message: body.into(), ..Assistant::default() }.into()
        } else {
            let body = UserBody { content, ..UserBody::default() };
            User { message: body.into(), ..User::default() }.into()
        };
        Some(Abridged { event: event.into(), left_out: u64::from(message.content), blocks })
    }
}

impl BlockOutline {
    fn of(block: &BlockHead) -> Self {
        let nothing = Span { start: 0, end: 0 };
        let id = match block.outline {
            Some(_) => block.id.or(block.tool_use_id).unwrap_or(nothing),
            None => block.span,
        };
        let more = match block.outline {
            Some(Outline::Result) => block.content,
            _ => block.name,
        };
        Self { outline: block.outline, id, more: more.unwrap_or(nothing) }
    }

    /// How many bytes the content of a result has that is left out.
    pub(super) fn bytes_of_result(&self) -> Option<u64> {
        (self.outline == Some(Outline::Result)).then(|| u64::from(self.more.end - self.more.start))
    }

    /// The block; `None` where it cannot be read.
    fn read(&self, record: &[u8], text: impl Fn(Span) -> Text) -> Option<Block> {
        Some(match self.outline {
            None => whole_block(self.id.of(record))?,
            Some(Outline::Text) => TextBlock::new(VISIBLE).into(),
            Some(Outline::Call) => {
                let (id, name) = (text(self.id).into(), text(self.more).into());
                let input = Raw::fixed("{}").into();
                Block::ToolUse(Box::new(ToolUse { id, name, input, ..ToolUse::default() }))
            }
            Some(Outline::Result) => {
                let tool_use_id = text(self.id).into();
                Block::ToolResult(Box::new(ToolResult { tool_use_id, ..ToolResult::default() }))
            }
            Some(Outline::Thinking) => {
                let is = || Maybe::from(VISIBLE);
                Block::Thinking(Box::new(Thinking { thinking: is(), signature: is(), ..Thinking::default() }))
            }
        })
    }
}

/// Of the data of an image so many characters are read; they tell its format and its size.
const BEGINNING: usize = 64 << 10;

/// An image of more characters may be too large.
const LARGE: usize = 4 << 20;

/// A block as it is, but for the rest of an image.
fn whole_block(json: &[u8]) -> Option<Block> {
    let is_perhaps_image = memmem::find(json, b"\"image\"").is_some();
    let data = is_perhaps_image.then(|| locate(json, &[PathStep::Member("source"), PathStep::Member("data")]));
    let json = std::str::from_utf8(json).ok()?;
    let rest = data.flatten().map(|data| {
        let end = (data.end as usize).saturating_sub(1);
        (end.min(data.start as usize + 1 + BEGINNING), end)
    });
    // Nothing is cut where characters are written as escapes.
    let is_plain = |rest: &[u8]| rest.is_ascii() && !rest.contains(&b'\\');
    let is_cut = |&(from, to): &(usize, usize)| to - from < LARGE && is_plain(&json.as_bytes()[from - 1..to]);
    let json = match rest.filter(is_cut) {
        Some((from, to)) => [&json[..from], &json[to..]].concat(),
        None => json.to_owned(),
    };
    Block::read(&Raw::written(json)).ok()
}

/// A string of a record.
fn text(record: &[u8], start: u64, span: Span) -> Text {
    let record = Record { bytes: record, utf8: None, start, line: 0, head: Head::default(), blocks: &[] };
    Text::from(&*record.text(span))
}
