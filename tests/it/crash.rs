//! Kill -9 while 32 tasks write: everything that was acknowledged is there, nothing is damaged.

use std::time::Duration;

use svc_core::db::Engine;
use svc_test_macros::both_engines;

use crate::support::child::TestChild;
use crate::support::hub::TestHub;

/// `make crash ROUNDS=1000` for more.
fn rounds(engine: Engine) -> u64 {
    let asked = std::env::var("SVC_CRASH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    // PostgreSQL itself is not killed here, only the process that writes to it.
    asked.unwrap_or(if engine == Engine::Sqlite { 30 } else { 5 })
}

#[both_engines]
async fn everything_acknowledged_survives_kill_9(test: TestHub) {
    test.execute("CREATE TABLE crash_rows (number BIGINT NOT NULL PRIMARY KEY)").await;
    let engine = test.hub.db().engine();
    let mut acknowledged = 0;
    for round in 0..rounds(engine) {
        let config = test.config.clone();
        let said = tokio::task::spawn_blocking(move || {
            let mut child = TestChild::start("write until killed", &config);
            assert_eq!(child.next().as_deref(), Some("writing"));
            // Another moment each time: after this many more acknowledgements, mid-flight.
            let before: Vec<_> = (0..=round * 37 % 211).filter_map(|_| child.next()).collect();
            [before, child.kill()].concat()
        });
        let numbers: Vec<i64> = said.await.unwrap().iter().map(|number| number.parse().unwrap()).collect();
        assert!(!numbers.is_empty());
        acknowledged += numbers.len();
        for number in numbers {
            let found = test.hub.db().read(number, |tx, number| {
                Box::pin(
                    tx.query("SELECT count(*) FROM crash_rows WHERE number = $1").bind(*number).fetch_value::<i64>(),
                )
            });
            assert_eq!(found.await.unwrap(), 1, "{number} was acknowledged in round {round} and is lost");
        }
        // No row without its event, no event without its row. One statement: PostgreSQL may still be ending what the
        // child had sent.
        let difference = "SELECT (SELECT count(*) FROM crash_rows)
                               - (SELECT count(*) FROM events WHERE kind = 'crash.row')";
        assert_eq!(test.number(difference).await, 0, "round {round}");
    }
    if engine == Engine::Sqlite {
        let verdict: String = test
            .hub
            .db()
            .read((), |tx, ()| Box::pin(tx.query("SELECT integrity_check FROM pragma_integrity_check").fetch_value()))
            .await
            .unwrap();
        assert_eq!(verdict, "ok");
    }
    println!("{engine}: {acknowledged} acknowledged rows survived");
    assert!(tokio::time::timeout(Duration::from_secs(10), test.hub.readiness()).await.unwrap().store.ok);
}
