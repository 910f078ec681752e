//! A mock that is *watched*: it keeps what it sees, for tests.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use turnproof_rules::rules::Severity;

use crate::change::Change;
use crate::exchange::Exchange;
use crate::judge::Finding;
use crate::server::{Mock, StartError};
use crate::settings::Settings;

/// A mock that keeps each exchange, for a test.
///
/// ```
/// use turnproof_mock::{Script, Settings, Watched};
///
/// # fn my_agent(_url: &str) {}
/// let script = Script::read("[[step]]\ntext = \"It rains.\"")?;
/// let mock = Watched::start(Settings { script, ..Settings::default() })?;
/// my_agent(&mock.url());
/// mock.assert_right();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Watched {
    mock: Mock,
    seen: Arc<Mutex<Vec<Exchange>>>,
}

impl Watched {
    /// Starts a mock. It fails as [`Mock::start`] does.
    pub fn start(settings: Settings) -> Result<Self, StartError> {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        let settings = Settings { shows_records: true, ..settings };
        let mock = Mock::start(settings, move |exchange| {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
        })?;
        Ok(Self { mock, seen })
    }

    /// Its address as clients take it.
    pub fn url(&self) -> String {
        self.mock.url()
    }

    /// Plays something else from the next request on.
    pub fn change(&self, change: Change) {
        self.mock.change(change);
    }

    /// Takes what it has seen: each exchange with its record, a JSON text. Nothing is asserted of these any more.
    pub fn take(&self) -> Vec<Exchange> {
        mem::take(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is wrong with what it has seen, a line each: requests that are not legal, and what they lost or changed of
    /// the conversation. Empty where all is right.
    pub fn wrong(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().flat_map(wrong).collect()
    }

    /// Panics where something is [wrong](Self::wrong), and ends the mock.
    #[track_caller]
    pub fn assert_right(self) {
        let wrong = self.wrong();
        assert!(wrong.is_empty(), "what was sent is not right:\n  {}", wrong.join("\n  "));
    }
}

fn wrong(exchange: &Exchange) -> Vec<String> {
    let of_bodies = exchange.verdicts.iter().flat_map(|verdict| &verdict.findings);
    let of_row = exchange.continued.iter().flat_map(|continued| &continued.findings);
    let findings = of_bodies.chain(of_row).chain(&exchange.talk);
    let errors = findings.filter(|finding| finding.severity() == Severity::Error);
    let mut lines: Vec<String> = errors.map(|finding| line(exchange.number, finding)).collect();
    // What is no request at all breaks no rule.
    let refusals = exchange.verdicts.iter().filter_map(|verdict| verdict.refusal.as_ref());
    if lines.is_empty() {
        lines.extend(
            refusals.map(|refusal| format!("request {}: the API answers: {}", exchange.number, refusal.message)),
        );
    }
    lines
}

fn line(number: u64, finding: &Finding) -> String {
    let Finding { rule, violation, .. } = finding;
    let words = violation.error.as_ref().map(|words| format!("; the API answers: {words}")).unwrap_or_default();
    format!("request {number}: {}: {} ({}){words}", violation.place, violation.found, rule.id)
}
