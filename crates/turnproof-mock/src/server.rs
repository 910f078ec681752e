//! The *server*: it listens, takes a bounded number of connections, and ends within a moment.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::answer::Answers;
use crate::batches::Batches;
use crate::change::Change;
use crate::exchange::Exchange;
use crate::judge::Finding;
use crate::record::Records;
use crate::row::Row;
use crate::service::Service;
use crate::settings::Settings;
use crate::threads::Threads;

/// A mock that runs, until it is stopped or dropped.
#[derive(Debug)]
pub struct Mock {
    address: SocketAddr,
    service: Arc<Service>,
    threads: Threads,
}

/// Why a mock does not run.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The folder for records cannot be used.
    #[error("cannot record into {}: {error}", folder.display())]
    Record {
        /// Which one.
        folder: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There are no threads for it.
    #[error("cannot start: {0}")]
    Threads(io::Error),
}

/// How long the end may take.
const END: Duration = Duration::from_millis(200);

impl Mock {
    /// Starts a mock. Each exchange is shown to `observer`, in the order in which requests are answered. It fails where
    /// nobody can listen, or the folder for records cannot be used.
    pub fn start(settings: Settings, observer: impl Fn(Exchange) + Send + Sync + 'static) -> Result<Self, StartError> {
        let record = |folder: &PathBuf| {
            Records::new(folder).map_err(|error| StartError::Record { folder: folder.clone(), error })
        };
        let records = settings.record.as_ref().map(record).transpose()?;
        let threads = Threads::start().map_err(StartError::Threads)?;
        let address = settings.listen;
        let first = &threads.handles()[0];
        let bound = first.block_on(TcpListener::bind(address)).and_then(|listener| {
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = bound.map_err(|error| StartError::Listen { address, error })?;
        let service = Arc::new(Service {
            host: settings.host,
            on_illegal: settings.on_illegal,
            limits: settings.limits,
            answers: Answers::new(settings.script, settings.seed, settings.faults, settings.replay),
            row: Row::default(),
            batches: Mutex::new(Batches::default()),
            records,
            shows_records: settings.shows_records,
            number: AtomicU64::new(0),
            observer: Box::new(observer),
        });
        let handles = threads.handles().to_vec();
        first.spawn(listen(listener, handles, Arc::clone(&service)));
        Ok(Self { address, service, threads })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its address as clients take it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Plays something else from the next request on.
    pub fn change(&self, change: Change) {
        if change.begin {
            self.service.row.forget();
            self.service.number.store(0, Ordering::Relaxed);
        }
        self.service.answers.change(change);
    }

    /// What of the faults and of the script no request has got until now, such as `fault 529` or `step 2`.
    pub fn never_played(&self) -> Vec<String> {
        self.service.answers.never_played()
    }

    /// Judges how the program that was served has ended: whether it failed, and what was said to it last.
    pub fn over(&self, failed: bool) -> Vec<Finding> {
        self.service.row.over(failed)
    }

    /// Ends it, with all connections that are open.
    pub fn stop(self) {
        drop(self);
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        self.threads.stop(END);
    }
}

/// Takes connections for ever, and gives them to the threads in turn.
async fn listen(listener: TcpListener, threads: Vec<Handle>, service: Arc<Service>) {
    let room = Arc::new(Semaphore::new(service.limits.connections));
    let mut next = threads.iter().cycle();
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match (listener.accept().await.and_then(|(stream, _)| stream.into_std()), next.next()) {
            (Ok(stream), Some(thread)) => {
                let service = Arc::clone(&service);
                thread.spawn(async move {
                    serve(stream, service).await;
                    drop(place);
                });
            }
            // Too many files are open, or the other side has left already.
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Serves one connection. How it ends is up to the other side.
async fn serve(stream: std::net::TcpStream, service: Arc<Service>) {
    let Ok(stream) = TcpStream::from_std(stream) else { return };
    // Without it a small piece of a stream may wait for an answer to the one before.
    let _ = stream.set_nodelay(true);
    let limits = service.limits;
    let answer = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, Infallible>(service.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.slowest)
        .max_buf_size(limits.head.max(8 << 10))
        .auto_date_header(false)
        .serve_connection(TokioIo::new(stream), answer);
    let _ = connection.await;
}
