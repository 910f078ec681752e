//! The recorder that writes on a thread of its own.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use turnproof_reference::transcript::write::{
    AppendError, Appended, Background, Disk, MemoryDisk, RecordError, Recorder, RecorderOptions,
};

use super::build::*;

/// A disk that tests can look into.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<MemoryDisk>>);

impl Disk for Shared {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        self.0.lock().unwrap().append(lines)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.lock().unwrap().sync()
    }
}

/// A disk that waits for permission before each append.
struct Slow {
    disk: Shared,
    begun: Sender<()>,
    go_on: Receiver<()>,
}

impl Disk for Slow {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        self.begun.send(()).unwrap();
        self.go_on.recv().unwrap();
        self.disk.append(lines)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn start(disk: Shared, period_ms: u64) -> Background<Shared> {
    Background::start(Recorder::new(disk, RecorderOptions { period_ms, ..RecorderOptions::new(SESSION) }))
}

fn wait_until(is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "it never was so");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn count(disk: &Shared) -> usize {
    disk.0.lock().unwrap().bytes().iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn what_waits_is_written_after_the_period() {
    let disk = Shared::default();
    let background = start(disk.clone(), 30);
    let start = Instant::now();
    assert_eq!(background.record(&events(&[user("u1")])).unwrap().as_deref(), Some("u1"));
    wait_until(|| count(&disk) == 1);
    assert!(start.elapsed() >= Duration::from_millis(30));
    background.record(&events(&[user("u1"), user("u2")])).unwrap();
    background.record_side(side(r#"{"type":"custom-title"}"#)).unwrap();
    wait_until(|| count(&disk) == 3);
    assert_eq!(background.queued(), 0);
}

#[test]
fn recording_does_not_wait_for_the_disk() {
    let (begun, has_begun) = mpsc::channel();
    let (go_on, may_go_on) = mpsc::channel();
    let disk = Shared::default();
    let slow = Slow { disk: disk.clone(), begun, go_on: may_go_on };
    let options = RecorderOptions { period_ms: 1, ..RecorderOptions::new(SESSION) };
    let background = Background::start(Recorder::new(slow, options));
    background.record(&events(&[user("u1"), user("u2")])).unwrap();
    has_begun.recv().unwrap();
    // The disk is writing. What it writes can no longer change, and what comes now waits.
    let mut late = user("u2");
    late["slug"] = "late".into();
    let tip = background.record(&events(&[user("u1"), late, user("u3"), user("u4")])).unwrap();
    assert_eq!(tip.as_deref(), Some("u4"));
    assert_eq!(background.withdraw(["u2", "u4"]), ["u2"]);
    assert_eq!(count(&disk), 0);
    go_on.send(()).unwrap();
    has_begun.recv().unwrap();
    go_on.send(()).unwrap();
    let (recorder, outcome) = background.stop();
    outcome.unwrap();
    assert_eq!(recorder.queued(), 0);
    let file = disk.0.lock().unwrap().bytes().to_vec();
    let lines = lines(&file);
    assert_eq!(chain(&lines), ["u1<-", "u2<u1", "u3<u2"]);
    assert_eq!(lines[1].get("slug"), None);
}

#[test]
fn an_error_of_the_thread_comes_with_the_next_call_and_nothing_is_lost() {
    let disk = Shared::default();
    disk.0.lock().unwrap().takes(Some(3));
    let background = start(disk.clone(), 5);
    background.record(&events(&[user("u1")])).unwrap();
    wait_until(|| disk.0.lock().unwrap().bytes().len() == 3);
    wait_until(|| background.record(&events(&[user("u1"), user("u2")])).is_err());
    assert_eq!(background.tip().as_deref(), Some("u2"));
    disk.0.lock().unwrap().takes(None);
    let (recorder, outcome) = background.stop();
    outcome.unwrap();
    assert_eq!(recorder.queued(), 0);
    let file = disk.0.lock().unwrap().bytes().to_vec();
    assert_eq!(&file[..4], b"{\"t\n");
    assert_eq!(chain(&lines(&file[4..])), ["u1<-", "u2<u1"]);
}

#[test]
fn the_thread_tries_again_by_itself() {
    let disk = Shared::default();
    disk.0.lock().unwrap().takes(Some(0));
    let background = start(disk.clone(), 5);
    background.record(&events(&[user("u1")])).unwrap();
    std::thread::sleep(Duration::from_millis(40));
    disk.0.lock().unwrap().takes(None);
    wait_until(|| count(&disk) == 1);
}

#[test]
fn before_a_request_the_caller_waits_unless_nobody_should() {
    let disk = Shared::default();
    let background = start(disk.clone(), 1_000_000);
    background.before_request(&events(&[user("u1")])).unwrap();
    assert_eq!(count(&disk), 1);
    disk.0.lock().unwrap().takes(Some(0));
    let list = events(&[user("u1"), user("u2")]);
    assert!(matches!(background.before_request(&list), Err(RecordError::Disk { queued: 1, .. })));
    disk.0.lock().unwrap().takes(None);
    assert_eq!(background.before_request(&list).unwrap().as_deref(), Some("u2"));
    assert_eq!(count(&disk), 2);

    let disk = Shared::default();
    let options = RecorderOptions { waits: false, period_ms: 1_000_000, ..RecorderOptions::new(SESSION) };
    let background = Background::start(Recorder::new(disk.clone(), options));
    background.before_request(&events(&[user("u1")])).unwrap();
    assert_eq!((count(&disk), background.queued()), (0, 1));
}

#[test]
fn stopping_gives_the_recorder_back_with_what_could_not_be_written() {
    let disk = Shared::default();
    disk.0.lock().unwrap().takes(Some(0));
    let background = start(disk.clone(), 1_000_000);
    background.record(&events(&[user("u1")])).unwrap();
    let (mut recorder, outcome) = background.stop();
    assert!(matches!(outcome, Err(RecordError::Disk { .. })));
    assert_eq!(recorder.queued(), 1);
    disk.0.lock().unwrap().takes(None);
    assert_eq!(recorder.flush().unwrap().lines, 1);
}

#[test]
fn a_recorder_that_comes_with_a_queue_is_flushed_too_and_so_is_one_that_is_dropped() {
    let disk = Shared::default();
    let mut recorder = Recorder::new(disk.clone(), RecorderOptions { period_ms: 5, ..RecorderOptions::new(SESSION) });
    recorder.record(&events(&[user("u1")])).unwrap();
    let background = Background::start(recorder);
    wait_until(|| count(&disk) == 1);
    drop(background);

    let disk = Shared::default();
    let background = start(disk.clone(), 1_000_000);
    background.record(&events(&[user("u1")])).unwrap();
    drop(background);
    wait_until(|| count(&disk) == 1);
}

#[test]
fn two_background_recorders_take_turns_on_one_disk() {
    let disk = Shared::default();
    let recorders = [start(disk.clone(), 1), start(disk.clone(), 1)];
    std::thread::scope(|scope| {
        for (name, background) in ["a", "b"].into_iter().zip(&recorders) {
            scope.spawn(move || {
                let list: Vec<_> = (0..200).map(|index| user(&format!("{name}{index}"))).collect();
                for length in 1..=list.len() {
                    background.record(&events(&list[..length])).unwrap();
                }
                background.flush().unwrap();
            });
        }
    });
    let file = disk.0.lock().unwrap().bytes().to_vec();
    let lines = lines(&file);
    for name in ["a", "b"] {
        let own: Vec<_> =
            lines.iter().filter(|line| line["uuid"].as_str().unwrap().starts_with(name)).cloned().collect();
        let expected: Vec<String> = (0..200)
            .map(|index: usize| match index.checked_sub(1) {
                Some(before) => format!("{name}{index}<{name}{before}"),
                None => format!("{name}0<-"),
            })
            .collect();
        assert_eq!(chain(&own), expected);
    }
}
