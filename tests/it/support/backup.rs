//! Backups: empty places to restore them to, and a look into archives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
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
        run(self.restore_arguments(archive, more)).await
    }

    /// The arguments of `svc-admin` that restore an archive here.
    pub(crate) fn restore_arguments(&self, archive: &Path, more: &[&str]) -> Vec<String> {
        let mut all = vec!["--data".to_owned(), self.data().display().to_string()];
        all.extend(["backup".into(), "restore".into(), archive.display().to_string()]);
        if let Some(url) = &self.database {
            all.extend(["--database-url".to_owned(), url.clone()]);
        }
        all.extend(more.iter().map(|argument| (*argument).to_owned()));
        all
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

fn sha256(bytes: &[u8]) -> String {
    svc_core::clock::hex(&Sha256::digest(bytes))
}

/// Changes the manifest, and makes all checksums fit the entries.
pub(crate) fn seal(entries: &mut [(String, Vec<u8>)], change: impl FnOnce(&mut Value)) {
    let count = entries.len();
    let mut manifest: Value = serde_json::from_slice(&entries[count - 2].1).unwrap();
    manifest["header"] = json!(sha256(&entries[0].1));
    change(&mut manifest);
    entries[count - 2].1 = serde_json::to_vec(&manifest).unwrap();
    entries[count - 1].1 = sha256(&entries[count - 2].1).into_bytes();
}

/// The tables, and the columns of other tables, that migrations after a schema have added.
fn added_after(schema: i64) -> (BTreeSet<String>, BTreeSet<(String, String)>) {
    let folder = crate::tidy::root().join("svc-core/migrations/sqlite");
    let (mut tables, mut columns) = (BTreeSet::new(), BTreeSet::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let version: i64 = entry.file_name().to_str().unwrap()[..4].parse().unwrap();
        if version <= schema {
            continue;
        }
        for line in std::io::read_to_string(File::open(entry.path()).unwrap()).unwrap().lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            match words.as_slice() {
                ["CREATE", "TABLE", table, ..] => {
                    tables.insert((*table).to_owned());
                }
                ["ALTER", "TABLE", table, "ADD", "COLUMN", column, ..] => {
                    columns.insert(((*table).to_owned(), (*column).to_owned()));
                }
                _ => {}
            }
        }
    }
    (tables, columns)
}

/// The entries as a program of an earlier schema would have written them: without the tables and columns that later
/// migrations have added.
pub(crate) fn of_schema(entries: &[(String, Vec<u8>)], schema: i64) -> Vec<(String, Vec<u8>)> {
    let (tables, columns) = added_after(schema);
    let mut header: Value = serde_json::from_slice(&entries[0].1).unwrap();
    header["schema"] = json!(schema);
    header["tables"].as_array_mut().unwrap().retain(|table| !tables.contains(table["name"].as_str().unwrap()));
    // The places of columns that are left out, by table.
    let mut left_out: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for table in header["tables"].as_array_mut().unwrap() {
        let name = table["name"].as_str().unwrap().to_owned();
        let is_later = |column: &Value| columns.contains(&(name.clone(), column["name"].as_str().unwrap().to_owned()));
        let all = table["columns"].as_array_mut().unwrap();
        let places = all.iter().enumerate().filter(|(_, column)| is_later(column)).map(|(place, _)| place).collect();
        all.retain(|column| !is_later(column));
        left_out.insert(name, places);
    }
    let mut older = vec![(entries[0].0.clone(), serde_json::to_vec(&header).unwrap())];
    let mut sums: BTreeMap<String, (u64, Vec<u8>)> = BTreeMap::new();
    for (name, content) in &entries[1..] {
        let table = name.strip_prefix("tables/").and_then(|rest| rest.split('/').next());
        let content = match table {
            Some(table) if tables.contains(table) => continue,
            Some(table) => {
                let content = without(content, &left_out[table]);
                let (rows, all) = sums.entry(table.to_owned()).or_default();
                *rows += content.split_inclusive(|byte| *byte == b'\n').count() as u64;
                all.extend_from_slice(&content);
                content
            }
            None => content.clone(),
        };
        older.push((name.clone(), content));
    }
    seal(&mut older, |manifest| {
        manifest["last_numbers"].as_array_mut().unwrap().retain(|last| !tables.contains(last[0].as_str().unwrap()));
        let all = manifest["tables"].as_array_mut().unwrap();
        all.retain(|table| !tables.contains(table["name"].as_str().unwrap()));
        for table in all {
            let (rows, bytes) = sums.remove(table["name"].as_str().unwrap()).unwrap_or_default();
            (table["rows"], table["bytes"]) = (json!(rows), json!(bytes.len()));
            table["sha256"] = json!(sha256(&bytes));
        }
    });
    older
}

/// Rows without the values at these places.
fn without(rows: &[u8], places: &[usize]) -> Vec<u8> {
    if places.is_empty() {
        return rows.to_vec();
    }
    let mut kept = Vec::new();
    for line in std::str::from_utf8(rows).unwrap().lines() {
        let values: Vec<Value> = serde_json::from_str(line).unwrap();
        let values = values.into_iter().enumerate().filter(|(place, _)| !places.contains(place));
        let values: Vec<_> = values.map(|(_, value)| value).collect();
        kept.extend(serde_json::to_vec(&values).unwrap());
        kept.push(b'\n');
    }
    kept
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
