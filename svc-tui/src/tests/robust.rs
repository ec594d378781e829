//! Windows of any size, texts of any kind, no colour.

use ratatui::style::Color;
use svc_core::messages::NewMessage;

use super::TestUi;
use super::hub::TestHub;
use crate::view::look::Look;

/// The keys of every screen.
const SCREENS: &[&str] = &["gt", "gc<Enter>", "gb", "gs", "<Esc>ga", "gr", "go", "gw", "gd", "gm"];

#[tokio::test]
async fn no_window_is_too_small() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    for keys in SCREENS {
        ui.press(keys);
        ui.until(|picture| !picture.contains("Loading")).await;
        for (columns, rows) in
            [(1, 1), (2, 50), (200, 1), (3, 3), (10, 5), (20, 8), (99, 24), (100, 10), (120, 4), (250, 80)]
        {
            ui.resize(columns, rows);
            ui.picture();
            ui.press("j<Enter>k<Esc>");
            for overlay in ["?", "<C-k>"] {
                ui.press(overlay);
                ui.press("<Esc>");
            }
        }
        ui.resize(80, 24);
        ui.press("<Esc><Esc>");
    }
}

#[tokio::test]
async fn control_sequences_never_reach_the_terminal() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    let evil = "a\u{1b}[2Jb\u{1b}]0;owned\u{7}c\u{9b}31md\u{202e}e\u{2066}f \u{8}\u{7f} `x\u{1b}[0m` \n\n```sh\necho \u{1b}[1m\n```";
    hub.say(&bob, NewMessage::in_channel("dev", evil)).await;
    let mut ui = TestUi::start(&hub, "ann", 140, 40).await;
    for keys in ["gt", "gc<Enter>", "gb", "gsowned<Enter>"] {
        ui.press(keys);
        ui.until(|picture| !picture.contains("Loading")).await;
        let cells = ui.cells();
        for cell in cells.content() {
            assert!(!cell.symbol().chars().any(is_dangerous), "{keys}: {:?}", cell.symbol());
        }
    }
    ui.press("<Esc><Esc>gc<Enter>");
    ui.shows("owned").await;
}

fn is_dangerous(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[tokio::test]
async fn wide_and_right_to_left_text_leaves_the_borders_in_place() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    for text in [
        "日本語のテキストは二桁の幅があります。",
        "שלום עולם, זה טקסט מימין לשמאל.",
        "👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 e\u{301}\u{302}",
        "ﷺ ﷽ ௵",
    ] {
        hub.say(&bob, NewMessage::in_channel("dev", text.repeat(6))).await;
    }
    for (columns, rows) in [(80_u16, 24_u16), (140, 40)] {
        let mut ui = TestUi::start(&hub, "ann", columns, rows).await;
        ui.press("gc<Enter>G");
        ui.shows("ﷺ").await;
        let cells = ui.cells();
        for row in 1..rows - 5 {
            let border = cells[(columns - 1, row)].symbol();
            assert!(matches!(border, "│" | "╮" | "╯"), "{columns} columns, row {row}: {border:?}\n{}", ui.picture());
        }
    }
}

#[tokio::test]
async fn without_colour_there_is_none_and_the_selection_is_visible() {
    let hub = TestHub::filled().await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.set_look(&Look::new(false));
    for keys in SCREENS {
        ui.press(keys);
        ui.until(|picture| !picture.contains("Loading")).await;
        let cells = ui.cells();
        assert!(cells.content().iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset), "{keys}");
    }
    ui.press("gr");
    ui.until(|picture| picture.contains("scout")).await;
    assert!(ui.reversed().contains("scout"));
}

#[tokio::test]
async fn the_number_of_messages_in_memory_is_bounded() {
    let hub = TestHub::filled().await;
    let bob = hub.caller("bob").await;
    let mut ui = TestUi::start(&hub, "ann", 80, 24).await;
    ui.press("gc<Enter>");
    ui.shows("are fine").await;
    for number in 0..800 {
        hub.hub.messages().send(&bob, NewMessage::in_channel("dev", format!("number {number}"))).await.unwrap();
    }
    ui.shows("number 799").await;
    // Back to the beginning, through pages that are read on the way.
    for _ in 0..200 {
        ui.press("<PageUp>");
        if ui.idle().await.contains("Good afternoon") {
            return;
        }
    }
    panic!("the beginning is not reached:\n{}", ui.picture());
}
