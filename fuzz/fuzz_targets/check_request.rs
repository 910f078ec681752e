//! `check_request`. Its law is in [`turnproof_suite::fuzzing::CHECK_REQUEST`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof_suite::fuzzing::CHECK_REQUEST);
