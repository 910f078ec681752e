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
use tokio::runtime::{Builder, Runtime};
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

/// A mock that runs, until it is stopped or dropped.
#[derive(Debug)]
pub struct Mock {
    address: SocketAddr,
    service: Arc<Service>,
    runtime: Option<Runtime>,
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
        let runtime = Builder::new_multi_thread().enable_all().thread_name("mock").build();
        let runtime = runtime.map_err(StartError::Threads)?;
        let address = settings.listen;
        let bound = runtime.block_on(TcpListener::bind(address)).and_then(|listener| {
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
        runtime.spawn(listen(listener, Arc::clone(&service)));
        Ok(Self { address, service, runtime: Some(runtime) })
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
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(END);
        }
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        self.end();
    }
}

/// Takes connections for ever.
async fn listen(listener: TcpListener, service: Arc<Service>) {
    let room = Arc::new(Semaphore::new(service.limits.connections));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let service = Arc::clone(&service);
                tokio::spawn(async move {
                    serve(stream, service).await;
                    drop(place);
                });
            }
            // Too many files are open, or the other side has left already.
            Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// Serves one connection. How it ends is up to the other side.
async fn serve(stream: TcpStream, service: Arc<Service>) {
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
