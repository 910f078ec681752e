//! `protocol`. Its law is in [`turnproof_suite::fuzzing::PROTOCOL`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::PROTOCOL);
