//! `normalize_ui`. Its law is in [`turnproof_suite::fuzzing::NORMALIZE_UI`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::NORMALIZE_UI);
