//! The *shapes* of blocks: which members each type has, and what they must be. `shapes.txt` is the table, in the
//! notation of SPEC.md section 6.12.10; here it is read, once.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

/// The table as it is written.
const TABLE: &str = include_str!("shapes.txt");

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| Shapes::read(TABLE));

/// The shape of a type of block; `None` for a type that is not in the table.
pub(super) fn of_block(type_name: &str) -> Option<&'static Shape> {
    SHAPES.blocks.get(type_name).map(|&index| &SHAPES.shapes[index])
}

/// The shape that a form names.
pub(super) fn at(index: usize) -> &'static Shape {
    &SHAPES.shapes[index]
}

/// Whether parts of a tool's result may be of this type.
pub(super) fn is_part(type_name: &str) -> bool {
    let is_it = |sort: &Sort| matches!(sort, Sort::Shape(index) if at(*index).type_name == type_name);
    part().iter().any(is_it)
}

/// What a part of a tool's result must be.
pub(super) fn part() -> &'static [Sort] {
    &SHAPES.part
}

/// All shapes.
struct Shapes {
    shapes: Vec<Shape>,
    /// The types of blocks, each with the index of its shape.
    blocks: HashMap<&'static str, usize>,
    part: Form,
}

/// What an object of one type may have.
pub(super) struct Shape {
    /// Its `type`; empty when it has none.
    pub(super) type_name: &'static str,
    /// Who may hold it, when it is a block.
    pub(super) holder: Holder,
    /// Whether every host has it, not the Messages API alone.
    is_everywhere: bool,
    /// Its members beside `type`.
    pub(super) members: Vec<Member>,
}

/// Who may hold a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    User,
    Assistant,
    /// Both of them.
    Speakers,
    /// Both of them, and the system.
    Anyone,
    /// No turn: it is no block.
    Nobody,
}

/// A member of a shape.
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    pub(super) form: Form,
}

/// What a value must be: one of these.
pub(super) type Form = Vec<Sort>;

/// One thing that a value may be.
#[derive(Clone, Debug)]
pub(super) enum Sort {
    String,
    /// A string that is not empty.
    Filled,
    /// The name of a tool.
    Name,
    Integer,
    Boolean,
    Object,
    Any,
    Null,
    /// This string.
    Word(&'static str),
    /// Any string that is not empty: words that are not known yet.
    OtherWord,
    List(Form),
    /// An object of the shape with this index.
    Shape(usize),
}

impl Shapes {
    fn read(table: &'static str) -> Self {
        let lines = lines(table);
        let groups: HashMap<&str, Vec<&'static str>> = lines
            .iter()
            .filter(|words| words.get(1) == Some(&"="))
            .map(|words| (words[0], words[2..].to_vec()))
            .collect();
        let rows: Vec<&Vec<&'static str>> = lines.iter().filter(|words| words.get(1) != Some(&"=")).collect();
        let names: HashMap<&str, usize> = rows.iter().enumerate().map(|(index, row)| (key(row[0]), index)).collect();
        let reader = Reader { groups, names };
        let shapes: Vec<Shape> = rows.iter().map(|row| reader.shape(row)).collect();
        let is_block = |shape: &Shape| shape.holder != Holder::Nobody;
        let blocks = shapes.iter().enumerate().filter(|(_, shape)| is_block(shape));
        Self {
            blocks: blocks.map(|(index, shape)| (shape.type_name, index)).collect(),
            part: reader.form("part"),
            shapes,
        }
    }
}

/// The lines of the table as words. A line that begins with a space goes on with the line before it, in the middle of a
/// form where that ends with `|`.
fn lines(table: &'static str) -> Vec<Vec<&'static str>> {
    let mut lines: Vec<Vec<&'static str>> = Vec::new();
    for line in table.lines().filter(|line| !line.trim().is_empty()) {
        match lines.last_mut().filter(|_| line.starts_with(' ')) {
            Some(before) => before.extend(line.split_whitespace()),
            None => lines.push(line.split_whitespace().collect()),
        }
    }
    lines
}

/// The name under which forms know a shape: without its type and its star.
fn key(name: &str) -> &str {
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    name.trim_end_matches('*')
}

/// What is needed to read forms.
struct Reader {
    /// The words of each group of alternatives.
    groups: HashMap<&'static str, Vec<&'static str>>,
    /// The index of each shape.
    names: HashMap<&'static str, usize>,
}

impl Reader {
    fn shape(&self, row: &[&'static str]) -> Shape {
        let name = row[0].trim_end_matches('*');
        let type_name = match name.split_once('=') {
            Some((_, type_name)) => type_name,
            None if name.starts_with('{') => "",
            None => name,
        };
        let holder = match row.get(1) {
            Some(&"user") => Holder::User,
            Some(&"assistant") => Holder::Assistant,
            Some(&"speakers") => Holder::Speakers,
            Some(&"anyone") => Holder::Anyone,
            _ => Holder::Nobody,
        };
        let mut members: Vec<Member> = Vec::new();
        for word in row.iter().skip(2) {
            match word.split_once(':').filter(|(name, _)| !name.contains('\'')) {
                Some((name, form)) => members.push(Member {
                    name: name.trim_end_matches('?'),
                    is_required: !name.ends_with('?'),
                    form: self.form(form),
                }),
                // The rest of the form before it.
                None => members.last_mut().into_iter().for_each(|last| last.form.extend(self.form(word))),
            }
        }
        Shape { type_name, holder, is_everywhere: !row[0].ends_with('*'), members }
    }

    /// The form that a word of the table says: alternatives, told apart by `|` outside of lists.
    fn form(&self, word: &'static str) -> Form {
        let mut form = Form::new();
        let (mut rest, mut depth, mut start) = (word, 0_usize, 0);
        for (at, letter) in word.char_indices() {
            match letter {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                '|' if depth == 0 => {
                    form.extend(self.sorts(&word[start..at]));
                    start = at + 1;
                }
                _ => {}
            }
            rest = &word[start..];
        }
        form.extend(self.sorts(rest));
        form
    }

    fn sorts(&self, word: &'static str) -> Form {
        let one = |sort| vec![sort];
        match word {
            "" => Form::new(),
            "string" => one(Sort::String),
            "filled" => one(Sort::Filled),
            "name" => one(Sort::Name),
            "integer" => one(Sort::Integer),
            "boolean" => one(Sort::Boolean),
            "object" => one(Sort::Object),
            "any" => one(Sort::Any),
            "null" => one(Sort::Null),
            "…" => one(Sort::OtherWord),
            _ if word.starts_with('\'') => one(Sort::Word(word.trim_matches('\''))),
            _ if word.starts_with('[') => one(Sort::List(self.form(&word[1..word.len() - 1]))),
            _ => match self.groups.get(word) {
                Some(words) => words.iter().flat_map(|word| self.form(word)).collect(),
                None => self.names.get(word).map(|&index| Sort::Shape(index)).into_iter().collect(),
            },
        }
    }
}

/// The table as JSON: for each type of block who may hold it, whether every host has it, and its members. Another table
/// of the same is compared with it.
pub fn shapes() -> Value {
    let block = |(name, index): (&&str, &usize)| {
        let holder = format!("{:?}", at(*index).holder).to_lowercase();
        ((*name).to_owned(), json!({"holder": holder, "shape": described(at(*index))}))
    };
    Value::Object(SHAPES.blocks.iter().map(block).collect())
}

fn described(shape: &Shape) -> Value {
    let member = |member: &Member| {
        let sign = if member.is_required { "" } else { "?" };
        (format!("{}{sign}", member.name), form_in_json(&member.form))
    };
    let members: Value = shape.members.iter().map(member).collect::<serde_json::Map<_, _>>().into();
    match shape.type_name {
        "" => members,
        name => json!({"type": name, "everywhere": shape.is_everywhere, "members": members}),
    }
}

fn form_in_json(form: &[Sort]) -> Value {
    if let [first @ .., Sort::Null] = form {
        return json!({"or null": form_in_json(first)});
    }
    let words: Vec<&str> =
        form.iter().filter_map(|sort| if let Sort::Word(word) = sort { Some(*word) } else { None }).collect();
    let typed: Vec<Value> = form.iter().filter_map(typed_in_json).collect();
    match form {
        _ if !words.is_empty() && words.len() == form.len() => json!({"only": words}),
        _ if !words.is_empty() => json!({"one of": words}),
        _ if typed.len() == form.len() => typed.into(),
        [one] => sort_in_json(one),
        _ => {
            let others = form.iter().filter(|sort| typed_in_json(sort).is_none()).map(sort_in_json);
            let typed = Some(typed).filter(|typed| !typed.is_empty()).map(Value::from);
            json!({"either": others.chain(typed).collect::<Vec<_>>()})
        }
    }
}

/// A shape that is told by its type.
fn typed_in_json(sort: &Sort) -> Option<Value> {
    match sort {
        Sort::Shape(index) if !at(*index).type_name.is_empty() => Some(described(at(*index))),
        _ => None,
    }
}

fn sort_in_json(sort: &Sort) -> Value {
    match sort {
        Sort::List(form) => json!([form_in_json(form)]),
        Sort::Shape(index) => described(at(*index)),
        simple => format!("{simple:?}").to_lowercase().into(),
    }
}
