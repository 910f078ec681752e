//! *Examples* of shapes, made of the table: what must be there, and no more.

use crate::shapes::{Form, Member, Shape};

impl Shape {
    /// An object of this shape, as JSON. Where nothing must be there, it has its first member.
    pub fn example(&self) -> String {
        let first = self.members.first().filter(|_| !self.members.iter().any(|member| member.is_required));
        let required = self.members.iter().filter(|member| member.is_required);
        let members = required.chain(first).map(|Member { name, form, .. }| format!("\"{name}\":{}", value(form)));
        let kind = Some(format!("\"type\":\"{}\"", self.name)).filter(|_| !self.name.is_empty());
        format!("{{{}}}", kind.into_iter().chain(members).collect::<Vec<_>>().join(","))
    }
}

/// A value of a form: the first alternative.
fn value(form: &Form) -> String {
    match form {
        Form::Text | Form::Filled | Form::ToolName | Form::Anything => r#""a""#.into(),
        Form::Whole => "1".into(),
        Form::Flag => "true".into(),
        Form::Object => "{}".into(),
        Form::OneOf(words) | Form::Only(words) => format!("\"{}\"", words[0]),
        Form::List(of) => format!("[{}]", value(of)),
        Form::Typed(shapes) => shapes[0].example(),
        Form::Untyped(shape) => shape.example(),
        Form::Either(forms) => value(&forms[0]),
        Form::OrNull(of) => value(of),
    }
}
