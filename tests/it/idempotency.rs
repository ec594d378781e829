//! Idempotency keys: one effect, the first answer again, and what is refused.

use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use svc_core::events::NewEvent;
use svc_core::idempotency::{IdempotencyKey, Once};
use svc_core::ids::EventSeq;
use svc_core::{ErrorKind, Hub, Result, limits};
use svc_test_macros::both_engines;

use crate::support::hub::TestHub;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Answer {
    seq: EventSeq,
}

async fn append(hub: &Hub, key: &str, body: &str) -> Result<Once<Answer>> {
    let key = IdempotencyKey::new("caller 1", key, &body)?;
    hub.db()
        .write_once(Some(key), body.to_owned(), |tx, body| {
            Box::pin(async move {
                if body == "refuse" {
                    return Err(svc_core::Error::conflict("refused_on_purpose", "No."));
                }
                Ok(Answer { seq: tx.emit(&NewEvent::new("test.once", body)?).await? })
            })
        })
        .await
}

#[both_engines]
async fn the_same_request_again_gets_the_first_answer(test: TestHub) {
    let first = append(&test.hub, "k1", "hello").await.unwrap();
    assert!(!first.replayed);
    let again = append(&test.hub, "k1", "hello").await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.value, first.value);
    let other = append(&test.hub, "k2", "hello").await.unwrap();
    assert_ne!(other.value, first.value);
    assert_eq!(test.number("SELECT count(*) FROM events").await, 2);
}

#[both_engines]
async fn the_same_key_with_another_request_is_a_conflict(test: TestHub) {
    append(&test.hub, "k1", "hello").await.unwrap();
    let error = append(&test.hub, "k1", "goodbye").await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Conflict, "idempotency_conflict"));
    assert_eq!(test.number("SELECT count(*) FROM events").await, 1);
}

#[both_engines]
async fn many_at_once_have_one_effect(test: TestHub) {
    let other = test.another().await;
    let hubs = [&test.hub, &other];
    let answers = join_all((0..32).map(|number| append(hubs[number % 2], "k1", "hello"))).await;
    let answers: Vec<_> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers.iter().filter(|answer| !answer.replayed).count(), 1);
    assert!(answers.iter().all(|answer| answer.value == answers[0].value));
    assert_eq!(test.number("SELECT count(*) FROM events").await, 1);
    other.close().await;
}

#[both_engines]
async fn a_key_is_forgotten_after_a_day(test: TestHub) {
    append(&test.hub, "k1", "hello").await.unwrap();
    test.clock.advance(limits::IDEMPOTENCY_RETENTION);
    let fresh = append(&test.hub, "k1", "something else").await.unwrap();
    assert!(!fresh.replayed);
    test.clock.advance(limits::IDEMPOTENCY_RETENTION);
    test.run_worker("idempotency_sweep").await;
    assert_eq!(test.number("SELECT count(*) FROM idempotency_keys").await, 0);
}

#[both_engines]
async fn a_refusal_is_not_remembered(test: TestHub) {
    for _ in 0..2 {
        assert_eq!(append(&test.hub, "k1", "refuse").await.unwrap_err().code(), "refused_on_purpose");
    }
    assert!(!append(&test.hub, "k1", "hello").await.unwrap().replayed);
}

#[test]
fn odd_keys_are_refused_by_name() {
    let long = "k".repeat(limits::IDEMPOTENCY_KEY_MAX + 1);
    for key in ["", " ", "with space", "naïve", "line\nbreak", long.as_str()] {
        let error = IdempotencyKey::new("caller 1", key, &()).unwrap_err();
        assert_eq!(error.fields()[0].field, "Idempotency-Key", "{key:?}");
    }
}
