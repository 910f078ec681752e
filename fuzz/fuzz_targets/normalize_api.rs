//! `normalize_api`. Its law is in [`turnproof::fuzzing::NORMALIZE_API`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::NORMALIZE_API);
