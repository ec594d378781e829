//! Pictures of every screen, in a small and in a wide window.

use super::TestUi;
use super::hub::TestHub;

/// Compares the picture of a screen with the one that was looked at.
macro_rules! picture {
    ($name:literal, $keys:literal, $expected:literal) => {
        picture!($name, $keys, $expected, "");
    };
    ($name:literal, $keys:literal, $expected:literal, $then:literal) => {
        let hub = TestHub::filled().await;
        for (columns, rows) in [(80, 24), (140, 40)] {
            let mut ui = TestUi::start(&hub, "ann", columns, rows).await;
            ui.press($keys);
            ui.until(|picture| picture.contains($expected) && !picture.contains("Loading")).await;
            ui.idle().await;
            ui.press($then);
            let picture = ui.idle().await;
            insta::assert_snapshot!(concat!($name, "_", "{}").replace("{}", &format!("{columns}x{rows}")), picture);
        }
    };
}

#[tokio::test]
async fn today() {
    picture!("today", "gt", "price-checker");
}

#[tokio::test]
async fn conversation() {
    picture!("conversation", "gc<Enter>", "are fine");
}

#[tokio::test]
async fn thread() {
    picture!("thread", "gc<Enter>", "are fine", "ggt");
}

#[tokio::test]
async fn composer() {
    picture!("composer", "gc<Enter>", "are fine", "iHello @bo<Tab>and 日本<A-Enter>second line");
}

#[tokio::test]
async fn conversations() {
    picture!("conversations", "gc", "Direct messages");
}

#[tokio::test]
async fn board() {
    picture!("board", "gb", "Move the build");
}

#[tokio::test]
async fn search() {
    picture!("search", "gsrelease<Enter>", "1 ");
}

#[tokio::test]
async fn agents() {
    picture!("agents", "ga", "scout");
}

#[tokio::test]
async fn runs() {
    picture!("runs", "gr", "scout");
}

#[tokio::test]
async fn run() {
    picture!("run", "gr", "scout", "<Enter>");
}

#[tokio::test]
async fn goals() {
    picture!("goals", "go", "Launch the shop");
}

#[tokio::test]
async fn goal() {
    picture!("goal", "go", "Launch the shop", "<Enter>");
}

#[tokio::test]
async fn wiki() {
    picture!("wiki", "gw", "Rollback");
}

#[tokio::test]
async fn article() {
    picture!("article", "gw", "Rollback", "j<Enter>");
}

#[tokio::test]
async fn dead_letters() {
    picture!("dead_letters", "gd", "ead letters");
}

#[tokio::test]
async fn machines() {
    picture!("machines", "gm", "achines");
}

#[tokio::test]
async fn help() {
    picture!("help", "gc<Enter>", "are fine", "?");
}

#[tokio::test]
async fn palette() {
    picture!("palette", "<C-k>", "Runs", "gen");
}

#[tokio::test]
async fn reactions() {
    picture!("reactions", "gc<Enter>", "are fine", "e");
}

#[tokio::test]
async fn an_empty_hub() {
    let hub = TestHub::empty().await;
    let mut ui = TestUi::start(&hub, "bob", 80, 24).await;
    let mut pictures = Vec::new();
    for keys in ["gt", "gc", "gb", "ga", "gr", "go", "gw", "gd", "gm"] {
        ui.press(keys);
        pictures.push(ui.idle().await);
    }
    insta::assert_snapshot!("empty_80x24", pictures.join("\n\n"));
}
