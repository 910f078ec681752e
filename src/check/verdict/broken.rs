//! Repairs what a verdict calls *broken*, and nothing else.

use turnproof_reference::message::Context;
use turnproof_reference::repair::{Repair, RepairError, RepairOptions, repair};
use turnproof_reference::transcript::Transcript;

use super::{Class, Verdict};

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
