//! `accumulate`. Its law is in [`turnproof::fuzzing::ACCUMULATE`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::ACCUMULATE);
