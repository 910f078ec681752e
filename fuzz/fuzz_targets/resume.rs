//! `resume`. Its law is in [`turnproof_suite::fuzzing::RESUME`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::RESUME);
