//! A simple *recorder*, right or with one mistake, to be judged.

use std::collections::HashSet;

use serde_json::{Value, json};
use turnproof_rules::operation::{RecordAnswer, RecordHints, RecordStep};

/// What a recorder does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// Nothing.
    None,
    /// It forgets what is recorded when a process starts.
    ForgetsFile,
    /// Recorded messages move the parent wherever they stand.
    FollowsRecorded,
    /// Results chain as other messages do.
    IgnoresSource,
    /// A boundary is written at its place in the list.
    BoundaryFirst,
    /// It writes progress.
    WritesProgress,
    /// A line is glued to a torn one.
    Glues,
    /// What a disk refused is forgotten.
    DropsRefused,
    /// It does not wait before a request.
    SendsFirst,
    /// A message is made into a line when it is queued.
    SerialisesEarly,
    /// It cuts off a torn end.
    CutsTorn,
    /// It writes only what it knows.
    DropsUnknown,
    /// It takes a message without a uuid.
    TakesNameless,
    /// It begins each list at null.
    IgnoresHint,
    /// A team stays for all later lists.
    KeepsTeam,
}

/// A recorder on a file in memory.
pub(super) struct Recorder {
    mistake: Mistake,
    is_eager: bool,
    file: Vec<u8>,
    recorded: HashSet<String>,
    queue: Vec<(Value, Option<String>)>,
    last: Option<String>,
    disk: Option<u64>,
    hints: RecordHints,
}

impl Recorder {
    /// A recorder; an eager one flushes after each list.
    pub(super) fn new(file: &[u8], mistake: Mistake, is_eager: bool) -> Self {
        let (recorded, queue) = (HashSet::new(), Vec::new());
        let mut recorder = Self {
            mistake,
            is_eager,
            file: file.into(),
            recorded,
            queue,
            last: None,
            disk: None,
            hints: RecordHints::default(),
        };
        recorder.start();
        recorder
    }

    fn start(&mut self) {
        self.queue.clear();
        self.recorded.clear();
        self.hints = RecordHints::default();
        let lines = self.file.split_inclusive(|&byte| byte == b'\n');
        let records: Vec<Value> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
        let uuids = records.iter().filter_map(|record| record["uuid"].as_str());
        self.last = uuids.clone().next_back().map(str::to_owned);
        if self.mistake != Mistake::ForgetsFile {
            self.recorded.extend(uuids.map(str::to_owned));
        }
    }

    /// Does a step.
    pub(super) fn step(&mut self, step: &RecordStep) -> RecordAnswer {
        let tip = match step {
            RecordStep::List(list) => self.list(list).and_then(|tip| match self.is_eager {
                true => self.flush().map(|()| tip),
                false => Ok(tip),
            }),
            RecordStep::ListBeforeRequest(list) => self.list(list).and_then(|tip| match self.mistake {
                Mistake::SendsFirst => Ok(tip),
                _ => self.flush().map(|()| tip),
            }),
            RecordStep::Flush => self.flush().map(|()| None),
            RecordStep::DiskTakes(bytes) => {
                self.disk = *bytes;
                Ok(None)
            }
            RecordStep::Restart => {
                self.start();
                Ok(None)
            }
            RecordStep::OtherWriter(bytes) => {
                self.file.extend(bytes);
                Ok(None)
            }
            RecordStep::Hints(hints) => {
                let team = self.hints.team.take().filter(|_| self.mistake == Mistake::KeepsTeam);
                self.hints = hints.clone();
                self.hints.team = self.hints.team.take().or(team);
                Ok(None)
            }
        };
        RecordAnswer::new(tip, self.file.clone())
    }

    fn list(&mut self, json: &str) -> Result<Option<String>, String> {
        let outcome = self.go_through(json);
        self.hints.starting_parent = None;
        if self.mistake != Mistake::KeepsTeam {
            self.hints.team = None;
        }
        outcome
    }

    fn go_through(&mut self, json: &str) -> Result<Option<String>, String> {
        let list: Vec<Value> = serde_json::from_str(json).unwrap();
        let writes_progress = self.mistake == Mistake::WritesProgress;
        let is_kept = |message: &&Value| match message["type"].as_str().unwrap() {
            "user" | "assistant" | "system" | "attachment" | "hook_result" => message["isVirtual"] != json!(true),
            kind => writes_progress && kind == "progress",
        };
        let list: Vec<&Value> = list.iter().filter(is_kept).collect();
        let nameless = list.iter().position(|message| message["uuid"].is_null());
        if let Some(place) = nameless.filter(|_| self.mistake != Mistake::TakesNameless) {
            return Err(format!("message {place} has no uuid"));
        }
        let hint = self.hints.starting_parent.take().filter(|uuid| self.recorded.contains(uuid));
        let (mut tip, mut is_prefix) = (hint.filter(|_| self.mistake != Mistake::IgnoresHint), true);
        for &message in &list {
            let Some(uuid) = message["uuid"].as_str().map(str::to_owned) else { continue };
            if self.recorded.contains(&uuid) {
                if self.mistake != Mistake::SerialisesEarly
                    && let Some(waiting) = self.queue.iter_mut().find(|(old, _)| old["uuid"] == message["uuid"])
                {
                    let logical = waiting.0["logicalParentUuid"].clone();
                    let team = ["teamName", "agentName"].map(|name| (name, waiting.0[name].clone()));
                    waiting.0 = message.clone();
                    for (name, value) in team.into_iter().filter(|(_, value)| !value.is_null()) {
                        waiting.0[name] = value;
                    }
                    if !logical.is_null() {
                        waiting.0["logicalParentUuid"] = logical;
                    }
                }
                if is_prefix || self.mistake == Mistake::FollowsRecorded {
                    tip = Some(uuid);
                }
                continue;
            }
            let is_boundary = message["subtype"] == json!("compact_boundary");
            if is_boundary {
                self.preserve(message, &list);
            }
            let parent = if is_boundary { None } else { self.source(message).or(tip) };
            self.queue(message, parent);
            (tip, is_prefix) = (Some(uuid), false);
        }
        Ok(tip)
    }

    fn preserve(&mut self, boundary: &Value, list: &[&Value]) {
        let uuids = &boundary["compactMetadata"]["preservedMessages"]["uuids"];
        let named: Vec<&str> = uuids.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for message in list {
            let uuid = message["uuid"].as_str().unwrap_or_default();
            let is_new = named.contains(&uuid) && !self.recorded.contains(uuid);
            if is_new && self.mistake != Mistake::BoundaryFirst {
                let parent = self.source(message).or(self.last.clone());
                self.queue(message, parent);
            }
        }
    }

    fn source(&self, message: &Value) -> Option<String> {
        let source = message["sourceToolAssistantUUID"].as_str()?;
        let is_known = self.recorded.contains(source) && self.mistake != Mistake::IgnoresSource;
        is_known.then(|| source.to_owned())
    }

    fn queue(&mut self, message: &Value, parent: Option<String>) {
        let mut message = message.clone();
        if message["subtype"] == json!("compact_boundary") && message["logicalParentUuid"].is_null() {
            message["logicalParentUuid"] = json!(self.last);
        }
        if let Some(team) = &self.hints.team {
            message["teamName"] = json!(team.team_name);
            message["agentName"] = json!(team.agent_name);
        }
        let uuid = message["uuid"].as_str().unwrap().to_owned();
        self.recorded.insert(uuid.clone());
        self.last = Some(uuid);
        self.queue.push((message, parent));
    }

    fn flush(&mut self) -> Result<(), String> {
        if self.queue.is_empty() {
            return Ok(());
        }
        let is_torn = self.file.last().is_some_and(|&byte| byte != b'\n');
        match self.mistake {
            Mistake::Glues => {}
            Mistake::CutsTorn => {
                let whole = self.file.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                self.file.truncate(whole);
            }
            _ if is_torn => self.append(b"\n")?,
            _ => {}
        }
        while let Some((message, parent)) = self.queue.first() {
            let line = self.line(message, parent.as_deref());
            if let Err(why) = self.append(line.as_bytes()) {
                if self.mistake == Mistake::DropsRefused {
                    self.queue.clear();
                }
                return Err(why);
            }
            self.queue.remove(0);
        }
        Ok(())
    }

    fn line(&self, message: &Value, parent: Option<&str>) -> String {
        let mut record = message.clone();
        if self.mistake == Mistake::DropsUnknown {
            record.as_object_mut().unwrap().remove("unknown");
        }
        record["parentUuid"] = json!(parent);
        record["sessionId"] = json!("s1");
        format!("{record}\n")
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), String> {
        let taken = self.disk.map_or(bytes.len(), |left| bytes.len().min(left as usize));
        self.file.extend(&bytes[..taken]);
        self.disk = self.disk.map(|left| left - taken as u64);
        if taken < bytes.len() { Err("the disk is full".to_owned()) } else { Ok(()) }
    }
}

/// The answers of a recorder to some steps.
pub(super) fn record(before: &[u8], steps: &[RecordStep], mistake: Mistake, is_eager: bool) -> Vec<RecordAnswer> {
    let mut recorder = Recorder::new(before, mistake, is_eager);
    steps.iter().map(|step| recorder.step(step)).collect()
}
