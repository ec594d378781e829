//! The store: values, statements, constraints, and what happens to units of work that fail.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::value::RawValue;
use svc_core::db::StoreFailure as _;
use svc_core::db::{DbError, Engine, Tx};
use svc_core::{Error, ErrorKind, Result, Timestamp};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;
use crate::support::wait::{soon, until};

svc_core::row! {
    #[derive(Debug, PartialEq)]
    struct Sample {
        id: i64,
        score: f64,
        name: String,
        hash: Vec<u8>,
        done: bool,
        at: Timestamp,
        note: Option<String>,
    }
}

/// A table like the product's own, in words that both engines take.
async fn with_table(test: &TestHub) {
    let create = match test.hub.db().engine() {
        Engine::Sqlite => {
            "CREATE TABLE samples (
                id INTEGER NOT NULL, score REAL NOT NULL, name TEXT NOT NULL, hash BLOB NOT NULL,
                done BOOLEAN NOT NULL, at INTEGER NOT NULL, note TEXT,
                CONSTRAINT samples_pkey PRIMARY KEY (id),
                CONSTRAINT samples_score_check CHECK (score <= 1))"
        }
        Engine::Postgres => {
            "CREATE TABLE samples (
                id BIGINT NOT NULL, score DOUBLE PRECISION NOT NULL, name TEXT NOT NULL, hash BYTEA NOT NULL,
                done BOOLEAN NOT NULL, at BIGINT NOT NULL, note TEXT,
                CONSTRAINT samples_pkey PRIMARY KEY (id),
                CONSTRAINT samples_score_check CHECK (score <= 1))"
        }
    };
    test.execute(create).await;
    test.execute("CREATE UNIQUE INDEX samples_name_key ON samples (name, done)").await;
}

async fn insert(tx: &mut Tx, id: i64, name: &str) -> Result<u64> {
    insert_scored(tx, id, name, 0.5).await
}

async fn insert_scored(tx: &mut Tx, id: i64, name: &str, score: f64) -> Result<u64> {
    let now = tx.now();
    tx.query(
        "INSERT INTO samples (id, score, name, hash, done, at, note)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(id)
    .bind(score)
    .bind(name)
    .bind(&[0_u8, 255][..])
    .bind(true)
    .bind(now)
    .bind(None::<String>)
    .execute()
    .await
}

fn refused() -> Error {
    Error::conflict("refused_on_purpose", "No.")
}

#[both_engines]
async fn values_of_every_kind_come_back_as_they_went(test: TestHub) {
    with_table(&test).await;
    let name = "naïve – 日本語 \u{202e} 'quoted'";
    test.hub.db().write(name, |tx, name| Box::pin(insert(tx, i64::MIN, name))).await.unwrap();
    let sample: Sample = test
        .hub
        .db()
        .read((), |tx, ()| Box::pin(tx.query("SELECT id, score, name, hash, done, at, note FROM samples").fetch_one()))
        .await
        .unwrap();
    let expected = Sample {
        id: i64::MIN,
        score: 0.5,
        name: name.into(),
        hash: vec![0, 255],
        done: true,
        at: "2026-01-01T00:00:00Z".parse().unwrap(),
        note: None,
    };
    assert_eq!(sample, expected);
}

#[both_engines]
async fn placeholders_repeat_and_come_in_any_order(test: TestHub) {
    let found: (i64, i64, i64) = test
        .hub
        .db()
        .read((), |tx, ()| {
            Box::pin(
                tx.query("SELECT CAST($2 AS BIGINT), CAST($1 AS BIGINT), CAST($2 AS BIGINT)")
                    .bind(1_i64)
                    .bind(2_i64)
                    .fetch_one(),
            )
        })
        .await
        .unwrap();
    assert_eq!(found, (2, 1, 2));
}

#[both_engines]
async fn a_row_that_does_not_fit_its_struct_is_told_by_column(test: TestHub) {
    with_table(&test).await;
    test.hub.db().write((), |tx, ()| Box::pin(insert(tx, 1, "a"))).await.unwrap();
    let error = test
        .hub
        .db()
        .read((), |tx, ()| {
            Box::pin(tx.query("SELECT score, id, name, hash, done, at, note FROM samples").fetch_one::<Sample>())
        })
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Internal);
    assert!(error.log_line().contains("column 0 of the statement is score"), "{}", error.log_line());
}

#[both_engines]
async fn constraints_have_one_name_on_both_engines(test: TestHub) {
    with_table(&test).await;
    // A new connection reads the names of the table that was just made.
    let hub = test.another().await;
    hub.db().write((), |tx, ()| Box::pin(insert(tx, 1, "taken"))).await.unwrap();
    let same_id = hub.db().write((), |tx, ()| Box::pin(insert(tx, 1, "free"))).await.unwrap_err();
    assert!(same_id.violates("samples_pkey"), "{}", same_id.log_line());
    let same_name = hub.db().write((), |tx, ()| Box::pin(insert(tx, 2, "taken"))).await.unwrap_err();
    assert!(same_name.violates("samples_name_key"), "{}", same_name.log_line());
    let too_high = hub.db().write((), |tx, ()| Box::pin(insert_scored(tx, 3, "c", 1.5))).await.unwrap_err();
    assert!(too_high.violates("samples_score_check"), "{}", too_high.log_line());
    hub.close().await;
}

#[both_engines]
async fn a_constraint_that_callers_can_break_becomes_their_error(test: TestHub) {
    let error = test
        .hub
        .db()
        .write((), |tx, ()| {
            Box::pin(tx.query("INSERT INTO events (kind, payload, created_at) VALUES ('', '{}', 0)").execute())
        })
        .await
        .unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "validation_failed"));
}

#[both_engines]
async fn a_unit_that_fails_leaves_no_trace_and_harms_no_neighbour(test: TestHub) {
    with_table(&test).await;
    let db = test.hub.db();
    let writes = (0..300_i64).map(|id| {
        db.write(id, |tx, id| {
            Box::pin(async move {
                insert(tx, *id, &format!("name {id}")).await?;
                // Every third fails after it wrote, every seventh panics.
                assert!(id % 7 != 0, "a panic on purpose");
                if id % 3 == 0 { Err(refused()) } else { Ok(()) }
            })
        })
    });
    let outcomes = soon("300 writes", join_all(writes)).await;
    let survives = |id: &i64| id % 3 != 0 && id % 7 != 0;
    let expected = i64::try_from((0..300).filter(survives).count()).unwrap();
    for (id, outcome) in outcomes.into_iter().enumerate() {
        match outcome {
            Ok(()) => assert!(survives(&i64::try_from(id).unwrap())),
            Err(error) if id % 7 == 0 => assert_eq!(error.kind(), ErrorKind::Internal),
            Err(error) => {
                assert_eq!(error.code(), "refused_on_purpose");
                assert_eq!(id % 3, 0);
            }
        }
    }
    assert_eq!(test.number("SELECT count(*) FROM samples").await, expected);
    assert_eq!(test.number("SELECT count(*) FROM samples WHERE id % 3 = 0 OR id % 7 = 0").await, 0);
}

#[both_engines]
async fn a_unit_that_goes_on_after_a_failed_statement_is_refused(test: TestHub) {
    with_table(&test).await;
    let outcome = test
        .hub
        .db()
        .write((), |tx, ()| {
            Box::pin(async move {
                insert(tx, 1, "first").await?;
                // Swallowed: PostgreSQL has given up the transaction by then.
                insert(tx, 1, "same id").await.ok();
                Ok(())
            })
        })
        .await;
    assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Internal);
    assert_eq!(test.number("SELECT count(*) FROM samples").await, 0);
}

#[both_engines]
async fn a_table_made_by_a_unit_that_fails_is_gone(test: TestHub) {
    let make = |fail: bool| {
        test.hub.db().write(fail, |tx, fail| {
            Box::pin(async move {
                tx.query("CREATE TABLE half_made (id BIGINT)").execute().await?;
                if *fail { Err(refused()) } else { Ok(()) }
            })
        })
    };
    assert_eq!(make(true).await.unwrap_err().code(), "refused_on_purpose");
    make(false).await.unwrap();
}

#[both_engines]
async fn text_with_a_nul_is_refused_alike(test: TestHub) {
    with_table(&test).await;
    let error = test.hub.db().write((), |tx, ()| Box::pin(insert(tx, 1, "a\0b"))).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, "validation_failed"));
    let event = svc_core::events::NewEvent::new("test.nul", &"a\0b").unwrap();
    assert_eq!(test.hub.events().append(event).await.unwrap_err().kind(), ErrorKind::Invalid);
    let words = svc_core::events::NewEvent::new("test.words", &"the escape \\u0000 in words").unwrap();
    test.hub.events().append(words).await.unwrap();
}

#[both_engines]
async fn an_insert_that_inserted_nothing_has_no_number(test: TestHub) {
    with_table(&test).await;
    test.hub.db().write((), |tx, ()| Box::pin(insert(tx, 1, "taken"))).await.unwrap();
    let again = test.hub.db().write((), |tx, ()| {
        Box::pin(
            tx.query("INSERT INTO readiness (id, probed_at) VALUES (1, 0) ON CONFLICT (id) DO NOTHING")
                .insert::<i64>("id"),
        )
    });
    assert!(again.await.is_err());
}

#[both_engines]
async fn a_caller_that_goes_away_does_not_undo_its_work(test: TestHub) {
    with_table(&test).await;
    for id in 0..20_i64 {
        let write =
            test.hub.db().write(id, |tx, id| Box::pin(async move { insert(tx, *id, &format!("name {id}")).await }));
        // Polled once, so that the work is on its way, and dropped.
        futures_util::pin_mut!(write);
        drop(futures_util::poll!(&mut write));
    }
    until("all rows", async || (test.number("SELECT count(*) FROM samples").await == 20).then_some(())).await;
}

#[both_engines]
async fn a_reader_sees_one_moment(test: TestHub) {
    with_table(&test).await;
    let outside = (test.hub.clone(), tokio::runtime::Handle::current());
    let (first, second) = test
        .hub
        .db()
        .read(outside, |tx, outside| {
            Box::pin(async move {
                let count = "SELECT count(*) FROM samples";
                let first: i64 = tx.query(count).fetch_value().await?;
                // Somebody else commits in between, from a thread of their own.
                let (hub, runtime) = outside.clone();
                std::thread::spawn(move || {
                    runtime.block_on(hub.db().write((), |tx, ()| Box::pin(insert(tx, 1, "late")))).unwrap();
                })
                .join()
                .unwrap();
                let second: i64 = tx.query(count).fetch_value().await?;
                Ok((first, second))
            })
        })
        .await
        .unwrap();
    assert_eq!((first, second), (0, 0));
    assert_eq!(test.number("SELECT count(*) FROM samples").await, 1);
}

#[both_engines]
async fn a_reader_cannot_write(test: TestHub) {
    with_table(&test).await;
    let outcome = test.hub.db().read((), |tx, ()| Box::pin(insert(tx, 1, "sneaked in"))).await;
    assert!(outcome.is_err());
    assert_eq!(test.number("SELECT count(*) FROM samples").await, 0);
}

#[both_engines]
async fn units_that_lock_rows_in_opposite_order_all_succeed(test: TestHub) {
    with_table(&test).await;
    for id in [1, 2] {
        test.hub
            .db()
            .write(id, |tx, id| Box::pin(async move { insert(tx, *id, &id.to_string()).await }))
            .await
            .unwrap();
    }
    let writes = (0..60).map(|number| {
        let order = if number % 2 == 0 { [1_i64, 2] } else { [2, 1] };
        test.hub.db().write(order, |tx, order| {
            Box::pin(async move {
                for id in order {
                    tx.query("UPDATE samples SET at = at + 1 WHERE id = $1").bind(*id).execute().await?;
                }
                Ok(())
            })
        })
    });
    for outcome in soon("60 writes", join_all(writes)).await {
        outcome.unwrap();
    }
    let start = "2026-01-01T00:00:00Z".parse::<Timestamp>().unwrap().as_micros();
    assert_eq!(test.number("SELECT CAST(sum(at) AS BIGINT) FROM samples").await, 2 * (start + 60));
}

#[both_engines]
async fn thousands_of_writes_at_once_wait_their_turn(test: TestHub) {
    with_table(&test).await;
    let count = if test.hub.db().engine() == Engine::Sqlite { 5000 } else { 500 };
    let writes = (0..count).map(|id: i64| {
        test.hub.db().write(id, |tx, id| Box::pin(async move { insert(tx, *id, &id.to_string()).await }))
    });
    for outcome in soon("all writes", join_all(writes)).await {
        outcome.unwrap();
    }
    assert_eq!(test.number("SELECT count(*) FROM samples").await, count);
}

#[both_engines]
async fn a_closed_hub_says_so(test: TestHub) {
    test.hub.close().await;
    let read = test.hub.db().read((), |tx, ()| Box::pin(tx.query("SELECT 1").fetch_value::<i64>())).await;
    let write = test.hub.db().write((), |tx, ()| Box::pin(tx.query("SELECT 1").fetch_value::<i64>())).await;
    for error in [read.unwrap_err(), write.unwrap_err()] {
        assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "storage_unavailable"));
    }
    soon("a second close", test.hub.close()).await;
}

#[both_engines]
async fn a_store_from_the_future_is_refused(test: TestHub) {
    let later =
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (9999, '9999_later', '', 0)";
    // The open hub looks at the schema too, and may refuse to answer a write that it has committed.
    drop(test.hub.db().write(later, |tx, later| Box::pin(tx.query(*later).execute())).await);
    let Err(error) = test.builder().open().await else { panic!("a newer store was opened") };
    assert_eq!(error.code(), "store_too_new");
    assert!(error.message().contains("newer svc"), "{error}");
}

#[both_engines]
async fn a_changed_migration_is_refused(test: TestHub) {
    test.execute("UPDATE schema_migrations SET checksum = 'other' WHERE version = 1").await;
    let Err(error) = test.builder().open().await else { panic!("a foreign store was opened") };
    assert_eq!(error.code(), "store_history_differs");
}

#[both_engines]
async fn json_is_kept_as_json(test: TestHub) {
    let json = RawValue::from_string(r#"{"a":[1,"zwei",null]}"#.into()).unwrap();
    test.hub
        .db()
        .write(json, |tx, json| {
            Box::pin(
                tx.query("INSERT INTO events (kind, payload, created_at) VALUES ('json', $1, 0)")
                    .bind(&**json)
                    .execute(),
            )
        })
        .await
        .unwrap();
    let payload: Box<RawValue> = test
        .hub
        .db()
        .read((), |tx, ()| Box::pin(tx.query("SELECT payload FROM events WHERE kind = 'json'").fetch_value()))
        .await
        .unwrap();
    let payload: serde_json::Value = serde_json::from_str(payload.get()).unwrap();
    assert_eq!(payload, serde_json::json!({"a": [1, "zwei", null]}));
}

async fn settings(tx: &mut Tx) -> Result<(String, i64, i64, i64)> {
    let journal = tx.query("SELECT journal_mode FROM pragma_journal_mode").fetch_value().await?;
    let synchronous = tx.query("SELECT synchronous FROM pragma_synchronous").fetch_value().await?;
    let foreign_keys = tx.query("SELECT foreign_keys FROM pragma_foreign_keys").fetch_value().await?;
    let query_only = tx.query("SELECT query_only FROM pragma_query_only").fetch_value().await?;
    Ok((journal, synchronous, foreign_keys, query_only))
}

#[tokio::test]
async fn every_sqlite_connection_has_every_setting() {
    let test = TestHub::sqlite().await;
    let writer = test.hub.db().write((), |tx, ()| Box::pin(settings(tx))).await.unwrap();
    assert_eq!(writer, ("wal".into(), 2, 1, 0));
    // Enough at once to reach every reader.
    let reads = (0..32).map(|_| test.hub.db().read((), |tx, ()| Box::pin(settings(tx))));
    for reader in join_all(reads).await {
        assert_eq!(reader.unwrap(), ("wal".into(), 2, 1, 1));
    }
}

#[tokio::test]
async fn a_unit_that_awaits_something_else_is_refused() {
    let test = TestHub::sqlite().await;
    let error = test
        .hub
        .db()
        .write((), |tx, ()| {
            Box::pin(async move {
                tx.query("DELETE FROM events").execute().await?;
                tokio::task::yield_now().await;
                Ok(())
            })
        })
        .await
        .unwrap_err();
    assert!(error.log_line().contains("awaited something other than its transaction"), "{}", error.log_line());
}

#[tokio::test]
async fn reads_go_on_while_the_writer_is_held_up() {
    let test = TestHub::sqlite().await;
    let path = test.config.data.join("svc.db");
    let foreign = rusqlite::Connection::open(path).unwrap();
    foreign.execute_batch("BEGIN IMMEDIATE").unwrap();
    let write = tokio::spawn({
        let hub = test.hub.clone();
        async move { hub.db().write((), |tx, ()| Box::pin(tx.query("DELETE FROM traces").execute())).await }
    });
    for _ in 0..10 {
        let read = test.number("SELECT count(*) FROM events");
        assert_eq!(tokio::time::timeout(Duration::from_secs(2), read).await.expect("a read does not wait"), 0);
    }
    assert!(!write.is_finished());
    foreign.execute_batch("ROLLBACK").unwrap();
    soon("the write", write).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_writer_that_stays_locked_out_answers_in_time_and_recovers() {
    let test = TestHub::sqlite().await;
    let foreign = rusqlite::Connection::open(test.config.data.join("svc.db")).unwrap();
    foreign.execute_batch("BEGIN IMMEDIATE").unwrap();
    let delete = || test.hub.db().write((), |tx, ()| Box::pin(tx.query("DELETE FROM traces").execute()));
    let error = soon("an answer", delete()).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Unavailable, "storage_unavailable"));
    assert!(matches!(
        std::error::Error::source(&error).and_then(|source| source.downcast_ref()),
        Some(DbError::Unavailable(_))
    ));
    foreign.execute_batch("ROLLBACK").unwrap();
    delete().await.unwrap();
}

#[both_engines]
async fn a_statement_that_fails_after_its_first_row_has_failed(test: TestHub) {
    let text = match test.hub.db().engine() {
        Engine::Sqlite => "SELECT json(CASE n WHEN 1 THEN '1' ELSE '{' END) FROM (SELECT 1 AS n UNION ALL SELECT 2)",
        Engine::Postgres => "SELECT (1 / (2 - n))::text FROM generate_series(1, 2) AS n",
    };
    let outcome = test
        .hub
        .db()
        .read(text, |tx, text| {
            Box::pin(async move {
                tx.query(*text).fetch_optional::<(String,)>().await?;
                Err::<(), _>(refused())
            })
        })
        .await;
    assert_ne!(outcome.unwrap_err().code(), refused().code(), "the second row was not looked at");
}
