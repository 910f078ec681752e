//! Repairs what a verdict calls *broken*, and nothing else.

use turnproof_reference::message::Context;
use turnproof_reference::repair::{Asked, Repair, RepairError, RepairOptions, as_asked, repair, repair_with};
use turnproof_reference::transcript::Transcript;

use super::{Class, Verdict, verdict};

/// Repairs a session on which there is a verdict. A healthy one stays as it is, unless the repair is for old readers:
/// what only other clients and other hosts would stumble over is no damage.
///
/// # Errors
/// As [`repair`].
pub fn repair_broken(
    transcript: &Transcript,
    verdict: &Verdict,
    options: &RepairOptions,
    context: &mut dyn Context,
) -> Result<Repair, RepairError> {
    match verdict.class {
        Class::Healthy if !options.for_old_readers => {
            Ok(Repair { bytes: transcript.bytes().to_vec(), ..Repair::default() })
        }
        _ => repair(transcript, options, context),
    }
}

/// The same, after what is asked for. What is healthy then stays so.
pub fn repair_as_asked(
    transcript: &Transcript,
    before: &Verdict,
    options: &RepairOptions,
    asked: &[Asked],
    context: &mut dyn Context,
) -> Result<Repair, RepairError> {
    if asked.is_empty() {
        return repair_broken(transcript, before, options, context);
    }
    let given_up = as_asked(transcript, asked)?;
    let is_healthy = verdict(&Transcript::from_bytes(given_up.bytes.clone())).class == Class::Healthy;
    match is_healthy && !options.for_old_readers {
        true => Ok(given_up),
        false => repair_with(transcript, options, asked, context),
    }
}
