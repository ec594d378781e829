//! What the tests stand on: a hub with a clock that is moved by hand, both engines, child processes.

pub(crate) mod admin;
pub(crate) mod blobs;
pub(crate) mod child;
pub(crate) mod clock;
pub(crate) mod disk;
pub(crate) mod files;
pub(crate) mod held;
pub(crate) mod hub;
pub(crate) mod machines;
pub(crate) mod mcp;
pub(crate) mod mcp_http;
pub(crate) mod oauth;
pub(crate) mod people;
pub(crate) mod pipe;
pub(crate) mod postgres;
pub(crate) mod rooms;
pub(crate) mod server;
pub(crate) mod sqlite;
pub(crate) mod sse;
pub(crate) mod talk;
pub(crate) mod wait;

/// Runs one story on SQLite and on PostgreSQL, as two tests under the story's name.
macro_rules! on_both_engines {
    ($(async fn $name:ident($hub:ident: $type:ty) $body:block)*) => {$(
        mod $name {
            use super::*;

            async fn story($hub: $type) $body

            #[tokio::test(flavor = "multi_thread")]
            async fn sqlite() {
                story(<$type>::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn postgres() {
                if let Some(hub) = <$type>::postgres().await {
                    story(hub).await;
                }
            }
        }
    )*};
}
