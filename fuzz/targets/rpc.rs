//! What comes through the admin socket: lines of JSON-RPC. The first byte says where the stream has a pause.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| svc_admin::fuzzing::rpc(data));
