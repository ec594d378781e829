//! Work per event: a burst of events is shown with few requests and few pictures.

use std::time::Duration;

use svc_core::messages::NewMessage;

use super::TestUi;
use super::hub::TestHub;

#[tokio::test]
async fn a_burst_of_events_is_taken_in_few_steps() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    let mut ui = TestUi::start(&hub, "ann", 140, 40).await;
    ui.press("gcjj<Enter>");
    ui.shows("Rotate the keys").await;
    for number in 0..1_000 {
        hub.hub.messages().send(&bob, NewMessage::in_channel("dev", format!("event {number}"))).await.unwrap();
    }
    let mut steps = 0;
    while !ui.picture().contains("@1001") && !ui.picture().contains("100") {
        steps += 1;
        tokio::time::timeout(Duration::from_secs(30), ui.runner.next()).await.expect("events arrive");
    }
    assert!(steps <= 1_000, "{steps} steps for 1,000 events");
}
