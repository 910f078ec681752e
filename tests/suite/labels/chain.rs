//! Labels of the chain: ids of lines, the parents that they name, forks and boundaries.

use serde_json::Value;

use super::{ANY, Held, LINES, Label, kind, label};

pub(super) const LABELS: &[Label] = &[
    label("uuid/missing", LINES, 50, |it| it.lines.iter().any(|line| is_of_chain(line) && !line["uuid"].is_string())),
    label("uuid/twice", LINES, 50, |it| {
        it.lines.iter().enumerate().any(|(at, line)| it.lines[..at].iter().any(|other| is_same(line, other)))
    }),
    label("uuid/no-uuid", LINES, 200, |it| {
        it.lines.iter().any(|line| line["uuid"].as_str().is_some_and(|own| own.len() != 36))
    }),
    label("uuid/alike-for-24", LINES, 50, |it| {
        let head = |line: &Value| line["uuid"].as_str().and_then(|own| own.get(..24)).map(str::to_owned);
        let is_alike = |one: &Value, other: &Value| {
            one["uuid"] != other["uuid"] && head(one).is_some() && head(one) == head(other)
        };
        it.lines.iter().enumerate().any(|(at, line)| it.lines[..at].iter().any(|other| is_alike(line, other)))
    }),
    label("parent/absent", LINES, 200, |it| {
        it.lines.iter().any(|line| is_of_chain(line) && line.get("parentUuid").is_none())
    }),
    label("parent/null", ANY, 300, |it| it.lines.iter().any(|line| line.get("parentUuid").is_some_and(Value::is_null))),
    label("parent/line-before", ANY, 300, |it| it.link(|at, place| place + 1 == at)),
    label("parent/later-line", LINES, 50, |it| it.link(|at, place| place > at)),
    label("parent/self", LINES, 20, |it| it.link(|at, place| place == at)),
    label("parent/cycle", LINES, 5, |it| (0..it.lines.len()).any(|at| it.is_in_a_cycle(at))),
    label("parent/missing", LINES, 200, |it| {
        it.lines.iter().any(|line| {
            line["parentUuid"].is_string() && it.lines.iter().all(|other| other["uuid"] != line["parentUuid"])
        })
    }),
    label("parent/progress", LINES, 20, |it| it.parent(|_, parent| kind(parent) == "progress")),
    label("parent/attachment", LINES, 100, |it| it.parent(|_, parent| kind(parent) == "attachment")),
    label("parent/of-another-session", LINES, 20, |it| {
        it.parent(|line, parent| line["sessionId"] != parent["sessionId"])
    }),
    label("parent/withdrawn", LINES, 2, |it| {
        let lists = |line: &Value| ["supersedesUuids", "retractedMessageUuids"].map(|name| line[name].clone());
        let withdraws = |line: &Value, id: &Value| {
            lists(line).iter().any(|list| list.as_array().is_some_and(|list| list.contains(id)))
        };
        it.parent(|line, parent| withdraws(line, &parent["uuid"]))
    }),
    label("fork/two-children", LINES, 200, |it| {
        let is_sibling =
            |one: &Value, other: &Value| one["parentUuid"].is_string() && one["parentUuid"] == other["parentUuid"];
        it.lines.iter().enumerate().any(|(at, line)| it.lines[..at].iter().any(|other| is_sibling(line, other)))
    }),
    label("fork/reply-and-notice", LINES, 20, |it| {
        let children = |of: &str| -> Vec<&Value> {
            it.lines
                .iter()
                .filter(|line| kind(line) == of)
                .map(|line| &line["parentUuid"])
                .filter(|id| id.is_string())
                .collect()
        };
        let notices = children("system");
        children("assistant").iter().any(|parent| notices.contains(parent))
    }),
    label("boundary/preserves", ANY, 20, |it| it.lines.iter().any(|line| is_boundary(line) && preserves(line))),
    label("boundary/without-metadata", LINES, 20, |it| {
        it.lines.iter().any(|line| is_boundary(line) && line.get("compactMetadata").is_none())
    }),
    label("file/of-several-sessions", LINES, 100, |it| {
        it.lines.windows(2).any(|two| two[0]["sessionId"] != two[1]["sessionId"])
    }),
    label("file/of-one-line", LINES, 50, |it| it.lines.len() == 1),
    label("file/with-what-is-only-live", LINES, 100, |it| {
        let live = ["tombstone", "grouped_tool_use", "stream_event", "stream_request_start", "tool_use_summary"];
        it.lines.iter().any(|line| live.contains(&kind(line)))
    }),
];

fn is_of_chain(line: &Value) -> bool {
    matches!(kind(line), "user" | "assistant" | "system" | "attachment")
}

fn is_same(line: &Value, other: &Value) -> bool {
    line["uuid"].is_string() && line["uuid"] == other["uuid"]
}

fn is_boundary(line: &Value) -> bool {
    line["subtype"] == "compact_boundary"
}

fn preserves(line: &Value) -> bool {
    let metadata = &line["compactMetadata"];
    metadata.as_object().is_some_and(|members| members.keys().any(|name| name.starts_with("preserved")))
}

impl Held<'_> {
    /// The place of the parent of a line: the last line of its id before it, or else the first one from it on.
    fn place(&self, at: usize) -> Option<usize> {
        let named = Some(&self.lines[at]["parentUuid"]).filter(|named| named.is_string())?;
        let is_it = |line: &Value| line["uuid"] == *named;
        let (before, after) = self.lines.split_at(at);
        before.iter().rposition(is_it).or_else(|| Some(at + after.iter().position(is_it)?))
    }

    /// Whether the places of a line and of its parent are so.
    fn link(&self, is_so: fn(usize, usize) -> bool) -> bool {
        (0..self.lines.len()).any(|at| self.place(at).is_some_and(|place| is_so(at, place)))
    }

    /// Whether a line and its parent are so.
    fn parent(&self, is_so: impl Fn(&Value, &Value) -> bool) -> bool {
        let is_so = |at: usize, place: usize| place != at && is_so(&self.lines[at], &self.lines[place]);
        (0..self.lines.len()).any(|at| self.place(at).is_some_and(|place| is_so(at, place)))
    }

    /// Whether parents lead back to a line, over another one.
    fn is_in_a_cycle(&self, at: usize) -> bool {
        let path = std::iter::successors(self.place(at), |at| self.place(*at));
        path.take(self.lines.len()).position(|place| place == at).is_some_and(|others| others > 0)
    }
}
