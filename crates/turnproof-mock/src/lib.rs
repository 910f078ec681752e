//! A *mock* of the Messages API that judges. It answers as the API does, streams and faults included, and refuses what
//! the API would refuse, with its words.
//!
//! - [`Mock`] listens, and [`Exchange`] is what it shows of each request; [`Watched`] keeps them, for tests;
//! - [`Script`] says what the model says, [`Fault`] what fails on the way, [`Change`] what is played from now on;
//! - [`judge`] is the verdict on a body alone.
//!
//! ```
//! use std::io::{Read, Write};
//! use std::net::TcpStream;
//! use turnproof_mock::{Mock, Settings};
//!
//! let mock = Mock::start(Settings::default(), |exchange| assert!(!exchange.is_legal()))?;
//! let body = r#"{"model":"claude-opus-4-6","max_tokens":5,"messages":[]}"#;
//! let mut stream = TcpStream::connect(mock.address())?;
//! write!(
//!     stream,
//!     "POST /v1/messages HTTP/1.1\r\nhost: a\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n\
//!      connection: close\r\ncontent-length: {}\r\n\r\n{body}",
//!     body.len()
//! )?;
//! let mut answer = String::new();
//! stream.read_to_string(&mut answer)?;
//! assert!(answer.starts_with("HTTP/1.1 400"));
//! assert!(answer.contains("messages: at least one message is required"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod asked;
mod batches;
mod change;
mod compose;
mod drawn;
mod encoding;
mod environment;
mod error;
mod exchange;
mod fault;
mod framing;
mod headers;
mod ids;
mod judge;
mod law;
mod models;
mod play;
mod record;
mod replay;
mod reply;
mod response;
mod route;
mod row;
mod sample;
mod schema;
mod script;
mod seeded;
mod server;
mod service;
mod settings;
mod stream;
mod talk;
mod threads;
mod token;
mod tool;
mod usual;
mod watched;

pub use change::Change;
pub use encoding::unpacked;
pub use environment::environment;
pub use error::{ApiError, Dialect, ErrorKind};
pub use exchange::Exchange;
pub use fault::{Fault, NAMES as FAULTS, UnknownFault, faults};
pub use headers::{MASK, masked};
pub use judge::{Finding, Purpose, Verdict, judge};
pub use law::MOCK;
pub use replay::Recording;
pub use route::{Batch, Door, Route, route};
pub use row::Continued;
pub use sample::sample;
pub use schema::fitting;
pub use script::{BlockPlan, ErrorPlan, Main, Script, ScriptError, Step, UsagePlan, When};
pub use server::{Mock, StartError};
pub use settings::{Limits, OnIllegal, Settings};
pub use tool::Use;
pub use watched::Watched;
