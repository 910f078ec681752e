//! `normalize_incremental`. Its law is in [`turnproof_suite::fuzzing::NORMALIZE_INCREMENTAL`].

#![cfg_attr(any(fuzzing, feature = "engine"), no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::NORMALIZE_INCREMENTAL);
