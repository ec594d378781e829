//! Backups: empty places to restore them to, and a look into archives.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};
use svc_core::backups::NewBackup;
use svc_core::db::Engine;
use svc_core::{Caller, Hub, HubConfig};
use tempfile::TempDir;

use super::child::{Ran, TestChild};
use super::postgres::shared_cluster;
use super::server::TestServer;

/// An empty data directory, with an empty database for PostgreSQL.
pub(crate) struct EmptyPlace {
    pub(crate) folder: TempDir,
    pub(crate) database: Option<String>,
}

impl EmptyPlace {
    /// `None` on a machine without PostgreSQL.
    pub(crate) async fn of(engine: Engine) -> Option<Self> {
        let database = match engine {
            Engine::Sqlite => None,
            Engine::Postgres => Some(shared_cluster()?.empty_database().await),
        };
        Some(Self { folder: TempDir::new().unwrap(), database })
    }

    pub(crate) fn data(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn config(&self) -> HubConfig {
        let config = HubConfig::at(self.data());
        match &self.database {
            Some(url) => config.with_store(url).unwrap(),
            None => config,
        }
    }

    /// Runs `svc-admin backup restore` with more arguments.
    pub(crate) async fn restore(&self, archive: &Path, more: &[&str]) -> Ran {
        let mut all = vec!["--data".to_owned(), self.data().display().to_string()];
        all.extend(["backup".into(), "restore".into(), archive.display().to_string()]);
        if let Some(url) = &self.database {
            all.extend(["--database-url".to_owned(), url.clone()]);
        }
        all.extend(more.iter().map(|argument| (*argument).to_owned()));
        run(all).await
    }

    /// Backs up what was restored here, with a hub on which nothing happens meanwhile.
    pub(crate) async fn backed_up(&self, folder: &Path, name: &str) -> PathBuf {
        let hub = Hub::open(self.config()).await.unwrap();
        let archive = folder.join(name);
        let out = Box::new(std::fs::File::create(&archive).unwrap());
        hub.backups().create(&Caller::root(), NewBackup::without_key(), out, Arc::new(|_| {})).await.unwrap();
        hub.close().await;
        archive
    }

    /// A server on what was restored here.
    pub(crate) async fn serve(&self) -> TestServer {
        let (data, store) = (self.data().to_owned(), self.config().store_url());
        TestServer::start(move |config| {
            config.hub.data = data;
            config.hub.store = Some(store);
        })
        .await
    }

    /// Whether nothing of a restore is left: no store, no files, no key.
    pub(crate) fn is_untouched(&self) -> bool {
        let names = std::fs::read_dir(self.data()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<PathBuf> = names.map(PathBuf::from).filter(|name| name != Path::new("room.reserve")).collect();
        left.is_empty()
    }
}

/// Runs `svc-admin` without a server.
pub(crate) async fn run(arguments: Vec<String>) -> Ran {
    let run = move || {
        let all: Vec<_> = arguments.iter().map(String::as_str).collect();
        TestChild::run_with("svc-admin", &all, b"")
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// The other engine.
pub(crate) fn other(engine: Engine) -> Engine {
    match engine {
        Engine::Sqlite => Engine::Postgres,
        Engine::Postgres => Engine::Sqlite,
    }
}

/// The entries of an archive by name.
pub(crate) fn entries(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let decoder = zstd::Decoder::new(std::fs::File::open(archive).unwrap()).unwrap();
    let mut all = Vec::new();
    for entry in tar::Archive::new(decoder).entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        all.push((name, content));
    }
    all
}

/// Writes an archive of these entries.
pub(crate) fn write_entries(path: &Path, entries: &[(String, Vec<u8>)]) {
    let file = File::options().read(true).write(true).create(true).truncate(true).open(path).unwrap();
    let mut encoder = zstd::Encoder::new(file, 1).unwrap();
    encoder.include_checksum(true).unwrap();
    let mut archive = tar::Builder::new(encoder);
    for (name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o600);
        // Names that the builder would refuse are written as they are.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, content.as_slice()).unwrap();
    }
    let mut file = archive.into_inner().unwrap().finish().unwrap();
    file.rewind().unwrap();
    let mut whole = Vec::new();
    file.read_to_end(&mut whole).unwrap();
    // The trailer: a frame that zstd skips.
    file.write_all(&[0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]).unwrap();
    file.write_all(&Sha256::digest(&whole)).unwrap();
}

/// The rows of all tables in a form that does not depend on the engine: columns by name, documents with sorted keys,
/// rows in order.
pub(crate) fn tables(archive: &Path) -> BTreeMap<String, Vec<String>> {
    let entries = entries(archive);
    let header: Value = serde_json::from_slice(&entries[0].1).unwrap();
    let columns: BTreeMap<&str, Vec<&str>> = header["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| {
            let columns = table["columns"].as_array().unwrap().iter();
            (table["name"].as_str().unwrap(), columns.map(|column| column["name"].as_str().unwrap()).collect())
        })
        .collect();
    let mut tables: BTreeMap<String, Vec<String>> =
        columns.keys().map(|table| ((*table).to_owned(), Vec::new())).collect();
    for (name, content) in &entries {
        let Some(table) = name.strip_prefix("tables/").and_then(|rest| rest.split('/').next()) else { continue };
        for line in std::str::from_utf8(content).unwrap().lines() {
            let values: Vec<Value> = serde_json::from_str(line).unwrap();
            // Only SQLite has this worker.
            if values.first().is_some_and(|name| name == "search_indexer") {
                continue;
            }
            let row: BTreeMap<_, _> = columns[table].iter().zip(values.into_iter().map(canonical)).collect();
            tables.get_mut(table).unwrap().push(serde_json::to_string(&row).unwrap());
        }
    }
    for rows in tables.values_mut() {
        rows.sort();
    }
    tables
}

/// A document in text, with sorted keys; everything else as it is.
fn canonical(value: Value) -> Value {
    match &value {
        Value::String(text) if text.starts_with(['{', '[']) => match serde_json::from_str::<Value>(text) {
            Ok(document) => Value::String(document.to_string()),
            Err(_) => value,
        },
        _ => value,
    }
}

/// Compares all tables and names the first that differs.
#[track_caller]
pub(crate) fn assert_same_tables(one: &Path, other: &Path) {
    let (one, other) = (tables(one), tables(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (table, rows) in one {
        assert_eq!(rows, other[&table], "the rows of {table} differ");
    }
}
