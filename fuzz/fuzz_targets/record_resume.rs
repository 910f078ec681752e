//! `record_resume`. Its law is in [`turnproof::fuzzing::RECORD_RESUME`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::RECORD_RESUME);
