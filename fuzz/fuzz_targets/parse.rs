//! `parse`. Its law is in [`turnproof::fuzzing::PARSE`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(PARSE);
