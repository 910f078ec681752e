//! `parse_differential`. Its law is in [`turnproof::fuzzing::PARSE_DIFFERENTIAL`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::PARSE_DIFFERENTIAL);
