//! A *row* is a record on a page: its line, who speaks, what it says, and what is wrong with it. Results stand beside
//! their calls.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

use maud::{Markup, html};

use crate::report::html::message::{self, BLOCKS, Look, blocks, class, rest, string};
use crate::report::html::row;
use crate::report::html::text::{glance, within, words};
use turnproof_reference::transcript::{Record, Transcript};
use turnproof_rules::operation::{Plain, Value};
use turnproof_rules::rules::Severity;
use turnproof_suite::table::{count, size};

use super::attachment::{attachment, decision, hook_of, is_attachment};
use super::found::{Found, Noted};
use super::parts::{Part, Parts};

/// Texts of at most so many bytes are shown whole, as long as the page is small.
const WHOLE: usize = 4_000;

/// From so many bytes of a page on texts are shorter, and from so many on there are none.
const SMALL: usize = 5 << 20;
const FULL: usize = 9 << 20;
const SHORT: usize = 300;

/// So many bytes of pictures are shown, as they are written.
const PICTURES: usize = 3 << 20;

/// A record of more bytes is not read.
const LARGEST: usize = 64 << 20;

/// The rows of a page.
pub(super) struct Rows<'a> {
    pub(super) transcript: &'a Transcript,
    found: &'a Found,
    parts: &'a Parts,
    /// Where the result of a call of the conversation stands: record and block.
    results: HashMap<String, (usize, usize)>,
    /// Results that stand beside their calls already.
    placed: RefCell<HashSet<(usize, usize)>>,
    /// The attachments of hooks that are about a call of the conversation.
    pub(super) hooks: HashMap<String, Vec<usize>>,
    /// Those that are beside their calls already.
    pub(super) hooked: RefCell<HashSet<usize>>,
    /// Lines that have an anchor.
    anchors: RefCell<HashSet<u64>>,
    side: Side<'a>,
    /// The line at which a part of a subagent is linked first.
    called: RefCell<HashMap<String, u64>>,
}

/// What the rows of a page have in common with other rows on it.
pub(super) struct Side<'a> {
    /// The parts that show subagents, by the id of the subagent or of its call.
    pub(super) anchors: &'a HashMap<String, String>,
    /// What the anchors of these rows begin with.
    pub(super) prefix: String,
    pub(super) room: &'a Room,
}

/// How much room is left on a page.
pub(super) struct Room {
    /// Bytes of rows so far, but for pictures.
    written: Cell<usize>,
    /// Bytes of pictures that are still shown.
    pictures: Cell<usize>,
}

impl Default for Room {
    fn default() -> Self {
        Self { written: Cell::new(0), pictures: Cell::new(PICTURES) }
    }
}

impl<'a> Rows<'a> {
    pub(super) fn new(transcript: &'a Transcript, found: &'a Found, parts: &'a Parts, side: Side<'a>) -> Self {
        let conversation = parts.list.first().map(|part| &part.records[..]).unwrap_or_default();
        let mut results = HashMap::new();
        let mut hooks: HashMap<String, Vec<usize>> = HashMap::new();
        for &at in conversation {
            let record = transcript.record(at);
            if is_attachment(&record)
                && let Some(call) = hook_of(&read(&record))
            {
                hooks.entry(call.to_owned()).or_default().push(at);
            }
            for head in record.blocks.iter().filter(|_| record.head.kind.is_some_and(|kind| kind.name() == "user")) {
                if let Some(call) = head.tool_use_id {
                    results.entry(record.text(call).into_owned()).or_insert((at, head.index as usize));
                }
            }
        }
        Self {
            transcript,
            found,
            parts,
            results,
            placed: RefCell::default(),
            hooks,
            hooked: RefCell::default(),
            anchors: RefCell::default(),
            side,
            called: RefCell::default(),
        }
    }

    /// Whether something is wrong with a record.
    pub(super) fn is_marked(&self, at: usize) -> bool {
        !self.found.of_line(self.transcript.record(at).line).is_empty()
    }

    /// How many bytes of a text are shown just now; `None` when the page is full.
    fn most(&self) -> Option<usize> {
        match self.side.room.written.get() {
            written if written < SMALL => Some(WHOLE),
            written if written < FULL => Some(SHORT),
            _ => None,
        }
    }

    pub(super) fn look(&self, most: usize) -> Look<'_> {
        Look { most, is_exact: false, pictures: Some(&self.side.room.pictures) }
    }

    /// The anchor of a line, for the first that shows it.
    pub(super) fn anchor(&self, line: u64) -> Option<String> {
        self.anchors.borrow_mut().insert(line).then(|| self.id_of(line))
    }

    fn id_of(&self, line: u64) -> String {
        format!("{}L{line}", self.side.prefix)
    }

    /// A line, which leads to its row where it has one. It is asked for when all rows are made.
    pub(super) fn line_link(&self, line: u64) -> Markup {
        self.line_link_as(line, &format!("line {line}"))
    }

    /// A line by other words.
    pub(super) fn line_link_as(&self, line: u64, words: &str) -> Markup {
        let has_row = self.anchors.borrow().contains(&line);
        html! { @if has_row { a.to-line href={ "#" (self.id_of(line)) } { (words) } } @else { span.to-line { (words) } } }
    }

    /// The line at which a subagent's part is linked.
    pub(super) fn called(&self, anchor: &str) -> Option<u64> {
        self.called.borrow().get(anchor).copied()
    }

    /// The link to the part of a subagent, by its id or its call's.
    fn agent_link(&self, key: &str, line: u64) -> Option<Markup> {
        let anchor = self.side.anchors.get(key)?;
        self.called.borrow_mut().entry(anchor.clone()).or_insert(line);
        Some(html! { p.to-agent { a href={ "#" (anchor) } { "what the subagent did" } } })
    }

    /// A rule, which leads to its explanation where it has one.
    pub(super) fn rule_link(&self, rule: &str) -> Markup {
        let is_explained = self.found.has(rule);
        html! {
            @if is_explained { a href={ "#rule-" (rule.replace('/', "-")) } { code { (rule) } } } @else { code { (rule) } }
        }
    }

    /// The lines of bytes that are asked for in order.
    pub(super) fn lines(&self) -> Lines<'a> {
        Lines { bytes: self.transcript.bytes(), at: 0, line: 1 }
    }

    /// What is wrong, beside its place.
    pub(super) fn notes<'n>(&self, noted: impl IntoIterator<Item = &'n Noted>) -> Markup {
        html! {
            @for noted in noted {
                div.note {
                    p { (self.rule_link(noted.rule.id)) " " (words(&noted.found)) }
                    p.quiet { "expected " (words(&noted.expected)) }
                }
            }
        }
    }

    /// What is left out of a part, by its lines.
    pub(super) fn gap(&self, part: &Part, from: usize, to: usize) -> Markup {
        let lines = || part.records[from..to].iter().map(|&at| self.transcript.record(at).line);
        let (first, last) = (lines().min().unwrap_or_default(), lines().max().unwrap_or_default());
        html! { li.gap { "… " (size((to - from) as u64, "record")) " left out, lines " (count(first)) " to " (count(last)) " …" } }
    }

    /// The row of a record, by its place in a part.
    pub(super) fn row(&self, part: &Part, place: usize) -> Markup {
        let at = part.records[place];
        let record = self.transcript.record(at);
        let noted = self.noted(&record);
        let is_beside = |index: usize| part.is_open && self.placed.borrow().contains(&(at, index));
        if self.hooked.borrow().contains(&at) || !record.blocks.is_empty() && (0..record.blocks.len()).all(is_beside) {
            return html! {};
        }
        let pictures = self.side.room.pictures.get();
        let row = html! {
            @for note in self.parts.notes.get(&record.start).into_iter().flatten() { li.remark { (words(note)) } }
            @if let Some(parent) = self.branch(part, place) { li.remark { "after line " (parent) } }
            (self.record(part, at, &record, &noted))
        };
        let pictures = pictures - self.side.room.pictures.get();
        self.side.room.written.set(self.side.room.written.get() + row.0.len() - pictures);
        row
    }

    /// The line that a record of a branch hangs on, where that is not the one before it.
    fn branch(&self, part: &Part, place: usize) -> Option<u64> {
        let parent = self.parts.parents.get(&part.records[place]).copied().filter(|_| part.id == "branches")?;
        let before = place.checked_sub(1).map(|before| self.transcript.record(part.records[before]).line);
        (before != Some(parent)).then_some(parent)
    }

    /// The findings of a record: those of its line, but for what another record on the line holds.
    pub(super) fn noted(&self, record: &Record<'_>) -> Vec<&'a Noted> {
        let found: &'a Found = self.found;
        let is_here = |noted: &&Noted| (record.start..record.end()).contains(&noted.start);
        let is_first = !self.anchors.borrow().contains(&record.line);
        let is_other = |noted: &&Noted| noted.start < record.start && is_first;
        found.of_line(record.line).iter().filter(|noted| is_here(noted) || is_other(noted)).collect()
    }

    fn record(&self, part: &Part, at: usize, record: &Record<'_>, noted: &[&Noted]) -> Markup {
        let value = read(record);
        let blocks = blocks(&value);
        let anchor = self.anchor(record.line);
        let own = noted.iter().copied().filter(|noted| noted.block.is_none_or(|block| block >= blocks.len()));
        let is_minor = noted.iter().all(|noted| noted.rule.severity == Severity::Info);
        let is_placed = |index: &usize| part.is_open && self.placed.borrow().contains(&(at, *index));
        let own = self.notes(own);
        let is_result = blocks.iter().enumerate().any(|(index, one)| class(one) == "result" && !is_placed(&index));
        let shown = |most: usize| {
            html! {
                @for (index, one) in blocks.iter().enumerate().take(BLOCKS) {
                    @if !is_placed(&index) { (self.block(part, (record.line, index), one, noted, most)) }
                }
                @if blocks.len() > BLOCKS { p.cut { "… " (count((blocks.len() - BLOCKS) as u64)) " more blocks left out" } }
                @if is_result { (decision(&value)) }
                @match is_attachment(record).then(|| attachment(&value, self.look(most))).flatten() {
                    Some(attachment) => (attachment),
                    None => (others(&value, record, !blocks.is_empty(), most)),
                }
            }
        };
        let says = html! {
            (own)
            @match self.most() { None => p.cut { "not shown: the page is full" }, Some(most) => (shown(most)) }
        };
        let speaker = message::speaker(&value);
        let marked = if noted.is_empty() { "" } else { " marked" };
        let class = format!("{speaker}{marked}{}", if is_minor { " minor" } else { "" });
        row(&class, anchor.as_deref(), record.line, &head(record, &value), &says)
    }

    /// A block, and beside a call its result.
    fn block(&self, part: &Part, place: (u64, usize), one: &Value, noted: &[&Noted], most: usize) -> Markup {
        let (line, index) = place;
        let of_block: Vec<&Noted> = noted.iter().copied().filter(|noted| noted.block == Some(index)).collect();
        let drawn = html! {
            div class={ "block " (class(one)) @if !of_block.is_empty() { " marked" } } { (message::block(one, self.look(most))) }
        };
        let call = string(one, "id").filter(|_| part.is_open && class(one) == "call");
        let result = call.and_then(|_| self.result(one, most));
        html! {
            @match result {
                Some(result) => div.pair { (drawn) (result) },
                None => (drawn),
            }
            @if let Some(call) = call {
                @if let Some(link) = self.agent_link(call, line) { (link) }
                (self.hooks(call, most))
            }
            (self.notes(of_block.iter().copied()))
        }
    }

    /// The result of a call, where it stands in the conversation, with what is wrong with it. What is wrong with its
    /// whole record stands beside the first of the results in it.
    fn result(&self, call: &Value, most: usize) -> Option<Markup> {
        let &(at, index) = self.results.get(string(call, "id")?)?;
        let record = self.transcript.record(at);
        if self.placed.borrow().contains(&(at, index)) {
            return None;
        }
        let value = read(&record);
        let blocks = blocks(&value);
        let result = blocks.get(index)?;
        let noted = self.noted(&record);
        self.placed.borrow_mut().insert((at, index));
        let anchor = self.anchor(record.line);
        let is_here = |noted: &&Noted| match noted.block.filter(|block| *block < blocks.len()) {
            Some(block) => block == index,
            None => anchor.is_some(),
        };
        let noted: Vec<&Noted> = noted.into_iter().filter(is_here).collect();
        Some(html! {
            div class={ "block result" @if !noted.is_empty() { " marked" } } id=[&anchor] {
                p.line-of { "line " (record.line) }
                (decision(&value))
                (message::block(result, self.look(most)))
                @if let Some(link) = self.link_of_result(call, &value, record.line) { (link) }
                (self.notes(noted))
            }
        })
    }

    /// The link to the subagent that a result names, where its call does not lead there.
    fn link_of_result(&self, call: &Value, value: &Value, line: u64) -> Option<Markup> {
        let is_linked = string(call, "id").is_some_and(|call| self.side.anchors.contains_key(call));
        let result = value.get("toolUseResult").filter(|_| !is_linked)?;
        self.agent_link(string(result, "agentId")?, line)
    }
}

/// Counts lines up to bytes that are asked for in order.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line in which a byte stands.
    pub(super) fn of(&mut self, byte: u64) -> u64 {
        let to = (byte as usize).clamp(self.at, self.bytes.len());
        self.line += memchr::memchr_iter(b'\n', &self.bytes[self.at..to]).count() as u64;
        self.at = to;
        self.line
    }
}

/// A record as a value; half surrogate pairs and bytes that are not UTF-8 are U+FFFD.
pub(super) fn read(record: &Record<'_>) -> Value {
    if record.bytes.len() > LARGEST {
        return Value::Null;
    }
    let text = String::from_utf8_lossy(record.bytes);
    Plain::read(&text).map_or(Value::Null, Plain::into_value)
}

/// Who speaks, and when.
fn head(record: &Record<'_>, value: &Value) -> Markup {
    let kind = record.type_name();
    let kind = if kind.is_empty() { "no type" } else { &kind };
    let time = record.head.time.map(|time| in_short(&record.text(time)));
    message::head(kind, value, PLAIN, &html! { @if let Some(time) = time { span.id { (glance(&time)) } } })
}

/// How a name or another short text is shown.
const PLAIN: Look<'_> = Look { most: WHOLE, is_exact: false, pictures: None };

/// A time to the second, as people read it; what is no time stays.
pub(super) fn in_short(time: &str) -> String {
    match (time.get(..10), time.get(10..11), time.get(11..19)) {
        (Some(day), Some("T"), Some(clock)) => format!("{day} {clock}"),
        _ => time.to_owned(),
    }
}

/// Members that say only where a record belongs.
pub(super) const ENVELOPE: [&str; 10] = [
    "parentUuid",
    "sessionId",
    "timestamp",
    "version",
    "cwd",
    "gitBranch",
    "userType",
    "isSidechain",
    "entrypoint",
    "slug",
];

/// The other members of a record that is no message of a user or a model.
fn others(value: &Value, record: &Record<'_>, has_blocks: bool, most: usize) -> Markup {
    if !value.is_object() {
        return html! { p.cut { "a record of " (size(record.bytes.len() as u64, "byte")) ", not shown" } };
    }
    let others = rest(value, has_blocks, &ENVELOPE).filter(|_| !has_blocks || value.get("message").is_none());
    html! { @if let Some(others) = others { p.rest { (within(others.as_bytes(), most.min(1_200))) } } }
}
