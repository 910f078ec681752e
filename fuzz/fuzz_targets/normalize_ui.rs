//! `normalize_ui`. Its law is in [`turnproof_suite::fuzzing::NORMALIZE_UI`].

#![cfg_attr(any(fuzzing, feature = "engine"), no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::NORMALIZE_UI);
