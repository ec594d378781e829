//! The end of the program: what is on its way arrives, what was written is kept, the login ends when that was asked for.

use super::TestUi;
use super::hub::TestHub;
use crate::backend::Place;
use crate::state::kept::Kept;

#[tokio::test]
async fn a_message_on_its_way_arrives_and_a_draft_is_kept() {
    let hub = TestHub::filled().await;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("kept.json");
    let mut ui = TestUi::start_with(&hub, "ann", Kept::open(file.clone()).await, 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    // As after a signal: the program ends while the message is being sent and a draft is being written.
    ui.press("iLast words<Enter>half a thought");
    ui.runner.finish().await;
    let dev = Place::Channel("dev".into());
    let timeline = hub.log_in("ann").await.timeline(&dev, None, 1).await.unwrap();
    assert_eq!(timeline.messages[0].body, "Last words");
    drop(ui);
    let kept = Kept::open(file).await;
    assert_eq!((kept.draft(&dev, None), kept.outbox().len()), ("half a thought", 0));
}

#[tokio::test]
async fn logging_out_is_asked_for_and_confirmed() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("<C-k>log out<Enter>");
    ui.shows("Log out?").await;
    ui.press("n");
    assert!(!ui.runner.ui.quit && !ui.picture().contains("Log out?"));
    ui.press("<C-k>log out<Enter>y");
    assert!(ui.runner.ui.quit && ui.runner.ui.logs_out);
    ui.runner.finish().await;
}
