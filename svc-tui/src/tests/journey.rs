//! What keys do at the hub, and what the hub's news do on screen.

use std::time::Duration;

use svc_core::messages::{MessageStatus, NewMessage};
use svc_core::reactions::WorkflowState;

use super::TestUi;
use super::hub::TestHub;
use crate::backend::Place;
use crate::runner::Outside;

async fn latest(hub: &TestHub, place: &Place) -> svc_core::messages::Message {
    let mut timeline = hub.log_in("ann").await.timeline(place, None, 1).await.unwrap();
    timeline.messages.pop().unwrap()
}

#[tokio::test]
async fn a_message_is_written_answered_and_arrives() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.press("iA new idea<A-Enter>in two lines<Enter>");
    ui.until(|picture| picture.contains("A new idea") && !picture.contains("sending")).await;
    let general = Place::Channel("dev".into());
    assert_eq!(latest(&hub, &general).await.body, "A new idea\nin two lines");

    // An answer in the thread of the message.
    ui.press("<Esc>t");
    ui.shows("Thread in #dev").await;
    ui.press("iBecause<Enter>");
    ui.until(|picture| picture.contains("Because") && !picture.contains("sending")).await;
    let answer = latest(&hub, &general).await;
    assert_eq!((answer.body.as_str(), answer.reply_to.is_some()), ("Because", true));

    // A message of somebody else appears at once.
    let bob = hub.caller("bob").await;
    hub.say(&bob, NewMessage::in_channel("dev", "Agreed!")).await;
    ui.press("<Esc><Esc>");
    ui.shows("Agreed!").await;
}

#[tokio::test]
async fn a_message_is_edited_and_deleted() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.press("iA new idae<Enter>");
    ui.until(|picture| picture.contains("A new idae") && !picture.contains("sending")).await;
    let dev = Place::Channel("dev".into());
    // Somebody who gives up has their draft again.
    ui.press("A draft<Esc>GE");
    ui.shows("Edit the message").await;
    ui.press("<Esc>");
    ui.shows("A draft").await;
    ui.press("E");
    ui.shows("Edit the message").await;
    ui.press("<BS><BS>ea<Enter>");
    ui.until(|picture| picture.contains("A new idea") && picture.contains("(edited)")).await;
    assert_eq!((latest(&hub, &dev).await.body.as_str(), latest(&hub, &dev).await.version), ("A new idea", 2));
    ui.press("D");
    ui.shows("Delete your message?").await;
    ui.press("y");
    ui.shows("(deleted by ann)").await;
    assert!(latest(&hub, &dev).await.deleted_at.is_some());
    // Messages of others are not edited.
    let bob = hub.caller("bob").await;
    hub.say(&bob, NewMessage::in_channel("dev", "Agreed!")).await;
    ui.shows("Agreed!").await;
    ui.press("GE");
    ui.shows("Only your own messages can be edited.").await;
}

#[tokio::test]
async fn a_paste_of_many_lines_is_one_message() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    let text = format!("first\n{}\nlast", "line of the middle\n".repeat(3_000));
    ui.press("i");
    ui.paste(&text);
    ui.press("<Enter>");
    ui.until(|picture| picture.contains("line of the middle") && !picture.contains("sending")).await;
    assert_eq!(latest(&hub, &Place::Channel("dev".into())).await.body, text);
}

#[tokio::test]
async fn a_message_that_the_hub_refuses_stays_until_it_is_sent_or_removed() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.press("i");
    ui.paste(&"x".repeat(70_000));
    ui.press("<Enter>");
    ui.shows("not sent").await;
    ui.press("Another one<Enter>");
    ui.until(|picture| picture.contains("Another one") && picture.contains("not sent")).await;
    assert_eq!(latest(&hub, &Place::Channel("dev".into())).await.body, "Another one");
}

#[tokio::test]
async fn work_is_claimed_and_finished_with_two_keys() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gcjj<Enter>");
    ui.shows("Rotate the keys").await;
    ui.press("Gc");
    ui.shows("in_progress ann").await;
    ui.press("d");
    ui.shows("[done]").await;
    let message = latest(&hub, &Place::Channel("ops".into())).await;
    assert_eq!(message.workflow_state, Some(WorkflowState::Done));

    // A direct message is marked as processed.
    ui.press("gcG<Enter>");
    ui.shows("Do you have a minute?").await;
    ui.press("Gd");
    ui.shows("Marked as done").await;
    assert_eq!(latest(&hub, &Place::Direct("bob".into())).await.status, MessageStatus::Done);
}

#[tokio::test]
async fn unread_messages_are_counted_and_read() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 140, 40).await;
    ui.until(|picture| picture.contains("#dev") && picture.contains("@3")).await;
    ui.press("gc<Enter>");
    let listed = |line: &str| line.chars().take(26).collect::<String>();
    ui.until(|picture| picture.lines().map(listed).any(|line| line.contains(" #dev ") && !line.contains('@'))).await;
    let unread = hub.log_in("ann").await.unread().await.unwrap();
    assert!(unread.iter().filter(|unread| unread.name == "dev").all(|unread| unread.unread == 0));
}

#[tokio::test]
async fn a_draft_is_there_again() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.press("ihalf a thought<Esc>gtgc<Enter>");
    ui.shows("half a thought").await;
}

#[tokio::test]
async fn an_agent_and_tasks_are_approved() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 140, 40).await;
    ui.press("go");
    ui.shows("Launch the shop").await;
    ui.press("<Enter>");
    ui.shows("price-checker").await;
    let goal = hub.goal.unwrap();
    let backend = hub.log_in("ann").await;
    // The proposal is below the tasks.
    for _ in 0..12 {
        if ui.reversed().contains("price-checker") {
            break;
        }
        ui.press("j");
    }
    assert!(ui.reversed().contains("price-checker"), "{}", ui.picture());
    ui.press("a");
    let approved = |picture: &str| picture.contains("pproved");
    ui.until(approved).await;
    let detail = backend.goal(goal).await.unwrap();
    assert_eq!(detail.proposals[0].status.as_str(), "approved");
    assert_eq!(detail.spawned_agents.len(), 1);
}

#[tokio::test]
async fn a_conversation_in_the_background_stays_unread() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    let mut ui = TestUi::start(&hub, "ann", 140, 40).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.idle().await;
    ui.press("gt");
    hub.say(&bob, NewMessage::in_channel("dev", "Is anybody there?")).await;
    let listed = |line: &str| line.chars().take(26).collect::<String>();
    ui.until(|picture| picture.lines().map(listed).any(|line| line.contains(" #dev ") && line.contains(" 1 "))).await;
    ui.idle().await;
    let unread = |backend: std::sync::Arc<dyn crate::backend::Backend>| async move {
        backend
            .unread()
            .await
            .unwrap()
            .into_iter()
            .find(|unread| unread.name == "dev")
            .map_or(0, |unread| unread.unread)
    };
    assert_eq!(unread(hub.log_in("ann").await).await, 1);
    // Coming back reads it.
    ui.press("<Tab><Enter>");
    ui.shows("Is anybody there?").await;
    ui.until(|picture| picture.lines().map(listed).all(|line| !line.contains(" #dev ") || !line.contains(" 1 "))).await;
    ui.idle().await;
    assert_eq!(unread(hub.log_in("ann").await).await, 0);
}

#[tokio::test]
async fn nothing_is_missing_between_messages_of_the_person_and_of_others() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    ui.idle().await;
    ui.press("i");
    for number in 0..5 {
        // The message of bob is there first, and ann does not know of it when she sends hers.
        hub.say(&bob, NewMessage::in_channel("dev", format!("theirs {number}"))).await;
        ui.press(&format!("mine {number}<Enter>"));
        ui.shows(&format!("mine {number}")).await;
    }
    let all = |picture: &str| (0..5).all(|number| picture.contains(&format!("theirs {number}")));
    ui.until(all).await;
}

#[tokio::test]
async fn a_conversation_between_others_is_read() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    hub.say(&bob, NewMessage::to("scout", "The zebra plan is ready.")).await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gszebra<Enter>");
    ui.shows("1 message").await;
    // To the results, and to the message.
    ui.press("<Enter><Enter>");
    let picture = ui.until(|picture| picture.contains("@bob and @scout") && picture.contains("zebra plan")).await;
    assert!(!picture.contains("Write to"), "{picture}");
    for keys in ["i", "r", "e", "d", "m"] {
        hub.clock.advance(Duration::from_mins(1));
        assert!(!ui.picture().contains("can only be read"));
        ui.press(keys);
        assert!(ui.picture().contains("can only be read"), "{keys}\n{}", ui.picture());
    }
    // It is live, and its threads can be read.
    hub.say(&bob, NewMessage::to("scout", "And the second part.")).await;
    ui.shows("And the second part.").await;
    ui.press("t");
    ui.shows("Thread in @bob and @scout").await;
}

#[tokio::test]
async fn a_channel_that_was_never_read_has_a_mark_at_its_first_message() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gcjj<Enter>");
    let picture = ui.shows("Rotate the keys").await;
    let new = picture.lines().position(|line| line.contains("── new ──"));
    let first = picture.lines().position(|line| line.contains("Move the build"));
    assert!(new.is_some() && new < first, "{picture}");
}

#[tokio::test]
async fn a_file_is_saved_first_and_opened_when_asked_again() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    let directory = tempfile::tempdir().unwrap();
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.runner.ui.shared.downloads = directory.path().to_owned();
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    for (name, opens) in [("notes.txt", true), ("tool.sh", false)] {
        let file = hub.hub.attachments().upload(&bob, name, name.as_bytes()).await.unwrap();
        let attachments = Some(vec![file.hash]);
        hub.say(&bob, NewMessage { attachments, ..NewMessage::in_channel("dev", format!("See {name}")) }).await;
        ui.shows(name).await;
        ui.press("G");
        ui.idle().await;
        ui.press("o");
        ui.shows("Saved as").await;
        let path = directory.path().join(name);
        assert_eq!(tokio::fs::read_to_string(&path).await.unwrap(), name);
        assert!(ui.runner.outside.is_empty(), "{name} is not opened at once");
        ui.press("o");
        ui.idle().await;
        let opened = std::mem::take(&mut ui.runner.outside);
        let is_opened = matches!(opened.as_slice(), [Outside::Open(target)] if *target == path.display().to_string());
        assert_eq!(is_opened, opens, "{name}");
    }
}

#[tokio::test]
async fn the_help_has_the_key_of_the_other_part() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gr");
    ui.shows("scout").await;
    for keys in ["<Enter>", "gd"] {
        ui.press(keys);
        ui.idle().await;
        ui.press("?");
        assert!(ui.picture().contains("other part"), "{keys}\n{}", ui.picture());
        ui.press("<Esc>");
    }
}
