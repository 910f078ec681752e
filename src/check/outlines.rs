//! *Outlines* of messages: what the rules on requests need of them. The texts, inputs and answers of blocks in which
//! nothing is wrong are left out, and of large images all but their beginning. A message that is odd in another way has
//! no outline, and is read as a whole.

use std::sync::LazyLock;

use memchr::{memchr, memmem};

use turnproof_reference::json::{PathStep, Raw, Span, Text, locate};
use turnproof_reference::message::{
    Assistant, AssistantBody, Block, Content, Event, Kind, Maybe, Message, TextBlock, Thinking, ToolResult, ToolUse,
    Typed, User, UserBody,
};
use turnproof_reference::normalize::estimate_block_tokens;
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
    speaker: Speaker,
    /// Whether its content is a string.
    is_text: bool,
    look: Look,
}

/// Whether a message has to be read to say whether the API takes it, where calls and results are in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// No: all its blocks have outlines, with ids and names as the API wants them, and there is no picture.
    Plain,
    /// Yes: there are pictures, or results of several parts.
    Odd,
    /// More may be wrong than what it says itself.
    Other,
}

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    Assistant,
    /// The client, to its user: nothing of that is sent.
    Notice,
}

/// A message that is plain, or odd by itself alone.
pub(super) struct PlainMessage<'a> {
    pub(super) speaker: Speaker,
    /// The bytes of its content.
    pub(super) bytes: u64,
    /// The outlines of its blocks.
    pub(super) outlines: &'a [BlockOutline],
    /// Whether its content is a string.
    is_text: bool,
    /// Whether it has to be read.
    pub(super) is_odd: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BlockOutline {
    /// `None` where the block is read as a whole.
    outline: Option<Outline>,
    /// The id of a call, or of the one that a result is for; or the whole block.
    id: Span,
    /// The name of a call, or the content of a result.
    more: Span,
    is_result: bool,
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
        let is_hidden = [Flag::Virtual, Flag::TranscriptOnly, Flag::ApiError].into_iter().any(|flag| head.has(flag));
        let speaker = match head.kind {
            _ if is_hidden => return,
            Some(Kind::User) => Speaker::User,
            Some(Kind::Assistant) => Speaker::Assistant,
            Some(Kind::System) => return self.note_notice(record),
            _ => return,
        };
        let Some(content) = head.content else { return };
        let is_text = content.of(record.bytes).starts_with(b"\"");
        let is_in_order = match is_text {
            true => begins_visibly(record.bytes, content),
            false => !record.blocks.is_empty(),
        };
        // An error behind such a message may take media out of it.
        let may_lose_media = head.has(Flag::Meta) && record.blocks.iter().any(|block| block.outline.is_none());
        if !is_in_order || may_lose_media {
            return;
        }
        let (start, blocks) = (record.start, self.blocks.len() as u32);
        let (content, reply) = (content.end - content.start, head.reply_id.filter(|_| speaker == Speaker::Assistant));
        let look = Look::of(record, speaker);
        self.messages.push(MessageOutline { start, blocks, content, reply, speaker, is_text, look });
        self.blocks.extend(record.blocks.iter().map(|block| BlockOutline::of(record, block)));
    }

    /// Notes a notice, unless it is sent, or says something of the conversation.
    fn note_notice(&mut self, record: &Record<'_>) {
        let subtype = record.head.subtype.map(|subtype| record.text(subtype));
        if !matches!(subtype.as_deref(), Some("local_command" | "compact_boundary")) {
            let (start, blocks) = (record.start, self.blocks.len() as u32);
            let (speaker, look, is_text) = (Speaker::Notice, Look::Plain, false);
            self.messages.push(MessageOutline { start, blocks, content: 0, reply: None, speaker, is_text, look });
        }
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

    /// The message whose record begins at byte `start` of the file, and its blocks, where it has an outline.
    fn find(&self, start: u64) -> Option<(&MessageOutline, &[BlockOutline])> {
        let at = self.messages.binary_search_by_key(&start, |message| message.start).ok()?;
        let message = &self.messages[at];
        let end = self.messages.get(at + 1).map_or(self.blocks.len(), |next| next.blocks as usize);
        Some((message, &self.blocks[message.blocks as usize..end]))
    }

    /// The message whose record begins at byte `start` of the file, where it is plain or odd by itself alone.
    pub(super) fn plain(&self, start: u64) -> Option<PlainMessage<'_>> {
        let (message, outlines) = self.find(start).filter(|(message, _)| message.look != Look::Other)?;
        let &MessageOutline { speaker, content, is_text, look, .. } = message;
        Some(PlainMessage { speaker, bytes: content.into(), outlines, is_text, is_odd: look == Look::Odd })
    }

    /// The record that begins at byte `start` of the file as a message, where it has an outline.
    pub(super) fn event(&self, start: u64, record: &[u8]) -> Option<Abridged<'_>> {
        let (message, blocks) = self.find(start).filter(|(message, _)| message.speaker != Speaker::Notice)?;
        let text = |span| text(record, start, span);
        let content = match message.is_text {
            true => Content::Text(VISIBLE.into()),
            false => Content::Blocks(blocks.iter().map(|block| block.read(record, text)).collect::<Option<_>>()?),
        };
        let event = said(message.speaker, message.reply.map(text), content);
        Some(Abridged { event, left_out: u64::from(message.content), blocks })
    }
}

/// A message of an assistant, with the id of its reply, or of a user.
fn said(speaker: Speaker, reply: Option<Text>, content: Content) -> Event {
    let content = content.into();
    let message: Message = if speaker == Speaker::Assistant {
        let body = AssistantBody { id: reply.into(), content, ..AssistantBody::default() };
        Assistant { message: body.into(), ..Assistant::default() }.into()
    } else {
        let body = UserBody { content, ..UserBody::default() };
        User { message: body.into(), ..User::default() }.into()
    };
    message.into()
}

/// A message of few letters.
pub(super) fn short_message(speaker: Speaker) -> Event {
    said(speaker, None, Content::Text(VISIBLE.into()))
}

impl<'a> PlainMessage<'a> {
    /// The kinds of its blocks. A string is one text, and so is a picture.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Outline> + use<'a> {
        let text = self.is_text.then_some(Outline::Text);
        let of_none = |block: &BlockOutline| if block.is_result { Outline::Result } else { Outline::Text };
        text.into_iter().chain(self.outlines.iter().map(move |block| block.outline.unwrap_or_else(|| of_none(block))))
    }
}

impl Look {
    fn of(record: &Record<'_>, speaker: Speaker) -> Self {
        let is = |block: &BlockHead, name: &[u8]| block.type_name.is_some_and(|span| span.of(record.bytes) == name);
        let is_odd = |block: &BlockHead| {
            let is_result = is(block, RESULT) && is_word(record, block.tool_use_id);
            block.outline.is_none() && speaker == Speaker::User && (is_result || is(block, b"\"image\""))
        };
        let mut others = record.blocks.iter().filter(|block| !is_plain(record, block)).peekable();
        match others.peek().is_some() || may_hold_picture(record.bytes) {
            _ if !others.all(is_odd) => Self::Other,
            true => Self::Odd,
            false => Self::Plain,
        }
    }
}

/// The type of a block that is a result.
const RESULT: &[u8] = b"\"tool_result\"";

/// Whether a block has an outline, and the API takes its id and its name.
fn is_plain(record: &Record<'_>, block: &BlockHead) -> bool {
    match block.outline {
        None => false,
        Some(Outline::Text | Outline::Thinking) => true,
        Some(Outline::Call) => is_word(record, block.id) && is_word(record, block.name),
        Some(Outline::Result) => is_word(record, block.tool_use_id),
    }
}

/// Whether a member is an id or a name that the API takes.
fn is_word(record: &Record<'_>, member: Option<Span>) -> bool {
    let Some([b'"', word @ .., b'"']) = member.map(|span| span.of(record.bytes)) else { return false };
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=LONGEST_WORD).contains(&word.len()) && word.iter().all(is_of_word)
}

/// No id and no name of a plain message is longer.
const LONGEST_WORD: usize = 128;

/// Whether a picture may be in a record, or be described there.
pub(super) fn may_hold_picture(record: &[u8]) -> bool {
    static FINDER: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"\"base64\""));
    FINDER.find(record).is_some()
}

impl BlockOutline {
    fn of(record: &Record<'_>, block: &BlockHead) -> Self {
        let nothing = Span { start: 0, end: 0 };
        let id = match block.outline {
            Some(_) => block.id.or(block.tool_use_id).unwrap_or(nothing),
            None => block.span,
        };
        let more = match block.outline {
            Some(Outline::Result) => block.content,
            _ => block.name,
        };
        let is_result = block.type_name.is_some_and(|name| name.of(record.bytes) == RESULT);
        Self { outline: block.outline, id, more: more.unwrap_or(nothing), is_result }
    }

    /// How many bytes the content of a result has that is left out.
    pub(super) fn bytes_of_result(&self) -> Option<u64> {
        (self.outline == Some(Outline::Result)).then(|| u64::from(self.more.end - self.more.start))
    }

    /// The id of a call, or of the one that a result is for.
    pub(super) fn id_in(&self, record: &[u8]) -> String {
        text(record, 0, self.id).as_str().to_owned()
    }

    /// About how many tokens a block has of which this is the outline, without what is left out.
    fn tokens(outline: Outline) -> u64 {
        let nothing = Span { start: 0, end: 0 };
        let block = Self { outline: Some(outline), id: nothing, more: nothing, is_result: false };
        block.read(b"", |_| Text::from("")).map_or(0, |block| estimate_block_tokens(&block))
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

/// About how many tokens blocks have, without what their outlines leave out.
pub(super) fn tokens_of(outline: Outline) -> u64 {
    static TOKENS: LazyLock<[u64; 4]> =
        LazyLock::new(|| [Outline::Text, Outline::Call, Outline::Result, Outline::Thinking].map(BlockOutline::tokens));
    TOKENS[outline as usize]
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
    let is_plain = |rest: &[u8]| rest.is_ascii() && memchr(b'\\', rest).is_none();
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
