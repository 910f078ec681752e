//! `parse_differential`. Its law is in [`turnproof_suite::fuzzing::PARSE_DIFFERENTIAL`].

#![cfg_attr(any(fuzzing, feature = "engine"), no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::PARSE_DIFFERENTIAL);
