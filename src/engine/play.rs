//! *Playing* a list of inputs to the log of the loop, as rules judge it.

use crate::message::Context;
use crate::operation::Played;

use super::input::Input;
use super::state::{Engine, Options};

/// Plays inputs from the beginning, and gives the log.
pub fn play<C: Context>(inputs: &[Input], context: C, options: Options) -> Played {
    let mut engine = Engine::with_options(context, Options { keeps_moments: true, ..options });
    for input in inputs {
        engine.step(input);
    }
    engine.into_played()
}
