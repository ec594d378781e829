//! Registries of machine principals.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_core::fuzzing::registry(data));
