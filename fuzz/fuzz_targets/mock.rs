//! `mock`. Its law is in [`turnproof_mock::MOCK`].

#![cfg_attr(any(fuzzing, feature = "engine"), no_main)]

turnproof_fuzz::target!(turnproof_mock::MOCK);
