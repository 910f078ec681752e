//! `protocol`. Its law is in [`turnproof::fuzzing::PROTOCOL`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::PROTOCOL);
