//! `parse`: any bytes, read as a transcript. The law is [`turnproof::fuzzing::parse`].

#![cfg_attr(fuzzing, no_main)]

turnproof_fuzz::target!(parse);
