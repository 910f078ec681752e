//! `resume`. Its law is in [`turnproof::fuzzing::RESUME`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::RESUME);
