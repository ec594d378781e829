//! Mentions and channel links in the body of a message.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_core::fuzzing::mentions(data));
