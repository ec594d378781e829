//! What people search for: whatever they type, the engine has to understand what becomes of it.
#![no_main]

use rusqlite::Connection;

thread_local! {
    static INDEX: Connection = {
        let index = Connection::open_in_memory().expect("memory is there");
        index.execute_batch("CREATE VIRTUAL TABLE words USING fts5 (subject, body, tokenize='ascii')").expect("it is SQL");
        index
    };
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some(condition) = svc_core::fuzzing::search(data) else { return };
    INDEX.with(|index| {
        let mut found = index.prepare_cached("SELECT count(*) FROM words WHERE words MATCH ?1").expect("it is SQL");
        found.query_row([&condition], |row| row.get::<_, i64>(0)).expect("any condition of ours is understood");
    });
});
