//! `normalize_incremental`. Its law is in [`turnproof::fuzzing::NORMALIZE_INCREMENTAL`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::NORMALIZE_INCREMENTAL);
