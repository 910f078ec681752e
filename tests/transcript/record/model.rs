//! A *model* of the recorder, written from the module's page alone: plain and slow, since it looks through the whole
//! list again for each message. The recorder has to agree with it on generated sessions.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::build;

/// A message of a list.
#[derive(Clone, Debug, PartialEq)]
struct Item {
    uuid: String,
    what: What,
    /// Which version of the message this is.
    version: u32,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    User,
    Assistant,
    /// The result of a call that the message with this uuid holds.
    Result(String),
    Boundary(Kept),
    Summary,
    /// Never written.
    PassesBy(u8),
}

/// What a boundary preserves.
#[derive(Clone, Debug, PartialEq)]
enum Kept {
    Nothing,
    Messages(Vec<String>),
    Segment(String, String),
}

impl Item {
    fn json(&self) -> Value {
        let mut message = match &self.what {
            What::User => build::user(&self.uuid),
            What::Assistant => build::assistant(&self.uuid),
            What::Result(source) => build::result(&self.uuid, source),
            What::Summary => build::summary(&self.uuid),
            What::Boundary(Kept::Nothing) => build::boundary(&self.uuid, &json!({})),
            What::Boundary(Kept::Messages(uuids)) => {
                build::boundary(&self.uuid, &json!({"preservedMessages": {"anchorUuid": "any", "uuids": uuids}}))
            }
            What::Boundary(Kept::Segment(head, tail)) => build::boundary(
                &self.uuid,
                &json!({"preservedSegment": {"headUuid": head, "anchorUuid": "any", "tailUuid": tail}}),
            ),
            What::PassesBy(0) => {
                let mut message = build::user(&self.uuid);
                message["isVirtual"] = json!(true);
                message
            }
            What::PassesBy(1) => json!({"type": "progress", "uuid": self.uuid, "data": {}}),
            What::PassesBy(_) => json!({"type": "tombstone", "message": {"uuid": self.uuid}}),
        };
        message["version"] = json!(self.version.to_string());
        message
    }

    fn passes_by(&self) -> bool {
        matches!(self.what, What::PassesBy(_))
    }
}

/// A line as the model writes it.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    uuid: String,
    parent: Option<String>,
    logical: Option<String>,
    version: u32,
}

#[derive(Default)]
struct Model {
    file: Vec<Line>,
    queue: Vec<Line>,
    /// What was withdrawn while it waited.
    withdrawn: Vec<String>,
}

impl Model {
    fn has(&self, uuid: &str) -> bool {
        self.file.iter().chain(&self.queue).any(|line| line.uuid == uuid)
    }

    fn last(&self) -> Option<String> {
        self.file.iter().chain(&self.queue).last().map(|line| line.uuid.clone())
    }

    fn push(&mut self, item: &Item, parent: Option<String>, logical: Option<String>) {
        let source = match &item.what {
            What::Result(source) if self.has(source) => Some(source.clone()),
            _ => None,
        };
        let parent = source.or(parent);
        self.queue.push(Line { uuid: item.uuid.clone(), parent, logical, version: item.version });
    }

    /// Records a list. Returns the tip.
    fn record(&mut self, list: &[Item]) -> Option<String> {
        let whole: Vec<&Item> = list.iter().filter(|item| !item.passes_by()).collect();
        let list: Vec<&Item> = whole.iter().copied().filter(|item| !self.withdrawn.contains(&item.uuid)).collect();
        // The places of the messages that are new when the list comes to them.
        let mut new: Vec<usize> = Vec::new();
        let tip = |new: &[usize], before: usize| match new.last() {
            Some(&place) => Some(list[place].uuid.clone()),
            None => before.checked_sub(1).map(|place| list[place].uuid.clone()),
        };
        for (place, item) in list.iter().enumerate() {
            if self.has(&item.uuid) {
                let waiting = self.queue.iter_mut().find(|line| line.uuid == item.uuid);
                if let Some(line) = waiting {
                    line.version = item.version;
                }
                continue;
            }
            if let What::Boundary(kept) = &item.what {
                for kept in self.kept(kept, &whole) {
                    let last = self.last();
                    self.push(kept, last, None);
                }
                let last = self.last();
                self.queue.push(Line { uuid: item.uuid.clone(), parent: None, logical: last, version: item.version });
            } else {
                self.push(item, tip(&new, place), None);
            }
            new.push(place);
        }
        tip(&new, list.len())
    }

    /// What a boundary preserves and is new.
    fn kept<'l>(&self, kept: &Kept, list: &[&'l Item]) -> Vec<&'l Item> {
        let place = |uuid: &str| list.iter().position(|item| item.uuid == uuid);
        let is_kept = |at: usize, item: &Item| match kept {
            Kept::Nothing => false,
            Kept::Messages(uuids) => uuids.contains(&item.uuid),
            Kept::Segment(head, tail) => {
                let head = if self.has(head) { Some(0) } else { place(head) };
                matches!((head, place(tail)), (Some(head), Some(tail)) if (head..=tail).contains(&at))
            }
        };
        let mut found: Vec<&Item> = Vec::new();
        for (at, item) in list.iter().enumerate() {
            let can_be = !matches!(item.what, What::Boundary(_) | What::Summary);
            let is_first = found.iter().all(|other| other.uuid != item.uuid);
            let is_new = !self.has(&item.uuid) && !self.withdrawn.contains(&item.uuid);
            if is_kept(at, item) && can_be && is_first && is_new {
                found.push(item);
            }
        }
        found
    }

    fn flush(&mut self) {
        self.file.append(&mut self.queue);
    }

    /// Withdraws a message. Returns whether it is on disk.
    fn withdraw(&mut self, uuid: &str) -> bool {
        if let Some(place) = self.queue.iter().position(|line| line.uuid == uuid) {
            let gone = self.queue.remove(place);
            for link in self.queue.iter_mut().flat_map(|line| [&mut line.parent, &mut line.logical]) {
                if link.as_deref() == Some(uuid) {
                    link.clone_from(&gone.parent);
                }
            }
            self.withdrawn.push(gone.uuid);
        }
        self.file.iter().any(|line| line.uuid == uuid)
    }
}

/// What happens in a session, as three numbers. Small numbers stand for what is frequent.
type Step = (u8, u8, u8);

/// The session's list, and how many uuids were given.
#[derive(Default)]
struct Session {
    list: Vec<Item>,
    /// Everything that ever was in the list.
    all: Vec<Item>,
    uuids: usize,
}

impl Session {
    fn item(&mut self, what: What) -> Item {
        self.uuids += 1;
        let item = Item { uuid: format!("m{}", self.uuids), what, version: 0 };
        self.all.push(item.clone());
        item
    }

    fn some_uuid(&self, number: u8) -> String {
        let items = &self.all;
        match items.len() {
            0 => "nowhere".to_owned(),
            count => items[count - 1 - usize::from(number) % count].uuid.clone(),
        }
    }

    fn new_message(&mut self, number: u8) -> Item {
        let what = match number % 8 {
            0 | 1 => What::User,
            2..=4 => What::Assistant,
            5 | 6 => What::Result(self.some_uuid(number / 8)),
            _ => What::PassesBy(number / 8 % 3),
        };
        self.item(what)
    }

    /// Changes the list as a step says.
    fn take(&mut self, (kind, first, second): Step) {
        match kind {
            0..=3 => {
                for offset in 0..=first % 3 {
                    let message = self.new_message(second.wrapping_add(offset * 3));
                    self.list.push(message);
                }
            }
            // The last messages change.
            4 => {
                let start = self.list.len().saturating_sub(usize::from(first % 4));
                self.list[start..].iter_mut().for_each(|item| item.version += 1);
            }
            5 => self.compact(first, second),
            // The user goes back.
            6 => self.list.truncate(usize::from(first) % (self.list.len() + 1)),
            // A message comes in between, or once more.
            7 => {
                let place = usize::from(first) % (self.list.len() + 1);
                let message = self.new_message(second);
                self.list.insert(place, message);
            }
            _ => {
                let again = self.all.get(usize::from(first) % self.all.len().max(1)).cloned();
                self.list.extend(again);
            }
        }
    }

    /// Boundary, summary, what is kept, and something new after it or in front of it.
    fn compact(&mut self, first: u8, second: u8) {
        let keeps = usize::from(first % 5).min(self.list.len());
        let mut kept = self.list.split_off(self.list.len() - keeps);
        // New ones that nobody recorded yet, to be preserved as well.
        for offset in 0..second % 3 {
            let message = self.new_message(first.wrapping_add(offset));
            kept.push(message);
        }
        let uuid = |item: Option<&Item>| item.map_or("nowhere".to_owned(), |item| item.uuid.clone());
        let metadata = match second / 3 % 5 {
            0 => Kept::Nothing,
            1 => Kept::Messages(kept.iter().map(|item| item.uuid.clone()).collect()),
            2 => Kept::Segment(uuid(kept.first()), uuid(kept.last())),
            3 => Kept::Segment(self.some_uuid(first), self.some_uuid(second / 15)),
            _ => Kept::Messages(vec![self.some_uuid(first), self.some_uuid(second / 15)]),
        };
        let boundary = self.item(What::Boundary(metadata));
        let summary = self.item(What::Summary);
        let mut list = if first & 0x80 == 0 { Vec::new() } else { std::mem::take(&mut self.list) };
        list.extend([boundary, summary]);
        list.append(&mut kept);
        self.list = list;
    }
}

/// Plays the steps to the recorder and the model.
fn agree(steps: &[Step]) -> Result<(), TestCaseError> {
    let mut session = Session::default();
    let mut model = Model::default();
    let mut recorder = build::recorder();
    for &step in steps {
        match step {
            (9, ..) => {
                recorder.flush().unwrap();
                model.flush();
            }
            (10, ..) => {
                model.queue.clear();
                model.withdrawn.clear();
                recorder = build::going_on(recorder.disk().bytes());
            }
            (11, first, second) => {
                let mut uuids = vec![session.some_uuid(first), session.some_uuid(second)];
                uuids.dedup();
                let written = recorder.withdraw(uuids.iter().map(String::as_str));
                let expected: Vec<&String> = uuids.iter().filter(|uuid| model.withdraw(uuid)).collect();
                prop_assert_eq!(written.iter().collect::<Vec<_>>(), expected);
            }
            _ => {
                session.take(step);
                let list: Vec<Value> = session.list.iter().map(Item::json).collect();
                prop_assert_eq!(
                    build::record(&mut recorder, &list),
                    model.record(&session.list),
                    "the tip of {:#?}",
                    &session.list
                );
            }
        }
        prop_assert_eq!(recorder.queued(), model.queue.len());
    }
    recorder.flush().unwrap();
    model.flush();
    let found: Vec<Line> = build::lines(recorder.disk().bytes()).iter().map(line).collect();
    prop_assert_eq!(found, model.file, "after {:#?}", session.list);
    Ok(())
}

fn line(line: &Value) -> Line {
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    Line {
        uuid: text("uuid").unwrap(),
        parent: text("parentUuid"),
        logical: text("logicalParentUuid"),
        version: text("version").unwrap().parse().unwrap(),
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..=11_u8, any::<u8>(), any::<u8>()), 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_recorder_agrees_with_the_model(steps in steps()) {
        agree(&steps)?;
    }

    /// What was written in one process life has no gap, and no uuid twice.
    #[test]
    fn every_parent_is_a_line_before(steps in steps()) {
        let mut session = Session::default();
        let mut recorder = build::recorder();
        for &step in &steps {
            match step {
                (9, ..) => drop(recorder.flush().unwrap()),
                // A crash loses what waits, and a list may still hold it.
                (10, ..) => recorder = build::going_on(recorder.disk().bytes()),
                (11, first, second) => {
                    let uuids = [session.some_uuid(first), session.some_uuid(second)];
                    recorder.withdraw(uuids.iter().map(String::as_str));
                }
                _ => {
                    session.take(step);
                    let list: Vec<Value> = session.list.iter().map(Item::json).collect();
                    build::record(&mut recorder, &list);
                }
            }
        }
        recorder.flush().unwrap();
        let mut seen: Vec<String> = Vec::new();
        for line in build::lines(recorder.disk().bytes()).iter().map(line) {
            prop_assert!(line.parent.as_ref().is_none_or(|parent| seen.contains(parent)), "{line:?} of {seen:?}");
            prop_assert!(!seen.contains(&line.uuid), "{line:?} twice");
            seen.push(line.uuid);
        }
    }
}

/// The generator makes everything that the page describes. Otherwise the agreement above would prove little.
#[test]
fn the_generated_sessions_preserve_new_messages_and_replace_waiting_ones() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let (mut preserving, mut replacing, mut sourced) = (0, 0, 0);
    for _ in 0..500 {
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let mut session = Session::default();
        let mut model = Model::default();
        for step in steps {
            match step.0 {
                9 => model.flush(),
                10 | 11 => {}
                _ => session.take(step),
            }
            if step.0 > 8 {
                continue;
            }
            let waited = model.queue.clone();
            model.record(&session.list);
            let is_preserved = |pair: &[Line]| pair[1].logical.as_ref() == Some(&pair[0].uuid);
            let kept = model.queue.windows(2).skip(waited.len()).filter(|pair| is_preserved(pair));
            preserving += usize::from(kept.count() > 0);
            replacing += waited.iter().zip(&model.queue).filter(|(old, new)| old.version != new.version).count();
            let results = session.list.iter().filter(|item| {
                matches!(&item.what, What::Result(source)
                if model.queue.iter().any(|line| line.uuid == item.uuid && line.parent.as_ref() == Some(source)))
            });
            sourced += results.count();
        }
    }
    assert!(preserving > 50 && replacing > 50 && sourced > 50, "{preserving} {replacing} {sourced}");
}
