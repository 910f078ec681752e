//! A *process* is a program that runs: it gets lines, and prints lines, within [limits](Limits).
//!
//! Its three pipes are asked together, with a time limit, by the thread that wants the answer. So nobody waits for a
//! pipe that nobody serves, whatever the program does, and a question costs no change of threads.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};
use rustix::process::{Pid, Signal, kill_process_group};

use super::crash::{BadEnd, Crash, ending};
use super::limits::Limits;
use super::tail::Tail;
use super::{Setup, Stop};

/// A program that runs, in a process group of its own. It ends, with all of its group, when this is dropped.
pub(super) struct Process {
    child: Child,
    /// `None` once it is closed, by us or by the program.
    input: Option<ChildStdin>,
    output: ChildStdout,
    errors: Option<ChildStderr>,
    /// Where pipes are read to; it is large, and so it is made once.
    chunk: Box<[u8]>,
    /// What was read, and is no line yet or belongs to the next question.
    read: Vec<u8>,
    /// How many of its bytes hold no line end.
    scanned: usize,
    said: Tail,
    limits: Limits,
    stop: Stop,
    looked_at_memory: Instant,
}

/// With which pipes something can be done.
struct Ready {
    input: bool,
    output: bool,
    errors: bool,
}

/// How often its memory is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How long it is waited for the end of a process that has closed its output, or was ended.
const SOON: Duration = Duration::from_secs(1);

/// The most bytes that are read at once.
const CHUNK: usize = 1 << 16;

impl Process {
    /// Starts a program; `words` are its name and its arguments.
    pub(super) fn start(words: &[String], setup: &Setup) -> io::Result<Self> {
        let (name, arguments) = words.split_first().ok_or(ErrorKind::InvalidInput)?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.process_group(0).spawn()?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            return Err(ErrorKind::BrokenPipe.into());
        };
        ioctl_fionbio(&input, true)?;
        ioctl_fionbio(&output, true)?;
        ioctl_fionbio(&errors, true)?;
        setup.stop.note(child.id(), true);
        let (chunk, read, said) = (vec![0; CHUNK].into(), Vec::new(), Tail::default());
        let (input, errors) = (Some(input), Some(errors));
        Ok(Self {
            child,
            input,
            output,
            errors,
            chunk,
            read,
            scanned: 0,
            said,
            limits: setup.limits,
            stop: setup.stop.clone(),
            looked_at_memory: Instant::now(),
        })
    }

    /// Sends a line, and gives the next one that the program prints.
    pub(super) fn exchange(&mut self, line: &[u8], within: Duration) -> Result<Vec<u8>, Crash> {
        let until = Instant::now() + within;
        let mut unsent = line;
        self.said.clear();
        self.write(&mut unsent)?;
        loop {
            if let Some(line) = self.take_line()? {
                return Ok(line);
            }
            if self.stop.is_set() {
                return Err(Crash::Stopped);
            }
            if Instant::now() >= until {
                return Err(if self.input.is_none() { Crash::ClosedInput } else { Crash::Silent { within } });
            }
            if !self.turn(&mut unsent, until)? {
                return Err(self.closed());
            }
        }
    }

    /// Sends a line and the end of the input; gives all that the program prints, and how it ended.
    pub(super) fn finish(&mut self, line: &[u8], within: Duration) -> Result<(Vec<u8>, ExitStatus), Crash> {
        let until = Instant::now() + within;
        let mut unsent = line;
        self.write(&mut unsent)?;
        loop {
            if unsent.is_empty() {
                self.input = None;
            }
            if self.read.len() > self.limits.line {
                return Err(Crash::Flood { most: self.limits.line });
            }
            if self.stop.is_set() {
                return Err(Crash::Stopped);
            }
            if Instant::now() >= until {
                return Err(Crash::Silent { within });
            }
            if !self.turn(&mut unsent, until)? {
                let status = self.ended(until).ok_or(Crash::ClosedOutput)?;
                self.read_errors();
                return Ok((std::mem::take(&mut self.read), status));
            }
        }
    }

    /// Sends the last line, and waits for the end.
    pub(super) fn stop(mut self, line: &[u8]) -> Result<(), BadEnd> {
        let within = self.limits.stop;
        let until = Instant::now() + within;
        let mut unsent = line;
        let mut is_open = self.write(&mut unsent).is_ok();
        while is_open && Instant::now() < until {
            if unsent.is_empty() {
                self.input = None;
            }
            is_open = self.turn(&mut unsent, until).unwrap_or(false);
            self.read.clear();
        }
        match self.ended(until) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(BadEnd::Code { how: ending(status) }),
            None => Err(BadEnd::Ignored { within }),
        }
    }

    /// The end of what the program wrote to standard error since the last question.
    pub(super) fn said(&self) -> String {
        self.said.text()
    }

    /// Waits until a pipe is ready, and serves all that are. False when the program has closed its output.
    fn turn(&mut self, unsent: &mut &[u8], until: Instant) -> Result<bool, Crash> {
        self.look_at_memory()?;
        let patience = until.saturating_duration_since(Instant::now()).min(LOOK);
        let ready = self.ready(!unsent.is_empty(), patience)?;
        if ready.errors {
            self.read_errors();
        }
        match (ready.input, unsent.is_empty()) {
            (true, false) => self.write(unsent)?,
            // Nobody reads it any more.
            (true, true) => self.input = None,
            (false, _) => {}
        }
        if ready.output { self.read_output() } else { Ok(true) }
    }

    /// Waits until something can be done with a pipe; gives with which.
    fn ready(&self, wants_to_write: bool, patience: Duration) -> Result<Ready, Crash> {
        // A closed pipe is reported unasked.
        let of_input = if wants_to_write { PollFlags::OUT } else { PollFlags::empty() };
        let mut pipes = vec![PollFd::new(&self.output, PollFlags::IN)];
        pipes.extend(self.errors.as_ref().map(|errors| PollFd::new(errors, PollFlags::IN)));
        pipes.extend(self.input.as_ref().map(|input| PollFd::new(input, of_input)));
        let patience = Timespec { tv_sec: 0, tv_nsec: patience.as_nanos() as _ };
        match poll(&mut pipes, Some(&patience)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(Crash::System { why: error.to_string() }),
        }
        let mut ready = pipes.iter().map(|pipe| !pipe.revents().is_empty());
        let output = ready.next().unwrap_or(false);
        let errors = self.errors.is_some() && ready.next().unwrap_or(false);
        Ok(Ready { input: ready.next().unwrap_or(false), output, errors })
    }

    /// Writes what the pipe takes now. A program that has closed its input may still answer.
    fn write(&mut self, unsent: &mut &[u8]) -> Result<(), Crash> {
        while let (Some(input), false) = (&mut self.input, unsent.is_empty()) {
            match input.write(unsent) {
                Ok(written) => *unsent = &unsent[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::BrokenPipe => self.input = None,
                Err(error) => return Err(Crash::System { why: error.to_string() }),
            }
        }
        *unsent = if self.input.is_none() { &[] } else { *unsent };
        Ok(())
    }

    /// Reads what the program has printed, once. False at the end.
    fn read_output(&mut self) -> Result<bool, Crash> {
        match self.output.read(&mut self.chunk) {
            Ok(0) => Ok(false),
            Ok(read) => {
                self.read.extend_from_slice(&self.chunk[..read]);
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(true),
            Err(error) => Err(Crash::System { why: error.to_string() }),
        }
    }

    /// Reads what the program has written to standard error until now; at most so much that a flood holds nobody up.
    fn read_errors(&mut self) {
        for _ in 0..16 {
            match self.errors.as_mut().map(|errors| errors.read(&mut self.chunk)) {
                Some(Ok(read @ 1..)) => self.said.push(&self.chunk[..read]),
                Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
                Some(Err(error)) if error.kind() == ErrorKind::WouldBlock => return,
                _ => {
                    self.errors = None;
                    return;
                }
            }
        }
    }

    /// The first line that was read, without its end.
    fn take_line(&mut self) -> Result<Option<Vec<u8>>, Crash> {
        let Some(end) = memchr::memchr(b'\n', &self.read[self.scanned..]).map(|at| self.scanned + at) else {
            self.scanned = self.read.len();
            return match self.read.len() > self.limits.line {
                true => Err(Crash::Flood { most: self.limits.line }),
                false => Ok(None),
            };
        };
        let rest = self.read.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.read, rest);
        self.scanned = 0;
        line.truncate(end);
        Ok(Some(line))
    }

    /// What a closed output means.
    fn closed(&mut self) -> Crash {
        match self.ended(Instant::now() + SOON) {
            Some(status) => {
                self.read_errors();
                Crash::Ended { how: ending(status) }
            }
            None => Crash::ClosedOutput,
        }
    }

    /// How the process ended, if it ends in time.
    fn ended(&mut self, until: Instant) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= until {
                return None;
            }
            // A program that floods standard error ends only when somebody reads it.
            self.read_errors();
            sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    fn look_at_memory(&mut self) -> Result<(), Crash> {
        if self.looked_at_memory.elapsed() < LOOK {
            return Ok(());
        }
        self.looked_at_memory = Instant::now();
        let most = self.limits.memory;
        match memory(self.child.id()) {
            Some(bytes) if bytes > most => Err(Crash::Memory { most }),
            _ => Ok(()),
        }
    }
}

impl Drop for Process {
    /// Ends the program with all that it started and that stayed in its group.
    fn drop(&mut self) {
        end(self.child.id());
        let _ = self.child.kill();
        self.ended(Instant::now() + SOON);
        self.stop.note(self.child.id(), false);
    }
}

/// Ends a process group.
pub(super) fn end(group: u32) {
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // It fails when there is nobody left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// How many bytes of memory a process has: the pages that are there, of which Linux keeps count.
#[cfg(target_os = "linux")]
fn memory(process: u32) -> Option<u64> {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let resident: u64 = pages.split(' ').nth(1)?.parse().ok()?;
    Some(resident * rustix::param::page_size() as u64)
}

/// Nobody keeps count where this could read it.
#[cfg(not(target_os = "linux"))]
const fn memory(_: u32) -> Option<u64> {
    None
}
