//! A *background* recorder writes on a thread of its own, on real time.

use std::panic;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::json::Text;
use crate::message::{Event, SideRecord};

use super::disk::Disk;
use super::hints::RecordHints;
use super::ledger::Ledger;
use super::recorder::{FlushReport, RecordError, Recorder};

/// A recorder whose queue is flushed by a thread. Dropped without [`stop`](Self::stop), it still writes what waits, but
/// nobody learns whether that went well.
#[derive(Debug)]
pub struct Background<D> {
    ledger: Arc<Mutex<Ledger>>,
    orders: Sender<Order>,
    thread: JoinHandle<D>,
}

/// What the thread is asked to do.
#[derive(Debug)]
enum Order {
    /// Something waits now.
    Wake,
    /// Write it at once, have the disk confirm it if so asked, and say what came of it.
    Flush { confirm: bool, answer: Sender<Result<FlushReport, RecordError>> },
    /// End.
    Stop,
}

impl<D: Disk + Send + 'static> Background<D> {
    /// Starts the thread; it writes as often as the recorder's options say.
    pub fn start(recorder: Recorder<D>) -> Self {
        let Recorder { ledger, disk } = recorder;
        let period = Duration::from_millis(ledger.options.period_ms);
        let ledger = Arc::new(Mutex::new(ledger));
        let (orders, received) = mpsc::channel();
        let writer = Writer { ledger: Arc::clone(&ledger), disk, period, due: None };
        let thread = thread::spawn(move || writer.run(&received));
        let background = Self { ledger, orders, thread };
        // The recorder may come with something that waits.
        background.wake();
        background
    }

    /// As [`Recorder::record`]; never waits for the disk. Fails also when the thread could not write since the last
    /// call. Then the list is queued all the same, and [`tip`](Self::tip) has its tip.
    pub fn record(&self, list: &[Event]) -> Result<Option<Text>, RecordError> {
        let tip = held(&self.ledger).record(list)?;
        self.wake();
        held(&self.ledger).failure.take().map_or(Ok(tip), Err)
    }

    /// As [`Recorder::hint`].
    pub fn hint(&self, hints: RecordHints) {
        held(&self.ledger).hints = hints;
    }

    /// As [`Recorder::record_side`].
    /// Fails when the thread could not write since the last call; the side record is queued all the same.
    pub fn record_side(&self, record: SideRecord) -> Result<(), RecordError> {
        held(&self.ledger).record_side(record);
        self.wake();
        held(&self.ledger).failure.take().map_or(Ok(()), Err)
    }

    /// As [`Recorder::before_request`]; waits for the disk if the options say so. Fails also with
    /// [`RecordError::Stopped`].
    pub fn before_request(&self, list: &[Event]) -> Result<Option<Text>, RecordError> {
        if !held(&self.ledger).options.waits {
            return self.record(list);
        }
        let tip = held(&self.ledger).record(list)?;
        self.order_flush(true)?;
        Ok(tip)
    }

    /// As [`Recorder::flush`]; waits until it is done. Fails also with [`RecordError::Stopped`].
    pub fn flush(&self) -> Result<FlushReport, RecordError> {
        self.order_flush(false)
    }

    /// As [`Recorder::withdraw`]; what is being written at this moment counts as on disk.
    pub fn withdraw<'u>(&self, uuids: impl IntoIterator<Item = &'u str>) -> Vec<String> {
        held(&self.ledger).withdraw(uuids)
    }

    /// How many lines wait.
    pub fn queued(&self) -> usize {
        held(&self.ledger).queued()
    }

    /// The tip of the last list.
    pub fn tip(&self) -> Option<Text> {
        held(&self.ledger).tip.clone()
    }

    /// Writes what waits, and ends the thread. Gives back the recorder, with what could not be written.
    pub fn stop(self) -> (Recorder<D>, Result<FlushReport, RecordError>) {
        let outcome = self.flush();
        // A thread that has ended needs no order.
        let _ = self.orders.send(Order::Stop);
        let disk = self.thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
        let ledger = std::mem::take(&mut *held(&self.ledger));
        (Recorder { ledger, disk }, outcome)
    }

    fn wake(&self) {
        // A thread that has ended is noticed when something has to be confirmed.
        let _ = self.orders.send(Order::Wake);
    }

    fn order_flush(&self, confirm: bool) -> Result<FlushReport, RecordError> {
        let (answer, answered) = mpsc::channel();
        self.orders.send(Order::Flush { confirm, answer }).map_err(|_| RecordError::Stopped)?;
        let outcome = answered.recv().map_err(|_| RecordError::Stopped)?;
        // This answer reports what failed before, or the failure was made good.
        held(&self.ledger).failure.take();
        outcome
    }
}

/// What the thread has.
struct Writer<D> {
    ledger: Arc<Mutex<Ledger>>,
    disk: D,
    period: Duration,
    /// When to write.
    due: Option<Instant>,
}

impl<D: Disk> Writer<D> {
    fn run(mut self, orders: &Receiver<Order>) -> D {
        loop {
            match self.next(orders) {
                Ok(Order::Wake) => self.schedule(),
                Ok(Order::Flush { confirm, answer }) => {
                    let outcome = self.flush(confirm);
                    // Who asked may be gone.
                    let _ = answer.send(outcome);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = self.flush(false) {
                        held(&self.ledger).failure = Some(error);
                    }
                }
                Ok(Order::Stop) => return self.disk,
                Err(RecvTimeoutError::Disconnected) => {
                    // The recorder was dropped: nobody can ask for the error.
                    let _ = self.flush(false);
                    return self.disk;
                }
            }
        }
    }

    /// The next order; a timeout when it is time to write.
    fn next(&self, orders: &Receiver<Order>) -> Result<Order, RecvTimeoutError> {
        match self.due {
            Some(due) => orders.recv_timeout(due.saturating_duration_since(Instant::now())),
            None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    /// Decides when to write next, if it is not decided and something waits.
    fn schedule(&mut self) {
        if self.due.is_none() && held(&self.ledger).queued() > 0 {
            self.due = Some(Instant::now() + self.period);
        }
    }

    fn flush(&mut self, confirm: bool) -> Result<FlushReport, RecordError> {
        let outcome = self.write(confirm);
        self.due = None;
        self.schedule();
        outcome
    }

    /// Writes while nobody is kept from recording.
    fn write(&mut self, confirm: bool) -> Result<FlushReport, RecordError> {
        let batch = held(&self.ledger).batch();
        let report = batch.map(|batch| {
            let outcome = self.disk.append(&batch.lines);
            held(&self.ledger).settle(&batch, outcome)
        });
        let report = report.transpose()?.unwrap_or_default();
        let is_confirmed = held(&self.ledger).is_confirmed;
        if confirm && !is_confirmed {
            let outcome = self.disk.sync();
            held(&self.ledger).confirmed(outcome)?;
        }
        Ok(report)
    }
}

/// The lock; a thread that panicked while it held it leaves nothing half done that matters here.
fn held(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}
