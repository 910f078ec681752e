//! The *shapes* of blocks and of what they hold: which members each has, and what they must be.
//!
//! `shapes.txt` is the table, in the notation of SPEC.md section 6.12.10, and is read once. To add a type of block is
//! to add its line.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::SERVER_TOOLS;

/// The table as it is written.
pub const SHAPES: &str = include_str!("shapes.txt");

/// Every type of block, in the order of the table: its first paragraph.
pub const BLOCK_TYPES: [&str; names(&mut [])] = {
    let mut types = [""; names(&mut [])];
    names(&mut types);
    types
};

/// What an object of one type may have.
#[derive(Debug)]
pub struct Shape {
    /// Its `type`; empty when it has none.
    pub name: &'static str,
    /// Whether every host has it, not the Messages API alone: it needs neither files nor the connector to MCP servers.
    pub is_everywhere: bool,
    /// Who may hold it, when it is a block.
    pub holder: Holder,
    /// Its members beside `type`.
    pub members: Vec<Member>,
}

/// Which roles may hold a type of block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// User, assistant and system.
    Anyone,
    /// User and assistant.
    Speakers,
    /// The user alone.
    User,
    /// The assistant alone.
    Assistant,
    /// No turn: it is no block.
    Nobody,
}

/// A member of a shape.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be there.
    pub is_required: bool,
    /// What it must be.
    pub form: Form,
}

/// What a value must be.
#[derive(Clone, Debug)]
pub enum Form {
    /// A string.
    Text,
    /// A string of at least one character.
    Filled,
    /// The name of a tool: it matches `^[a-zA-Z0-9_-]{1,128}$`.
    ToolName,
    /// A number without fraction or exponent.
    Whole,
    /// True or false.
    Flag,
    /// An object of any members.
    Object,
    /// Any value.
    Anything,
    /// One of these strings; newer ones may come.
    OneOf(Vec<&'static str>),
    /// One of these strings, and no other.
    Only(Vec<&'static str>),
    /// A list of this.
    List(Box<Form>),
    /// An object of one of these shapes, which differ by their types.
    Typed(Vec<&'static Shape>),
    /// An object of this shape, which has no type.
    Untyped(&'static Shape),
    /// One of these.
    Either(Vec<Form>),
    /// This, or null.
    OrNull(Box<Form>),
}

/// Every type of block that a turn may have, in the order of the table: stable ones first, then those of betas.
pub fn blocks() -> &'static [&'static Shape] {
    &TABLE.blocks
}

/// The shape of a type of block; `None` for a type that is not in the table.
pub fn block(name: &str) -> Option<&'static Shape> {
    blocks().iter().copied().find(|shape| shape.name == name)
}

/// The types of blocks, and of parts of results that are no blocks.
pub fn types() -> impl Iterator<Item = &'static str> {
    let parts = parts().iter().filter(|part| part.holder == Holder::Nobody);
    BLOCK_TYPES.into_iter().chain(parts.map(|part| part.name))
}

/// What a part of a tool's result must be.
pub fn part() -> &'static Form {
    &TABLE.part
}

/// The shapes of parts of a tool's result.
pub fn parts() -> &'static [&'static Shape] {
    if let Form::Typed(shapes) = part() { shapes } else { &[] }
}

/// The shape of a part of a tool's result; `None` for a type that no part has.
pub fn part_of_result(name: &str) -> Option<&'static Shape> {
    parts().iter().copied().find(|shape| shape.name == name)
}

/// A shape without a type, by its name in the table, braces included.
pub fn untyped(name: &str) -> &'static Shape {
    TABLE.untyped.get(name).unwrap_or_else(|| panic!("shapes.txt: nothing has the name {name:?}"))
}

/// Every shape of the table.
pub fn all() -> &'static [&'static Shape] {
    &TABLE.all
}

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(SHAPES));

struct Table {
    all: Vec<&'static Shape>,
    blocks: Vec<&'static Shape>,
    untyped: HashMap<&'static str, &'static Shape>,
    part: Form,
}

impl Table {
    fn read(table: &str) -> Self {
        let lines: Vec<&'static str> = lines(table).into_iter().map(|line| &*line.leak()).collect();
        let (groups, rows): (Vec<&str>, Vec<&str>) = lines.into_iter().partition(|line| line.contains(" = "));
        let mut reader = Reader {
            groups: groups.into_iter().filter_map(|line| line.split_once(" = ")).collect(),
            rows: rows.iter().map(|row| (key(row), *row)).collect(),
            shapes: HashMap::new(),
        };
        reader.groups.insert("server_tool", server_tool().leak());
        let shapes: Vec<(&'static str, &'static Shape)> =
            rows.iter().map(|row| (key(row), reader.shape(key(row)))).collect();
        Self {
            blocks: shapes.iter().map(|(_, shape)| *shape).filter(|shape| shape.holder != Holder::Nobody).collect(),
            untyped: shapes.iter().filter(|(_, shape)| shape.name.is_empty()).copied().collect(),
            all: shapes.iter().map(|(_, shape)| *shape).collect(),
            part: reader.form("part"),
        }
    }
}

/// Writes the names of the rows before the first empty line, as far as there is room; gives how many there are.
const fn names(names: &mut [&'static str]) -> usize {
    let (mut rest, mut count) = (SHAPES, 0);
    while rest.as_bytes()[0] != b'\n' {
        if rest.as_bytes()[0] != b' ' {
            if count < names.len() {
                names[count] = rest.split_at(until(rest, b"* ")).0;
            }
            count += 1;
        }
        rest = rest.split_at(until(rest, b"\n") + 1).1;
    }
    count
}

/// Where one of these bytes is first.
const fn until(text: &str, ends: &[u8]) -> usize {
    let mut at = 0;
    while text.as_bytes()[at] != ends[0] && text.as_bytes()[at] != ends[ends.len() - 1] {
        at += 1;
    }
    at
}

/// The lines of the table. One that begins with a space continues the line before it, in the middle of a form where
/// that ends with `|`.
fn lines(table: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        match lines.last_mut().filter(|_| line.starts_with(' ')) {
            Some(before) if before.ends_with('|') => before.push_str(line.trim()),
            Some(before) => before.extend([" ", line.trim()]),
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

/// The name under which forms know the shape of a row: without its type and its star.
fn key(row: &'static str) -> &'static str {
    let name = row.split([' ', '=']).next().unwrap_or_default();
    name.trim_end_matches('*')
}

/// The group of names that a call of a server tool may have.
fn server_tool() -> String {
    let names = SERVER_TOOLS.iter().flat_map(|(_, tools)| *tools);
    names.map(|name| format!("'{name}'|")).chain(["…".to_owned()]).collect()
}

/// What is needed to read forms.
struct Reader {
    /// The alternatives of each group.
    groups: HashMap<&'static str, &'static str>,
    /// The row of each shape.
    rows: HashMap<&'static str, &'static str>,
    /// The shapes that are read.
    shapes: HashMap<&'static str, &'static Shape>,
}

impl Reader {
    /// The shape with this key. It lives as long as the program, as the table does.
    fn shape(&mut self, key: &'static str) -> &'static Shape {
        if let Some(shape) = self.shapes.get(key) {
            return shape;
        }
        let Some(row) = self.rows.get(key) else { panic!("shapes.txt: nothing has the name {key:?}") };
        let mut words = row.split_whitespace();
        let name = words.next().unwrap_or_default().trim_end_matches('*');
        let shape = Shape {
            name: name.split_once('=').map_or(if name.starts_with('{') { "" } else { name }, |(_, name)| name),
            is_everywhere: !row.split(' ').next().unwrap_or_default().ends_with('*'),
            holder: holder(words.next().unwrap_or_default()),
            members: words.map(|word| self.member(word)).collect(),
        };
        let shape: &'static Shape = Box::leak(Box::new(shape));
        self.shapes.insert(key, shape);
        shape
    }

    fn member(&mut self, word: &'static str) -> Member {
        let Some((name, form)) = word.split_once(':') else { panic!("shapes.txt: {word:?} is no member") };
        Member { name: name.trim_end_matches('?'), is_required: !name.ends_with('?'), form: self.form(form) }
    }

    /// The form that a word says: alternatives, with `|` between them.
    fn form(&mut self, word: &'static str) -> Form {
        let mut alternatives = Vec::new();
        self.add_alternatives(word, &mut alternatives);
        let is_nullable = alternatives.pop_if(|last| *last == "null").is_some();
        let form = self.form_of(&alternatives);
        if is_nullable { Form::OrNull(Box::new(form)) } else { form }
    }

    fn add_alternatives(&self, word: &'static str, alternatives: &mut Vec<&'static str>) {
        for word in split(word) {
            match self.groups.get(word) {
                Some(group) => self.add_alternatives(group, alternatives),
                None => alternatives.push(word),
            }
        }
    }

    fn form_of(&mut self, alternatives: &[&'static str]) -> Form {
        let words: Vec<&'static str> =
            alternatives.iter().filter(|word| word.starts_with('\'')).map(|word| word.trim_matches('\'')).collect();
        if !words.is_empty() {
            return if words.len() == alternatives.len() { Form::Only(words) } else { Form::OneOf(words) };
        }
        let (typed, others): (Vec<&'static str>, Vec<&'static str>) =
            alternatives.iter().partition(|word| self.rows.contains_key(**word) && !word.starts_with('{'));
        let typed: Vec<&'static Shape> = typed.into_iter().map(|word| self.shape(word)).collect();
        let mut forms: Vec<Form> = others.into_iter().map(|word| self.single(word)).collect();
        if !typed.is_empty() {
            forms.push(Form::Typed(typed));
        }
        if forms.len() == 1 { forms.remove(0) } else { Form::Either(forms) }
    }

    fn single(&mut self, word: &'static str) -> Form {
        match word {
            "string" => Form::Text,
            "filled" => Form::Filled,
            "name" => Form::ToolName,
            "integer" => Form::Whole,
            "boolean" => Form::Flag,
            "object" => Form::Object,
            "any" => Form::Anything,
            _ if word.starts_with('[') => Form::List(Box::new(self.form(&word[1..word.len() - 1]))),
            _ => Form::Untyped(self.shape(word)),
        }
    }
}

/// The alternatives of a word, which `|` separates outside of lists.
fn split(word: &'static str) -> impl Iterator<Item = &'static str> {
    let mut depth = 0_usize;
    word.split(move |letter| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == '|' && depth == 0
    })
}

fn holder(word: &str) -> Holder {
    match word {
        "anyone" => Holder::Anyone,
        "speakers" => Holder::Speakers,
        "user" => Holder::User,
        "assistant" => Holder::Assistant,
        _ => Holder::Nobody,
    }
}
