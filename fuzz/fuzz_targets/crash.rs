//! `crash`. Its law is in [`turnproof::fuzzing::CRASH`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::CRASH);
