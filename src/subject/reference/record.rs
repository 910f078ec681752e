//! How the reference *records*: a recorder on a file in memory.

use crate::json::Text;
use crate::message::Event;
use crate::operation::{RecordAnswer, RecordStep};
use crate::transcript::write::{Held, MemoryDisk, RecordError, Recorder, RecorderOptions};

/// Goes on with a file, step by step.
pub(super) fn record(file: &[u8], session: &str, steps: &[RecordStep]) -> Vec<RecordAnswer> {
    let mut recorder = going_on(MemoryDisk::new(file.to_vec()), session);
    let answer =
        |step| RecordAnswer { tip: take_step(&mut recorder, session, step), file: recorder.disk().bytes().to_vec() };
    steps.iter().map(answer).collect()
}

/// A recorder that knows what the file holds.
fn going_on(disk: MemoryDisk, session: &str) -> Recorder<MemoryDisk> {
    // Bytes in memory can always be read.
    let held = Held::read(disk.bytes()).unwrap_or_default();
    Recorder::resumed(disk, RecorderOptions::new(session), held.uuids, held.last)
}

/// The tip after a list; what went wrong otherwise.
fn take_step(recorder: &mut Recorder<MemoryDisk>, session: &str, step: &RecordStep) -> Result<Option<String>, String> {
    match step {
        RecordStep::List(list) => return tip(list, |list| recorder.record(list)),
        RecordStep::ListBeforeRequest(list) => return tip(list, |list| recorder.before_request(list)),
        RecordStep::Flush => {
            recorder.flush().map_err(|error| error.to_string())?;
        }
        RecordStep::DiskTakes(bytes) => recorder.disk_mut().takes(*bytes),
        RecordStep::OtherWriter(bytes) => recorder.disk_mut().other_writer(bytes),
        RecordStep::Restart => *recorder = going_on(std::mem::take(recorder.disk_mut()), session),
    }
    Ok(None)
}

/// Reads a list, gives it to the recorder, and says what came of it.
fn tip(
    list: &str,
    record: impl FnOnce(&[Event]) -> Result<Option<Text>, RecordError>,
) -> Result<Option<String>, String> {
    let list: Vec<Event> = serde_json::from_str(list).map_err(|error| error.to_string())?;
    let tip = record(&list).map_err(|error| error.to_string())?;
    Ok(tip.map(|uuid| uuid.as_str().to_owned()))
}
