//! `turnproof mock`: a mock of the Messages API that judges whoever asks it.

mod baseline;
mod child;
mod control;
mod suite;

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use turnproof_mock::{Fault, Mock, OnIllegal, Recording, Script, Settings, StartError, faults};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{CATALOGUE, Judge, Rule};

use crate::check::{RecordedAnswer, recorded_answers};
use crate::report::{Format as Printing, MockReport, MockTally, mock_junit};

use super::signals::Signals;
use super::streams::Format;
use super::values::host;
use super::{Exit, Failure, screen, stdout};
use child::{Child, Ended};
use control::{Happened, change, listen};

/// Play the Messages API to a program, and judge each request that it sends
#[derive(Args)]
#[command(after_help = "\
Examples:
  turnproof mock                                     listen, and say where; Ctrl-C ends it
  turnproof mock -- npm test                         run a command against it, and judge what it sends
  turnproof mock --listen 127.0.0.1:8787             at a port of your choice
  turnproof mock --script talk.toml -- ./agent run   say what the model says, step by step
  turnproof mock --seed 7 -- pytest                  say whatever a model may say
  turnproof mock --faults 529,cut-event=5 -- ./agent and let it fail on the way
  turnproof mock --record requests -- ./agent        keep each request, its verdict and its answer
  turnproof mock --suite disturbances -- ./agent 'say a' --then ./agent --continue 'say b'
                                                     play some forty situations, each with two prompts
  turnproof mock --replay cassettes -- pytest        give the answers that a recorder kept

A command gets ANTHROPIC_BASE_URL, a dummy ANTHROPIC_API_KEY, ANTHROPIC_BEDROCK_BASE_URL and ANTHROPIC_VERTEX_BASE_URL, \
and the report is on standard error. Exit code 1: a request was not legal, or did not say again what was said before. \
3: the command failed. 4: no request came.")]
pub(super) struct Arguments {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", value_parser = address)]
    listen: SocketAddr,
    /// Whose rules judge what comes in at /v1/messages; the paths of Bedrock and Vertex have their own
    #[arg(long, value_parser = host(), default_value = "anthropic")]
    host: Host,
    /// What the model says, step by step: TOML or JSON
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Say whatever a model may say, by this seed, where no script says it
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Give the answers of these recordings, to the same requests or in their order
    #[arg(long, value_name = "PATH")]
    replay: Option<PathBuf>,
    /// What fails, answer by answer, such as 529,cut-event=5,crlf; the answer after each is a good one
    #[arg(long, value_name = "LIST", value_parser = parsed_faults)]
    faults: Option<FaultList>,
    /// What to do with a request that the host would refuse
    #[arg(long, value_enum, default_value_t = Illegal::Refuse)]
    on_illegal: Illegal,
    /// Keep each request, its verdict and its answer in this folder, which is made; keys are masked
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Also write a test for each rule, as CI servers read it
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Also write what is found as SARIF
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Take what is played from now on as JSON Lines on standard input, print JSON, and end with that input
    #[arg(long, conflicts_with = "command")]
    control: bool,
    /// Play a table of situations to the command, each alone, and say what comes of each
    #[arg(long, value_enum, conflicts_with_all = [
        "script", "seed", "faults", "replay", "on_illegal", "record", "sarif", "control", "listen", "host",
    ])]
    suite: Option<Suite>,
    /// Play only situations whose names match these globs, with --suite, such as 'thinking*,call'
    #[arg(long, value_name = "GLOB", value_delimiter = ',', requires = "suite")]
    only: Vec<String>,
    /// Report only what this file does not know, with --suite; where there is none, write it
    #[arg(long, value_name = "FILE", requires = "suite")]
    baseline: Option<PathBuf>,
    /// Write the baseline again, with all that is wrong
    #[arg(long, requires = "baseline", conflicts_with = "only")]
    write_baseline: bool,
    /// How many seconds a prompt may take, with --suite
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "suite")]
    timeout: u64,
    /// The command that is run against it; without one it runs until Ctrl-C. With --suite, `--then` in it begins the
    /// command of the second prompt
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// What to do with a request that the host would refuse.
#[derive(Clone, Copy, ValueEnum)]
enum Illegal {
    /// Refuse it with the words of the API
    Refuse,
    /// Answer it, and report it
    Answer,
}

/// A table of situations.
#[derive(Clone, Copy, ValueEnum)]
enum Suite {
    /// What models, hosts and networks do to clients
    Disturbances,
}

type FaultList = std::sync::Arc<Vec<Vec<Fault>>>;

fn parsed_faults(text: &str) -> Result<FaultList, String> {
    faults(text).map(FaultList::new).map_err(|error| error.to_string())
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let mut found = text.to_socket_addrs().map_err(|error| error.to_string())?;
    found.next().ok_or_else(|| "there is no such address".to_owned())
}

/// How many exchanges may wait to be printed. Then requests wait, too.
const WAITING: usize = 4096;

/// How often it is looked whether it is to end.
const NAP: Duration = Duration::from_millis(50);

/// How often exchanges are looked for while they come one after the other. Nobody has to wake the one who prints then,
/// which would cost each request more than to be judged.
const SHORT_NAP: Duration = Duration::from_millis(1);

/// So long after an exchange others may be expected.
const BUSY: Duration = Duration::from_millis(20);

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(Suite::Disturbances) = arguments.suite {
        return suite::run(arguments);
    }
    let settings = settings(arguments)?;
    let sarif = arguments.sarif.as_deref().map(created).transpose()?;
    let signals = Signals::catch()?;
    let (sender, happened) = sync_channel(WAITING);
    if arguments.control {
        listen(sender.clone()).map_err(|error| Failure::Internal(error.to_string()))?;
    }
    // Nobody listens any more when the run is over.
    let observer = move |exchange| drop(sender.send(Happened::Exchange(Box::new(exchange))));
    let mock = Mock::start(settings, observer).map_err(cannot_start)?;
    let rules = rules();
    let has_command = !arguments.command.is_empty();
    let out: Box<dyn Write> = if has_command { Box::new(io::stderr()) } else { Box::new(stdout()) };
    let is_for_programs = arguments.control || arguments.format == Format::Json;
    let format = if is_for_programs { Printing::Json } else { Printing::Human };
    let mut report = MockReport::new(out, format, screen(), sarif, &rules);
    report.listens(&mock.url())?;
    let mut child = match arguments.command.as_slice() {
        [] => None,
        words => Some(Child::start(words, &mock.url())?),
    };
    let ended = watch(&happened, &mut report, &mock, &signals, child.as_mut())?;
    drop(child);
    let failed = matches!(ended, Some(Ended::Failed(_)));
    let at_end = if has_command { mock.over(failed) } else { Vec::new() };
    let never_played = mock.never_played();
    mock.stop();
    for happened in happened.try_iter() {
        if let Happened::Exchange(exchange) = happened {
            report.exchange(&exchange)?;
        }
    }
    report.over(&at_end)?;
    let tally = report.finish(&never_played)?;
    if let Some(file) = &arguments.junit {
        let text = mock_junit(&tally, &rules).map_err(|error| Failure::Internal(error.to_string()))?;
        fs::write(file, text).map_err(|error| unwritten(file, &error))?;
    }
    Ok(exit(&tally, ended.as_ref(), &signals, has_command))
}

/// Reports exchanges until the command or the input has ended or a signal has come; gives how the command has ended.
fn watch(
    happened: &Receiver<Happened>,
    report: &mut MockReport<'_, Box<dyn Write>>,
    mock: &Mock,
    signals: &Signals,
    mut child: Option<&mut Child>,
) -> Result<Option<Ended>, Failure> {
    let mut newest = None;
    loop {
        let mut next = happened.recv_timeout(Duration::ZERO);
        if matches!(next, Err(RecvTimeoutError::Timeout)) {
            report.flush()?;
            next = wait(happened, newest);
        }
        match next {
            Ok(Happened::Exchange(exchange)) => {
                report.exchange(&exchange)?;
                newest = Some(Instant::now());
            }
            Ok(Happened::Line(line)) => report.controlled(&change(&line).map(|change| mock.change(change)))?,
            Ok(Happened::InputEnded) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if signals.ended().is_some() {
            return Ok(None);
        }
        if let Some(ended) = child.as_mut().map(|child| child.ended()).transpose()?.flatten() {
            return Ok(Some(ended));
        }
    }
}

/// Waits for what happens next, but not for longer than a nap where nothing has happened of late.
fn wait(happened: &Receiver<Happened>, newest: Option<Instant>) -> Result<Happened, RecvTimeoutError> {
    while newest.is_some_and(|newest| newest.elapsed() < BUSY) {
        std::thread::sleep(SHORT_NAP);
        let next = happened.recv_timeout(Duration::ZERO);
        if !matches!(next, Err(RecvTimeoutError::Timeout)) {
            return next;
        }
    }
    happened.recv_timeout(NAP)
}

/// What a run comes to. A mock without a command runs until it is ended, so that a signal is its usual end.
fn exit(tally: &MockTally, ended: Option<&Ended>, signals: &Signals, has_command: bool) -> Exit {
    if tally.is_broken() {
        return Exit::Broken;
    }
    if let Some(exit) = signals.ended().filter(|_| has_command) {
        return exit;
    }
    match ended {
        Some(Ended::Failed(how)) => {
            eprintln!("turnproof: the command failed: {how}");
            Exit::NotJudged
        }
        Some(Ended::Well) if tally.requests == 0 => {
            eprintln!(
                "turnproof: no request came; does the command read ANTHROPIC_BASE_URL, or has it a mock of its own?"
            );
            Exit::Nothing
        }
        _ => Exit::Held,
    }
}

fn settings(arguments: &Arguments) -> Result<Settings, Failure> {
    let script = match &arguments.script {
        None => Script::default(),
        Some(file) => {
            let text = fs::read_to_string(file);
            let text = text.map_err(|error| Failure::Usage(format!("cannot read {}: {error}", file.display())))?;
            Script::read(&text).map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?
        }
    };
    Ok(Settings {
        listen: arguments.listen,
        host: arguments.host,
        on_illegal: match arguments.on_illegal {
            Illegal::Refuse => OnIllegal::Refuse,
            Illegal::Answer => OnIllegal::Answer,
        },
        script,
        seed: arguments.seed,
        replay: arguments.replay.as_deref().map(recordings).transpose()?.unwrap_or_default(),
        faults: arguments.faults.as_ref().map(|list| list.to_vec()).unwrap_or_default(),
        record: arguments.record.clone(),
        shows_records: arguments.control,
        ..Settings::default()
    })
}

/// The answers that recordings hold.
fn recordings(path: &Path) -> Result<Vec<Recording>, Failure> {
    let read = recorded_answers(path).map_err(|error| Failure::Usage(error.to_string()))?;
    if read.unread > 0 {
        eprintln!(
            "turnproof: {} recorded answers cannot be given: they are not whole, or in a form of AWS",
            read.unread
        );
    }
    match read.answers.is_empty() {
        true => Err(Failure::Usage(format!("there is no recorded answer in {}", path.display()))),
        false => Ok(read.answers.into_iter().map(recording).collect()),
    }
}

fn recording(RecordedAnswer { name, request, status, body }: RecordedAnswer) -> Recording {
    Recording { name, request, status, body }
}

/// The rules that judge requests, alone and in a row.
fn rules() -> Vec<&'static Rule> {
    let judges =
        |rule: &&'static Rule| matches!(rule.judge, Judge::Request { .. } | Judge::Requests(_) | Judge::Talk(_));
    CATALOGUE.iter().copied().filter(judges).collect()
}

fn created(file: &Path) -> Result<Box<dyn Write>, Failure> {
    let created = File::create(file).map_err(|error| unwritten(file, &error))?;
    Ok(Box::new(io::BufWriter::new(created)))
}

fn unwritten(file: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot write {}: {error}", file.display()))
}

fn cannot_start(error: StartError) -> Failure {
    match error {
        StartError::Threads(_) => Failure::Internal(error.to_string()),
        StartError::Listen { .. } | StartError::Record { .. } => Failure::Usage(error.to_string()),
    }
}
