//! To *follow* a file is to read what is appended to it, and to notice when it restarts: it is shorter than it was,
//! another file is in its place, or what was read has changed.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::{Again, Event, Tell, Watch};
use crate::check::input::{InputError, TranscriptFile, describe};
use crate::check::{Options, Verdict};

/// So many bytes are read at once.
const STEP: usize = 256 << 10;

/// So many bytes of the beginning, and of what was read last, are compared when the file has grown.
const SEAM: usize = 256;

/// How a file stands in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    identity: (u64, u64),
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Self { identity: identity(metadata), size: metadata.len(), modified: metadata.modified().ok() }
    }
}

/// What tells a file from another one of the same name: its device and number.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// What tells a file from another one of the same name: when it was made.
#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> (u64, u64) {
    let made = metadata.created().ok().and_then(|made| made.duration_since(SystemTime::UNIX_EPOCH).ok());
    made.map_or((0, 0), |made| (made.as_secs(), u64::from(made.subsec_nanos())))
}

/// A file that is read as it grows.
struct Open {
    file: File,
    identity: (u64, u64),
    /// How many bytes were read.
    read: u64,
    /// The first bytes.
    head: Vec<u8>,
    /// The bytes that were read last.
    seam: Vec<u8>,
}

impl Open {
    fn of(path: &PathBuf) -> io::Result<Self> {
        let file = File::open(path)?;
        let identity = identity(&file.metadata()?);
        Ok(Self { file, identity, read: 0, head: Vec::new(), seam: Vec::new() })
    }

    /// Gives what follows on what was read, up to byte `end` of the file.
    fn read_to(&mut self, end: u64, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<ReadError> {
        let mut bytes = vec![0; STEP.min(end.saturating_sub(self.read) as usize)];
        if let Err(error) = self.file.seek(SeekFrom::Start(self.read)) {
            return Ok(Some(error));
        }
        while self.read < end {
            let most = bytes.len().min((end - self.read) as usize);
            let read = match self.file.read(&mut bytes[..most]) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Ok(Some(error)),
            };
            self.note(&bytes[..read]);
            take(&bytes[..read])?;
        }
        Ok(None)
    }

    fn note(&mut self, bytes: &[u8]) {
        self.read += bytes.len() as u64;
        self.head.extend(&bytes[..bytes.len().min(SEAM - self.head.len())]);
        self.seam.extend(&bytes[bytes.len().saturating_sub(SEAM)..]);
        self.seam.drain(..self.seam.len().saturating_sub(SEAM));
    }

    /// Whether the first bytes, and those that were read last, are still there.
    fn is_as_read(&mut self) -> io::Result<bool> {
        let seam = (self.read - self.seam.len() as u64, self.seam.len());
        for (start, length, expected) in [(0, self.head.len(), &self.head), (seam.0, seam.1, &self.seam)] {
            let mut bytes = vec![0; length];
            self.file.seek(SeekFrom::Start(start))?;
            if self.file.read_exact(&mut bytes).is_err() || bytes != *expected {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Why a file could not be read further.
type ReadError = Option<io::Error>;

/// One file that is watched.
pub(super) struct Follower {
    input: TranscriptFile,
    options: Options,
    /// How the file stood when it was looked at last.
    stamp: Option<Stamp>,
    /// So many bytes were there before the watch began.
    known: u64,
    watch: Option<Watch>,
    open: Option<Open>,
    /// The last problem that was told.
    problem: Option<String>,
}

impl Follower {
    /// Follows a file from its beginning; all that is in it is new.
    pub(super) fn new(path: impl Into<PathBuf>, options: &Options) -> Self {
        Self {
            input: TranscriptFile::file(path),
            options: options.clone(),
            stamp: None,
            known: 0,
            watch: None,
            open: None,
            problem: None,
        }
    }

    /// Takes what is in the file now as known.
    pub(super) fn knowing(self) -> Self {
        Self { known: fs::metadata(&self.input.path).map_or(0, |metadata| metadata.len()), ..self }
    }

    /// Does not read the file before it changes.
    pub(super) fn waiting(self) -> Self {
        Self { stamp: fs::metadata(&self.input.path).ok().map(|metadata| Stamp::of(&metadata)), ..self }
    }

    /// Looks at the file, and tells what is new. Gives whether the file has changed. It fails when `tell` fails.
    pub(super) fn poll(&mut self, now: Duration, tell: Tell<'_>) -> io::Result<bool> {
        let stamp = match fs::metadata(&self.input.path) {
            Ok(metadata) => Some(Stamp::of(&metadata)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                self.tell_problem(&error, tell)?;
                return Ok(false);
            }
        };
        let has_changed = stamp != self.stamp;
        if has_changed {
            let last = std::mem::replace(&mut self.stamp, stamp);
            match stamp {
                Some(stamp) => self.changed(last, stamp, now, tell)?,
                None => self.removed(now, tell)?,
            }
        }
        if let (Some(watch), Some(open)) = (&mut self.watch, &mut self.open) {
            watch.judge_if_due(now, &mut open.file, tell)?;
        }
        Ok(has_changed)
    }

    /// Judges the file as it stands at the end. It fails when `tell` fails.
    pub(super) fn end(&mut self, now: Duration, tell: Tell<'_>) -> io::Result<()> {
        self.poll(now, tell)?;
        match (&mut self.watch, &mut self.open) {
            (Some(watch), Some(open)) => watch.end(&mut open.file, tell),
            _ => Ok(()),
        }
    }

    /// The file's name.
    pub(super) fn name(&self) -> &str {
        &self.input.name
    }

    /// Whether there was nothing at the path when it was looked at last.
    pub(super) fn is_gone(&self) -> bool {
        self.stamp.is_none()
    }

    /// Whether all that was read has been judged.
    pub(super) fn is_judged(&self) -> bool {
        self.watch.as_ref().is_none_or(Watch::is_judged)
    }

    /// The last verdict.
    pub(super) fn verdict(&self) -> Option<&Verdict> {
        self.watch.as_ref()?.verdict()
    }

    /// The watch, once the file was read.
    pub(super) fn watch(&self) -> Option<&Watch> {
        self.watch.as_ref()
    }

    fn removed(&mut self, now: Duration, tell: Tell<'_>) -> io::Result<()> {
        self.finish_old(now, tell)?;
        match &mut self.watch {
            Some(watch) => {
                watch.restart(now);
                tell(Event::Removed)
            }
            None => Ok(()),
        }
    }

    /// Reads what is still to come of a file that is no more at its path.
    fn finish_old(&mut self, now: Duration, tell: Tell<'_>) -> io::Result<()> {
        if let (Some(mut open), Some(watch)) = (self.open.take(), &mut self.watch) {
            let size = open.file.metadata().map_or(0, |metadata| metadata.len());
            open.read_to(size, |bytes| watch.append(bytes, now, tell))?;
        }
        Ok(())
    }

    fn changed(&mut self, last: Option<Stamp>, stamp: Stamp, now: Duration, tell: Tell<'_>) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|open| open.identity != stamp.identity) {
            self.finish_old(now, tell)?;
            self.again(Some(Again::Replaced), now, tell)?;
        }
        if let Some(open) = &mut self.open {
            let again = match stamp.size < open.read {
                true => Some(Some(Again::Truncated)),
                false if !open.is_as_read().unwrap_or(false) => Some(Some(Again::Rewritten)),
                // Something was changed in its midst, or it was only touched.
                false => (stamp.size == open.read && last.is_some()).then_some(None),
            };
            if let Some(why) = again {
                self.again(why, now, tell)?;
            }
        }
        if self.open.is_none() {
            match Open::of(&self.input.path) {
                Ok(open) => self.open = Some(open),
                Err(error) => {
                    // It is tried again at the next look.
                    self.stamp = None;
                    return self.tell_problem(&error, tell);
                }
            }
        }
        self.problem = None;
        self.read(stamp, now, tell)
    }

    /// The file restarts.
    fn again(&mut self, why: Option<Again>, now: Duration, tell: Tell<'_>) -> io::Result<()> {
        self.open = None;
        if let Some(watch) = &mut self.watch {
            watch.restart(now);
        }
        why.map_or(Ok(()), |why| tell(Event::Again(why)))
    }

    fn read(&mut self, stamp: Stamp, now: Duration, tell: Tell<'_>) -> io::Result<()> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let mut failed = None;
        if self.watch.is_none() {
            let watch = Watch::new(&self.input.name, &self.options).with_session(self.input.session());
            let watch = self.watch.insert(if self.known > 0 { watch.knowing() } else { watch });
            // What was there and is no more cannot be read as known.
            if self.known > 0 && self.known <= stamp.size {
                failed = open.read_to(self.known, |bytes| watch.append(bytes, now, tell))?;
            }
            if self.known > 0 {
                watch.begin(now, &mut open.file, tell)?;
            }
        }
        if let (Some(watch), None) = (&mut self.watch, &failed) {
            failed = open.read_to(stamp.size, |bytes| watch.append(bytes, now, tell))?;
        }
        match failed {
            Some(error) => self.tell_problem(&error, tell),
            None => Ok(()),
        }
    }

    fn tell_problem(&mut self, error: &io::Error, tell: Tell<'_>) -> io::Result<()> {
        let problem = describe(error);
        if self.problem.as_ref() == Some(&problem) {
            return Ok(());
        }
        self.problem = Some(problem.clone());
        tell(Event::Unreadable(&InputError::new(&self.input.name, problem)))
    }
}
