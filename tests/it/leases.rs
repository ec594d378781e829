//! Leases: one holder, taken over in time, late holders refused.

use std::time::Duration;

use futures_util::future::join_all;
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

const LENGTH: Duration = Duration::from_secs(10);

#[both_engines]
async fn a_lease_has_one_holder(test: TestHub) {
    let others = join_all((0..8).map(|_| test.another())).await;
    let attempts = join_all(others.iter().map(|hub| hub.leases().acquire("sweeper", LENGTH))).await;
    let won = attempts.into_iter().filter(|attempt| attempt.as_ref().unwrap().is_some()).count();
    assert_eq!(won, 1);
    join_all(others.iter().map(svc_core::Hub::close)).await;
}

#[both_engines]
async fn a_lease_that_ended_goes_to_the_next_and_the_late_holder_is_refused(test: TestHub) {
    let other = test.another().await;
    let first = test.hub.leases().acquire("sweeper", LENGTH).await.unwrap().unwrap();
    assert!(other.leases().acquire("sweeper", LENGTH).await.unwrap().is_none());
    test.clock.advance(LENGTH);
    let second = other.leases().acquire("sweeper", LENGTH).await.unwrap().unwrap();
    assert!(!test.hub.leases().renew(&first, LENGTH).await.unwrap());
    let late = test.hub.db().write(first, |tx, lease| Box::pin(lease.require(tx))).await.unwrap_err();
    assert_eq!(late.code(), "lease_lost");
    other.db().write(second.clone(), |tx, lease| Box::pin(lease.require(tx))).await.unwrap();
    test.clock.advance(LENGTH);
    let expired = other.db().write(second, |tx, lease| Box::pin(lease.require(tx))).await.unwrap_err();
    assert_eq!(expired.code(), "lease_lost");
    other.close().await;
}

#[both_engines]
async fn a_lease_is_kept_by_renewal_and_free_after_release(test: TestHub) {
    let other = test.another().await;
    let lease = test.hub.leases().acquire("sweeper", LENGTH).await.unwrap().unwrap();
    for _ in 0..3 {
        test.clock.advance(LENGTH / 2);
        assert!(test.hub.leases().renew(&lease, LENGTH).await.unwrap());
        assert!(other.leases().acquire("sweeper", LENGTH).await.unwrap().is_none());
    }
    test.hub.leases().release(lease).await.unwrap();
    assert!(other.leases().acquire("sweeper", LENGTH).await.unwrap().is_some());
    other.close().await;
}
