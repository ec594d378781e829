//! SQLite files for tests: copies of one in which nothing happened but the migrations, because a copy takes a
//! fraction of the time that the migrations take.

use std::path::Path;
use std::sync::Arc;

use svc_core::HubConfig;
use svc_core::db::{Db, StoreUrl};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use super::clock::TestClock;

/// Puts a store with every table and no hub into a data directory.
pub(crate) async fn put_migrated_file(data: &Path) {
    static TEMPLATE: OnceCell<Vec<u8>> = OnceCell::const_new();
    let template = TEMPLATE.get_or_init(async || {
        let elsewhere = TempDir::new().unwrap();
        let url = HubConfig::at(elsewhere.path()).store_url();
        Db::migrate_offline(&url, Arc::new(TestClock::new())).await.unwrap();
        tokio::fs::read(file(url)).await.unwrap()
    });
    tokio::fs::write(file(HubConfig::at(data).store_url()), template.await).await.unwrap();
}

fn file(url: StoreUrl) -> std::path::PathBuf {
    let StoreUrl::Sqlite(path) = url else { panic!("a store is a file by default, and not {url}") };
    path
}
