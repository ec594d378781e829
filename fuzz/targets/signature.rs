//! Signed requests, a line each: `Signature-Input`, `Signature`, `Content-Digest`, and then the body.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_core::fuzzing::signature(data));
