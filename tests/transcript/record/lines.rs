//! What a flush writes to the file, and what happens when the disk fails.

use std::io;

use serde_json::{Value, json};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::write::{
    AppendError, Appended, Disk, DiskFault, Failing, MemoryDisk, RecordError, Recorder, RecorderOptions,
};

use super::build::*;

/// A disk that counts.
#[derive(Default)]
struct Counting {
    disk: MemoryDisk,
    appends: Vec<Vec<u8>>,
    syncs: usize,
}

impl Disk for Counting {
    fn append(&mut self, lines: &[u8]) -> Result<Appended, AppendError> {
        self.appends.push(lines.to_vec());
        self.disk.append(lines)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.syncs += 1;
        Ok(())
    }
}

fn counting(options: RecorderOptions) -> Recorder<Counting> {
    Recorder::new(Counting::default(), options)
}

fn session() -> Vec<Value> {
    vec![user("u1"), assistant("a1"), result("r1", "a1"), assistant("a2")]
}

/// The uuids of a file's records, which must be all that is in it.
fn uuids(file: &[u8]) -> Vec<String> {
    let transcript = Transcript::from_bytes(file.to_vec());
    transcript.records().map(|record| record.uuid().unwrap().into_owned()).collect()
}

#[test]
fn a_flush_appends_everything_that_waits_in_one_write_of_whole_lines() {
    let mut recorder = counting(RecorderOptions::new(SESSION));
    recorder.record(&events(&session())).unwrap();
    assert!(recorder.disk().appends.is_empty());
    let report = recorder.flush().unwrap();
    let [written] = &recorder.disk().appends[..] else { panic!("one append") };
    assert_eq!((report.lines, report.bytes, report.healed), (4, written.len() as u64, false));
    assert_eq!(written.iter().filter(|&&byte| byte == b'\n').count(), 4);
    assert!(written.ends_with(b"\n"));
}

#[test]
fn a_flush_with_nothing_to_write_does_not_touch_the_disk() {
    let mut recorder = counting(RecorderOptions::new(SESSION));
    recorder.record(&events(&session())).unwrap();
    recorder.flush().unwrap();
    assert_eq!(recorder.flush().unwrap().lines, 0);
    assert_eq!(recorder.disk().appends.len(), 1);
}

#[test]
fn what_the_file_holds_is_never_changed() {
    let mut recorder = recorder();
    let mut list = Vec::new();
    let mut before = Vec::new();
    for message in session() {
        list.push(message);
        written(&mut recorder, &list);
        assert!(recorder.disk().bytes().starts_with(&before));
        before = recorder.disk().bytes().to_vec();
    }
    assert_eq!(uuids(&before), ["u1", "a1", "r1", "a2"]);
}

#[test]
fn a_torn_tail_is_healed_before_the_next_line() {
    for torn in ["{\"type\":\"user\",\"uu", "x", "\0\0\0", "{\"type\":\"user\",\"uuid\":\"w\",\"parentUuid\":null}"] {
        let mut recorder = recorder();
        written(&mut recorder, &session()[..1]);
        recorder.disk_mut().other_writer(torn.as_bytes());
        let before = recorder.disk().bytes().to_vec();
        recorder.record(&events(&session())).unwrap();
        assert!(recorder.flush().unwrap().healed);
        let file = recorder.disk().bytes();
        let added = file.strip_prefix(&before[..]).unwrap().strip_prefix(b"\n").unwrap();
        assert_eq!(chain(&lines(added)), ["a1<u1", "r1<a1", "a2<r1"]);
    }
}

#[test]
fn a_value_that_was_printed_over_several_lines_is_written_on_one() {
    let list: Vec<_> = serde_json::from_str(
        "[{\"type\":\"user\",\"uuid\":\"u1\",\n\"toolUseResult\":{\n  \"a\": \"x\\ny\",\r\n  \"b\": [1,\n2]\n},\"own\":{\n}}]",
    )
    .unwrap();
    let mut recorder = recorder();
    recorder.record(&list).unwrap();
    recorder.record_side(side("{\"type\":\"custom-title\",\"value\":[\n1\r\n]}"));
    assert_eq!(recorder.flush().unwrap().lines, 2);
    let lines = lines(recorder.disk().bytes());
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["toolUseResult"], json!({"a": "x\ny", "b": [1, 2]}));
    assert_eq!(lines[1]["value"], json!([1]));
}

#[test]
fn numbers_and_unknown_members_are_written_as_they_were_given() {
    let text = r#"[{"type":"user","uuid":"u1","novelty":{"n":1.10,"big":123456789012345678901234567890}}]"#;
    let mut recorder = recorder();
    recorder.record(&serde_json::from_str::<Vec<_>>(text).unwrap()).unwrap();
    recorder.flush().unwrap();
    let file = String::from_utf8(recorder.into_disk().into_bytes()).unwrap();
    assert!(file.contains(r#""novelty":{"n":1.10,"big":123456789012345678901234567890}"#), "{file}");
}

/// The session on a disk that is full after so many bytes, then has room again.
fn full_after(bytes: u64) -> (Memory, Vec<u8>, Result<(), RecordError>) {
    let mut recorder = recorder();
    recorder.disk_mut().takes(Some(bytes));
    recorder.record(&events(&session())).unwrap();
    let outcome = recorder.flush().map(drop);
    let file = recorder.disk().bytes().to_vec();
    recorder.disk_mut().takes(None);
    (recorder, file, outcome)
}

#[test]
fn a_disk_that_is_full_after_any_byte_loses_nothing_and_doubles_nothing() {
    let (recorder, _, outcome) = full_after(u64::MAX);
    outcome.unwrap();
    let whole = recorder.into_disk().into_bytes();
    for bytes in 0..whole.len() as u64 {
        let (mut recorder, file, outcome) = full_after(bytes);
        assert_eq!(file, whole[..bytes as usize], "what was taken");
        // A line that lacks its LF alone is whole.
        let whole_lines = uuids(&file).len();
        match outcome.unwrap_err() {
            RecordError::Disk { written, queued, source } => {
                assert_eq!((written, queued), (whole_lines, 4 - whole_lines), "after {bytes} bytes");
                assert_eq!(source.kind(), io::ErrorKind::StorageFull);
            }
            other => panic!("{other}"),
        }
        assert_eq!(recorder.queued(), 4 - whole_lines);
        recorder.record(&events(&session())).unwrap();
        let report = recorder.flush().unwrap();
        assert_eq!(report.healed, !file.is_empty() && !file.ends_with(b"\n"));
        let after = recorder.disk().bytes();
        assert!(after.starts_with(&file), "what was there is the same");
        assert!(after.ends_with(b"\n"));
        assert_eq!(uuids(after), ["u1", "a1", "r1", "a2"], "full after {bytes} bytes");
    }
}

#[test]
fn a_process_that_dies_after_any_byte_is_followed_by_one_that_writes_the_rest() {
    let (recorder, _, _) = full_after(u64::MAX);
    let whole = recorder.into_disk().into_bytes();
    for cut in 0..=whole.len() {
        let mut recorder = going_on(&whole[..cut]);
        record(&mut recorder, &session());
        recorder.flush().unwrap();
        let file = recorder.disk().bytes();
        assert_eq!(uuids(file), ["u1", "a1", "r1", "a2"], "cut after {cut} bytes");
        let wrong = chain_errors(file);
        assert!(wrong.is_empty(), "cut after {cut} bytes: {wrong:?}");
    }
}

/// Parents other than those of the session.
fn chain_errors(file: &[u8]) -> Vec<String> {
    let transcript = Transcript::from_bytes(file.to_vec());
    let expected = [("u1", None), ("a1", Some("u1")), ("r1", Some("a1")), ("a2", Some("r1"))];
    let records = transcript.records().zip(expected);
    let wrong = records.filter(|(record, (uuid, parent))| {
        let found: Value = serde_json::from_slice(record.bytes).unwrap();
        found["uuid"] != json!(uuid) || found["parentUuid"] != json!(parent)
    });
    wrong.map(|(record, _)| String::from_utf8_lossy(record.bytes).into_owned()).collect()
}

#[test]
fn a_line_whose_line_end_alone_was_not_taken_gets_it_with_the_next_flush() {
    let mut recorder = recorder();
    let length = written(&mut recorder, &[user("u1")]).len();
    assert_eq!(length, 1);
    let (bytes, line) = (recorder.disk().bytes().to_vec(), recorder.disk().bytes().len() as u64);
    let (mut recorder, file, outcome) = full_after(line - 1);
    assert!(matches!(outcome, Err(RecordError::Disk { written: 1, queued: 3, .. })));
    assert_eq!(file, bytes[..bytes.len() - 1]);
    // All that waits is withdrawn, so there is nothing to write but the line end.
    recorder.withdraw(["a1", "r1", "a2"]);
    assert_eq!(recorder.queued(), 0);
    assert_eq!(recorder.flush().unwrap().lines, 0);
    assert_eq!(recorder.disk().bytes(), bytes);
}

#[test]
fn a_disk_that_stays_full_gives_the_error_each_time_and_takes_nothing_twice() {
    let (mut recorder, file, _) = full_after(200);
    recorder.disk_mut().takes(Some(0));
    for _ in 0..3 {
        let error = recorder.flush().unwrap_err();
        assert!(error.to_string().contains("make room"), "{error}");
        assert_eq!(recorder.disk().bytes(), file);
    }
    // Room for the line end that heals, and no more.
    recorder.disk_mut().takes(Some(1));
    assert!(recorder.flush().is_err());
    assert_eq!(recorder.disk().bytes(), [&file[..], b"\n"].concat());
    recorder.disk_mut().takes(None);
    recorder.flush().unwrap();
    assert_eq!(uuids(recorder.disk().bytes()), ["u1", "a1", "r1", "a2"]);
}

#[test]
fn any_disk_can_be_made_to_fail() {
    let mut recorder = Recorder::new(Failing::after(MemoryDisk::default(), 200), RecorderOptions::new(SESSION));
    recorder.record(&events(&session())).unwrap();
    let error = recorder.flush().unwrap_err();
    assert!(matches!(error, RecordError::Disk { written: 1, queued: 3, .. }), "{error}");
    assert_eq!(recorder.disk().disk.bytes().len(), 200);

    let mut counted = Recorder::new(Failing::after(MemoryDisk::default(), 200), RecorderOptions::new(SESSION));
    counted.record(&events(&[user("u1")])).unwrap();
    counted.flush().unwrap();
    counted.record(&events(&[user("u1"), user("u2")])).unwrap();
    assert!(counted.flush().is_err(), "what it took before counts");
    recorder.disk_mut().takes = None;
    recorder.flush().unwrap();
    assert_eq!(uuids(recorder.disk().disk.bytes()), ["u1", "a1", "r1", "a2"]);
}

#[test]
fn a_lost_file_is_an_error_that_says_what_to_do_and_keeps_the_queue() {
    struct Lost;
    impl Disk for Lost {
        fn append(&mut self, _: &[u8]) -> Result<Appended, AppendError> {
            Err(AppendError { taken: 0, fault: DiskFault::Lost("/gone.jsonl".into()) })
        }
        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut recorder = Recorder::new(Lost, RecorderOptions::new(SESSION));
    recorder.record(&events(&session())).unwrap();
    let error = recorder.flush().unwrap_err();
    assert!(error.to_string().contains("/gone.jsonl no longer names"), "{error}");
    assert!(matches!(error, RecordError::Lost { queued: 4, .. }));
    assert_eq!(recorder.queued(), 4);
}

#[test]
fn before_a_request_all_that_waits_is_written_and_confirmed() {
    let mut recorder = counting(RecorderOptions::new(SESSION));
    recorder.record(&events(&[user("u0")])).unwrap();
    let tip = recorder.before_request(&events(&[user("u0"), user("u1")])).unwrap();
    assert_eq!(tip.as_deref(), Some("u1"));
    assert_eq!(uuids(recorder.disk().disk.bytes()), ["u0", "u1"]);
    assert_eq!((recorder.disk().appends.len(), recorder.disk().syncs), (1, 1));
    // Confirmed already.
    recorder.before_request(&events(&[user("u0"), user("u1")])).unwrap();
    assert_eq!((recorder.disk().appends.len(), recorder.disk().syncs), (1, 1));
    // Written already, but not confirmed.
    recorder.record(&events(&[user("u0"), user("u1"), user("u2")])).unwrap();
    recorder.flush().unwrap();
    assert_eq!(recorder.disk().syncs, 1);
    recorder.before_request(&events(&[user("u2")])).unwrap();
    assert_eq!((recorder.disk().appends.len(), recorder.disk().syncs), (2, 2));
}

#[test]
fn in_a_scripted_mode_nobody_waits_before_a_request() {
    let options = RecorderOptions { waits: false, ..RecorderOptions::new(SESSION) };
    let mut recorder = counting(options);
    assert_eq!(recorder.before_request(&events(&[user("u1")])).unwrap().as_deref(), Some("u1"));
    assert_eq!((recorder.disk().appends.len(), recorder.disk().syncs, recorder.queued()), (0, 0, 1));
    recorder.flush().unwrap();
    assert_eq!(uuids(recorder.disk().disk.bytes()), ["u1"]);
}

#[test]
fn a_disk_that_does_not_confirm_is_an_error_until_it_does() {
    let mut disk = Failing::after(MemoryDisk::default(), u64::MAX);
    disk.sync_fails = true;
    let mut recorder = Recorder::new(disk, RecorderOptions::new(SESSION));
    for _ in 0..2 {
        let error = recorder.before_request(&events(&[user("u1")])).unwrap_err();
        assert!(matches!(error, RecordError::NotConfirmed { .. }), "{error}");
        assert_eq!(uuids(recorder.disk().disk.bytes()), ["u1"]);
    }
    recorder.disk_mut().sync_fails = false;
    recorder.before_request(&events(&[user("u1")])).unwrap();
    assert_eq!(uuids(recorder.disk().disk.bytes()), ["u1"]);
}

#[test]
fn a_request_is_refused_when_what_comes_before_it_is_not_in_the_file() {
    let mut recorder = recorder();
    recorder.disk_mut().takes(Some(10));
    assert!(matches!(recorder.before_request(&events(&[user("u1")])), Err(RecordError::Disk { .. })));
    recorder.disk_mut().takes(None);
    assert!(recorder.before_request(&events(&[user("u1")])).is_ok());
}
