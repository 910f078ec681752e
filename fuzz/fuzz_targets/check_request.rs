//! `check_request`. Its law is in [`turnproof::fuzzing::CHECK_REQUEST`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof::fuzzing::CHECK_REQUEST);
