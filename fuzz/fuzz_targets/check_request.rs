//! `check_request`. Its law is in [`turnproof_suite::fuzzing::CHECK_REQUEST`].

#![cfg_attr(any(fuzzing, feature = "engine"), no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::CHECK_REQUEST);
