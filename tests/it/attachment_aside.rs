//! Files that the sweep sets aside, how many it takes, and how they come back.

use std::time::Duration;

use svc_core::attachments::ContentHash;
use svc_core::{Caller, limits};
use svc_test_macros::both_engines;

use crate::support::files::{age, aside, blob, blobs, read, upload};
use crate::support::hub::TestHub;
use crate::support::oauth::login;

const A_MOMENT: Duration = Duration::from_secs(1);

/// Writes the row of a content, as a database that knows it has it.
async fn insert_row(test: &TestHub, content: &str) {
    let unit = (ContentHash::of(content.as_bytes()), i64::try_from(content.len()).unwrap());
    let inserted = test.hub.db().write(unit, |tx, (hash, size)| {
        Box::pin(async move {
            let now = tx.now();
            tx.query(
                "INSERT INTO attachments (hash, size, mime_type, is_image, created_at, touched_at)
                 VALUES ($1, $2, 'text/plain', $3, $4, $4)",
            )
            .bind(hash.as_str())
            .bind(*size)
            .bind(false)
            .bind(now)
            .execute()
            .await
        })
    });
    inserted.await.unwrap();
}

#[both_engines]
async fn an_older_database_costs_no_file(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    let contents: Vec<_> = (0..6).map(|number| format!("file {number}")).collect();
    for content in &contents {
        age(&blob(&test.hub, &upload(&test.hub, &ann, content).await.unwrap()));
    }
    // As if a backup from before the uploads had been put in place.
    test.execute("DELETE FROM attachments").await;
    test.run_worker("attachment_sweep").await;
    assert_eq!((blobs(&test.hub).len(), aside(&test.hub).len()), (6, 0));
    let readiness = test.hub.readiness().await;
    assert_eq!(readiness.files.unwrap().unknown, 6);
    assert_eq!(readiness.status, svc_core::health::ReadyState::Degraded);
    let error = test.hub.attachments().gc(&Caller::root()).await.unwrap_err();
    assert!(error.message().contains("6 of 6 files") && error.message().contains("--force"), "{error}");
    // Whoever means it gets it, and the files are aside and not lost.
    assert_eq!(test.hub.attachments().gc_all(&Caller::root()).await.unwrap().removed, 6);
    assert_eq!((blobs(&test.hub).len(), aside(&test.hub).len()), (0, 6));
    assert_eq!(test.hub.readiness().await.files.unwrap().unknown, 0);
    // The newer database knows three of them, of which one is read and one is uploaded again.
    for content in &contents[..3] {
        insert_row(&test, content).await;
    }
    let root = Caller::root();
    let hashes: Vec<_> = contents.iter().map(|content| ContentHash::of(content.as_bytes())).collect();
    assert_eq!(read(&test.hub, &root, &hashes[0]).await.unwrap(), "file 0");
    upload(&test.hub, &ann, "file 1").await.unwrap();
    assert_eq!(read(&test.hub, &ann, &hashes[1]).await.unwrap(), "file 1");
    // A week later the third is put back by itself, and what nobody knows is deleted.
    test.execute("UPDATE attachments SET touched_at = touched_at + 10 * 86400000000").await;
    test.clock.advance(limits::BLOBS_KEPT_ASIDE + A_MOMENT);
    test.hub.attachments().gc(&root).await.unwrap();
    assert_eq!((blobs(&test.hub).len(), aside(&test.hub).len()), (3, 0));
    assert_eq!(read(&test.hub, &root, &hashes[2]).await.unwrap(), "file 2");
    assert_eq!(test.hub.readiness().await.files.unwrap().damaged, 0);
}

#[both_engines]
async fn what_was_removed_is_kept_for_a_week(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    upload(&test.hub, &ann, "unused").await.unwrap();
    test.clock.advance(limits::ATTACHMENT_UNUSED + A_MOMENT);
    test.run_worker("attachment_sweep").await;
    assert_eq!((blobs(&test.hub).len(), aside(&test.hub).len()), (0, 1));
    test.clock.advance(limits::BLOBS_KEPT_ASIDE);
    test.run_worker("attachment_sweep").await;
    assert_eq!(aside(&test.hub).len(), 1, "not before its time");
    test.clock.advance(limits::ATTACHMENT_UNUSED + A_MOMENT);
    test.run_worker("attachment_sweep").await;
    assert_eq!(aside(&test.hub).len(), 0);
}

#[both_engines]
async fn a_round_takes_a_small_share(test: TestHub) {
    let (ann, _) = login(&test.hub, "ann").await;
    for number in 0..45 {
        upload(&test.hub, &ann, &format!("unused {number}")).await.unwrap();
    }
    test.clock.advance(limits::ATTACHMENT_UNUSED + A_MOMENT);
    let mut left = Vec::new();
    for _ in 0..3 {
        test.run_worker("attachment_sweep").await;
        left.push(blobs(&test.hub).len());
    }
    assert_eq!(left, [25, 5, 0]);
    // Everybody's own are theirs to remove at once.
    for number in 0..45 {
        upload(&test.hub, &ann, &format!("unused {number}")).await.unwrap();
    }
    test.clock.advance(limits::ATTACHMENT_UNUSED + A_MOMENT);
    assert_eq!(test.hub.attachments().gc(&ann).await.unwrap().removed, 45);
}
