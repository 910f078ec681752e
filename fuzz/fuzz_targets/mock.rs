//! `mock`. Its law is in [`turnproof_mock::MOCK`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(turnproof_mock::MOCK);
