//! A hub that is away, and files that cannot be written: what a person has written is shown, kept and sent.

use svc_core::messages::NewMessage;

use super::TestUi;
use super::gate::Gate;
use super::hub::TestHub;
use crate::backend::Place;
use crate::state::kept::{Kept, Outgoing};
use crate::state::shared::{Connection, Shared};

/// A draft and a message that waits, from an earlier start.
fn written() -> Kept {
    let mut kept = Kept::default();
    kept.set_draft(&Place::Direct("bob".into()), None, "half a thought");
    let message = NewMessage::in_channel("ops", "The build is moved.");
    assert!(kept.push(Outgoing { key: "earlier-1".into(), message, refused: None, under_way: false }));
    kept
}

async fn away(hub: &TestHub, columns: u16, rows: u16) -> (TestUi, std::sync::Arc<Gate>) {
    let gate = Gate::shut(hub.log_in("ann").await);
    let mut shared = Shared::new("test".into(), "ann".into(), written(), format!("away-{columns}"));
    shared.connection = Connection::Lost("The hub cannot be reached.".into());
    let mut ui = TestUi::open(gate.clone(), shared, hub, columns, rows);
    ui.shows("cannot be reached: connection refused").await;
    (ui, gate)
}

#[tokio::test]
async fn a_start_without_the_hub_shows_what_was_written_and_goes_on() {
    let hub = TestHub::filled().await;
    let (mut ui, gate) = away(&hub, 80, 24).await;
    let picture = ui.picture();
    for text in ["tried again", "Waits to be sent to #ops", "The build is moved.", "To @bob", "half a thought"] {
        assert!(picture.contains(text), "{text}\n{picture}");
    }
    assert!(picture.contains("1 unsent") && picture.contains("no connection, trying again"), "{picture}");
    ui.press("<Enter>");
    ui.until(|picture| picture.contains("#ops") && picture.contains("waits for the connection")).await;
    // Another message, written meanwhile.
    ui.press("iAnd the keys are rotated.<Enter><Esc>");
    ui.shows("And the keys are rotated.").await;

    gate.open();
    ui.until(|picture| picture.contains("● live") && picture.contains("Rotate the keys")).await;
    ui.until(|picture| !picture.contains("unsent")).await;
    let timeline = hub.log_in("ann").await.timeline(&Place::Channel("ops".into()), None, 50).await.unwrap();
    let sent: Vec<_> = timeline.messages.iter().skip(2).map(|message| message.body.as_str()).collect();
    assert_eq!(sent, ["The build is moved.", "And the keys are rotated."]);
    ui.press("gt");
    ui.until(|picture| picture.contains("price-checker") && picture.contains("half a thought")).await;
}

#[tokio::test]
async fn pictures_without_the_hub() {
    let hub = TestHub::filled().await;
    for (columns, rows) in [(80, 24), (140, 40)] {
        let (mut ui, _gate) = away(&hub, columns, rows).await;
        let picture = ui.idle().await;
        insta::assert_snapshot!(format!("away_{columns}x{rows}"), picture);
    }
}

#[tokio::test]
async fn drafts_that_cannot_be_written_are_told_of() {
    let hub = TestHub::filled().await;
    let directory = tempfile::tempdir().unwrap();
    tokio::fs::write(directory.path().join("state"), "not a directory").await.unwrap();
    let kept = Kept::open(directory.path().join("state/kept.json")).await;
    let mut ui = TestUi::start_with(&hub, "ann", kept, 140, 40).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.press("ihalf");
    ui.shows("Drafts cannot be kept").await;

    // It is tried again, and told once.
    hub.clock.advance(std::time::Duration::from_mins(1));
    ui.press(" a thought");
    ui.runner.tick();
    ui.runner.next().await;
    assert!(!ui.picture().contains("Drafts cannot be kept"));
    tokio::fs::remove_file(directory.path().join("state")).await.unwrap();
    ui.runner.tick();
    ui.runner.finish().await;
    let text = tokio::fs::read_to_string(directory.path().join("state/kept.json")).await.unwrap();
    assert!(text.contains("half a thought"), "{text}");
}
