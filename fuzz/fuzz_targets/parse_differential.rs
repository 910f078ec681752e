//! `parse_differential`. Its law is in [`turnproof_suite::fuzzing::PARSE_DIFFERENTIAL`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::PARSE_DIFFERENTIAL);
