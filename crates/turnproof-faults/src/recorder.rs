//! A *slip* is a mistake around the library's recorder: in who calls it, in its lines, or in its disk.

use std::collections::{BTreeMap, HashMap};
use std::io;

use serde_json::value::{RawValue, to_raw_value};
use turnproof_reference::json::Text;
use turnproof_reference::message::{Event, Kind};
use turnproof_reference::transcript::write::{
    AppendError, Appended, Disk, Held, RecordHints, Recorder, RecorderOptions, TeamInfo,
};
use turnproof_rules::operation::{RecordAnswer, RecordStep, Value};

use super::stable::is_second_time;
use super::walk::{is, kind, list, text};

/// What is wrong. All else is as in the reference.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slip {
    /// How a process starts.
    Start(fn(&mut Start)),
    /// What is done at a step.
    Step(fn(&mut Process, &RecordStep) -> Tip),
    /// The parents of some new messages.
    Parent(fn(&New<'_>) -> Option<String>),
    /// The members of each line.
    Line(fn(&mut Members)),
    /// How the lines of a flush are appended.
    Append(fn(&mut File, &[u8]) -> Taken),
}

/// The answer to a step.
pub(super) type Tip = Result<Option<String>, String>;

/// What the disk says: everything was taken, or how many bytes were.
pub(super) type Taken = Result<(), usize>;

/// The members of a line, each as it is written.
pub(super) type Members = BTreeMap<String, Box<RawValue>>;

pub(super) struct Start {
    pub options: RecorderOptions,
    pub held: Held,
    /// Whether another process had the file before.
    pub is_second: bool,
}

/// A new message in a list.
pub(super) struct New<'a> {
    pub message: &'a Value,
    /// What comes before it in the list.
    pub before: &'a [Value],
    pub file: &'a [u8],
    /// Where the list continues, by the caller's hint.
    pub hint: Option<&'a str>,
}

pub(super) struct Process {
    slip: Slip,
    session: String,
    pub recorder: Recorder<File>,
    /// Whether the disk has refused something.
    pub has_failed: bool,
    /// Where the next list continues, by the caller's hint.
    hint: Option<String>,
    /// The hints that were given last.
    pub last_hints: Option<RecordStep>,
}

#[derive(Default)]
pub(super) struct File {
    pub bytes: Vec<u8>,
    /// How many bytes more it takes; `None` when it takes everything.
    room: Option<u64>,
    /// Where the last line of this process ends.
    pub own_end: usize,
    slip: Option<Slip>,
    /// The wrong parents of messages.
    parents: HashMap<String, String>,
    /// Whether the same is recorded a second time.
    pub is_second_time: bool,
}

/// Continues a file, step by step, with a slip.
pub(super) fn record(slip: Slip, file: &[u8], session: &str, steps: &[RecordStep]) -> Vec<RecordAnswer> {
    let file = File { bytes: file.to_vec(), slip: Some(slip), is_second_time: is_second_time(), ..File::default() };
    let mut process = Process::start(slip, session.to_owned(), file, false);
    let mut answer = |step| {
        let tip = match slip {
            Slip::Step(take) => take(&mut process, step),
            _ => process.right(step),
        };
        RecordAnswer::new(tip, process.recorder.disk().bytes.clone())
    };
    steps.iter().map(&mut answer).collect()
}

impl Process {
    fn start(slip: Slip, session: String, mut file: File, is_second: bool) -> Self {
        file.own_end = file.bytes.len();
        let held = Held::read(&file.bytes[..]).unwrap_or_default();
        let mut start = Start { options: RecorderOptions::new(session.as_str()), held, is_second };
        if let Slip::Start(change) = slip {
            change(&mut start);
        }
        let recorder = Recorder::resumed(file, start.options, start.held.uuids, start.held.last);
        Self { slip, session, recorder, has_failed: false, hint: None, last_hints: None }
    }

    /// Takes a step as the reference does.
    pub(super) fn right(&mut self, step: &RecordStep) -> Tip {
        match step {
            RecordStep::List(json) => return self.list(json, false),
            RecordStep::ListBeforeRequest(json) => return self.list(json, true),
            RecordStep::Flush => drop(self.recorder.flush().map_err(|error| error.to_string())?),
            RecordStep::DiskTakes(room) => self.recorder.disk_mut().room = *room,
            RecordStep::OtherWriter(bytes) => self.recorder.disk_mut().bytes.extend_from_slice(bytes),
            RecordStep::Hints(hints) => {
                self.hint = hints.starting_parent.clone();
                self.recorder.hint(RecordHints {
                    starting_parent: hints.starting_parent.as_deref().map(Text::from),
                    team: hints.team.as_ref().map(|team| TeamInfo {
                        team_name: team.team_name.as_str().into(),
                        agent_name: team.agent_name.as_str().into(),
                    }),
                });
            }
            RecordStep::Restart => {
                let file = std::mem::take(self.recorder.disk_mut());
                *self = Self::start(self.slip, std::mem::take(&mut self.session), file, true);
            }
        }
        Ok(None)
    }

    fn list(&mut self, json: &str, is_before_request: bool) -> Tip {
        let wrong_tip = match self.slip {
            Slip::Parent(parent) => self.note_parents(json, parent),
            _ => None,
        };
        let list: Vec<Event> = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let record = if is_before_request { Recorder::before_request } else { Recorder::record };
        let tip = record(&mut self.recorder, &list).map_err(|error| error.to_string())?;
        Ok(wrong_tip.or(tip.map(|uuid| uuid.as_str().to_owned())))
    }

    /// Takes note of the wrong parents of what is new in a list; gives that of the next message.
    fn note_parents(&mut self, json: &str, parent: fn(&New<'_>) -> Option<String>) -> Option<String> {
        let messages = list(json).unwrap_or_default();
        let hint = self.hint.take();
        let mut parents = Vec::new();
        for (index, message) in messages.iter().enumerate() {
            let uuid = text(message, "uuid");
            let file = &self.recorder.disk().bytes;
            let new = New { message, before: &messages[..index], file, hint: hint.as_deref() };
            if !self.recorder.is_recorded(uuid) {
                parents.extend(parent(&new).map(|parent| (uuid.to_owned(), parent)));
            }
        }
        let file = self.recorder.disk_mut();
        file.parents.extend(parents);
        parent(&New { message: &Value::Null, before: &messages, file: &file.bytes, hint: hint.as_deref() })
    }
}

impl New<'_> {
    /// The last message before it that is written.
    pub(super) fn previous(&self) -> Option<&Value> {
        self.before.iter().rev().find(|message| is_written(message))
    }
}

pub(super) fn is_written(message: &Value) -> bool {
    Kind::of(kind(message)).is_some_and(Kind::is_persisted) && !is(message, "isVirtual")
}

impl File {
    /// Appends as the library's disk does.
    pub(super) fn right(&mut self, lines: &[u8]) -> Taken {
        if self.bytes.last().is_some_and(|&byte| byte != b'\n') {
            self.write(b"\n").map_err(|_| 0_usize)?;
        }
        self.write(lines)
    }

    /// Appends as much as there is room for.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Taken {
        let room = self.room.map_or(bytes.len(), |room| usize::try_from(room).unwrap_or(usize::MAX));
        let taken = bytes.len().min(room);
        self.bytes.extend_from_slice(&bytes[..taken]);
        self.own_end = self.bytes.len();
        self.room = self.room.map(|room| room - taken as u64);
        if taken == bytes.len() { Ok(()) } else { Err(taken) }
    }

    /// A line as it is written.
    fn changed(&self, line: &[u8]) -> Vec<u8> {
        let Ok(mut members) = serde_json::from_slice::<Members>(line) else { return line.to_vec() };
        match self.slip {
            Some(Slip::Line(change)) => change(&mut members),
            Some(Slip::Parent(_)) => {
                let uuid = members.get("uuid").and_then(|uuid| serde_json::from_str::<String>(uuid.get()).ok());
                let parent = uuid.and_then(|uuid| to_raw_value(self.parents.get(&uuid)?).ok());
                members.extend(parent.map(|parent| ("parentUuid".to_owned(), parent)));
            }
            _ => return line.to_vec(),
        }
        let mut line = serde_json::to_vec(&members).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

impl Disk for File {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        let lines: Vec<&[u8]> = lines.split_inclusive(|&byte| byte == b'\n').collect();
        let changed: Vec<Vec<u8>> = lines.iter().map(|line| self.changed(line)).collect();
        let append = if let Some(Slip::Append(append)) = self.slip { append } else { Self::right };
        let Err(mut taken) = append(self, &changed.concat()) else { return Ok(Appended::default()) };
        let mut of_lines = 0;
        for (line, changed) in lines.iter().zip(&changed) {
            of_lines += if changed.len() <= taken { line.len() } else { 0 };
            taken = taken.saturating_sub(changed.len());
        }
        Err(AppendError { taken: of_lines, fault: io::Error::from(io::ErrorKind::StorageFull).into() })
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
