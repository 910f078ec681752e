//! `normalize_ui`. Its law is in [`turnproof::fuzzing::NORMALIZE_UI`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::NORMALIZE_UI);
