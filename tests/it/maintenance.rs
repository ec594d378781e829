//! Looking after a store that is in use: vacuuming and migrating lose nothing and stop nobody for good.

use futures_util::future::join_all;
use svc_core::db::{Engine, migration_names};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

async fn with_rows(test: &TestHub, rows: i64) {
    test.execute("CREATE TABLE ballast (number BIGINT NOT NULL, text TEXT NOT NULL)").await;
    let fill = test.hub.db().write(rows, |tx, rows| {
        Box::pin(async move {
            for number in 0..*rows {
                tx.query("INSERT INTO ballast (number, text) VALUES ($1, $2)")
                    .bind(number)
                    .bind("x".repeat(1000))
                    .execute()
                    .await?;
            }
            Ok(())
        })
    });
    fill.await.unwrap();
}

async fn insert(test: &TestHub, number: i64) {
    let written = test.hub.db().write(number, |tx, number| {
        Box::pin(tx.query("INSERT INTO ballast (number, text) VALUES ($1, 'kept')").bind(*number).execute())
    });
    written.await.unwrap();
}

#[both_engines]
async fn vacuuming_gives_space_back(test: TestHub) {
    with_rows(&test, 2000).await;
    test.execute("DELETE FROM ballast WHERE number > 0").await;
    let vacuumed = test.hub.db().vacuum().await.unwrap();
    assert_eq!(test.number("SELECT count(*) FROM ballast").await, 1);
    assert_eq!(vacuumed.bytes_after, test.hub.db().size().await);
    // PostgreSQL keeps the room for rows to come, and may cut what is free at the end.
    if test.hub.db().engine() == Engine::Sqlite {
        assert!(vacuumed.bytes_after + 1_000_000 < vacuumed.bytes_before, "{vacuumed:?}");
    }
}

#[both_engines]
async fn those_who_write_and_read_meanwhile_lose_nothing(test: TestHub) {
    with_rows(&test, 500).await;
    let writers = join_all((1000..1200).map(|number| insert(&test, number)));
    let vacuums = join_all((0..3).map(|_| async { test.hub.db().vacuum().await.unwrap() }));
    let readers = join_all((0..20).map(|_| test.number("SELECT count(*) FROM ballast WHERE number < 500")));
    let (_, _, seen) = tokio::join!(writers, vacuums, readers);
    assert!(seen.iter().all(|seen| *seen == 500), "{seen:?}");
    assert_eq!(test.number("SELECT count(DISTINCT number) FROM ballast WHERE text = 'kept'").await, 200);
    insert(&test, 2000).await;
    let reopened = test.another().await;
    let kept: i64 = reopened
        .db()
        .read((), |tx, ()| Box::pin(tx.query("SELECT count(*) FROM ballast").fetch_value()))
        .await
        .unwrap();
    assert_eq!(kept, 701);
    reopened.close().await;
}

#[both_engines]
async fn an_open_store_lacks_no_migration(test: TestHub) {
    assert_eq!(test.hub.db().migrate().await.unwrap(), 0);
    let migrations = test.hub.db().migrations().await.unwrap();
    let names: Vec<_> = migrations.iter().map(|migration| migration.name.as_str()).collect();
    assert_eq!(names, migration_names());
    assert!(migrations.iter().all(|migration| migration.applied_at.is_some()), "{migrations:?}");
}

#[both_engines]
async fn a_closed_store_is_not_vacuumed(test: TestHub) {
    test.hub.close().await;
    assert_eq!(test.hub.db().vacuum().await.unwrap_err().code(), "storage_unavailable");
}
