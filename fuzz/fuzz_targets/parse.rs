//! `parse`. Its law is in [`turnproof::fuzzing::PARSE`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::PARSE, turnproof_fuzz::Reader);
