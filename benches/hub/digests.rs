//! Digests of the tables in an archive, which depend neither on the engine nor on the order of rows and columns.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The number of rows of each table, and the sum of their hashes.
pub(crate) type Digests = BTreeMap<String, (u64, u128)>;

/// The worker that only SQLite has.
const ONLY_SQLITE: &str = "search_indexer";

/// The digests of an archive.
pub(crate) async fn digests(archive: &Path) -> Digests {
    let archive = archive.to_owned();
    tokio::task::spawn_blocking(move || read(&archive)).await.expect("the archive is read")
}

fn read(archive: &Path) -> Digests {
    let file = File::open(archive).expect("the archive is there");
    let decoder = zstd::Decoder::new(file).expect("it is compressed");
    let mut archive = tar::Archive::new(decoder);
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut digests = Digests::new();
    for entry in archive.entries().expect("it has entries") {
        let mut entry = entry.expect("it has a next entry");
        let name = entry.path().expect("it has a name").display().to_string();
        if columns.is_empty() {
            columns = columns_of(&whole(&mut entry));
            digests.extend(columns.keys().map(|table| (table.clone(), (0, 0))));
            continue;
        }
        let Some(table) = name.strip_prefix("tables/").and_then(|rest| rest.split('/').next()) else { continue };
        let (rows, sum) = digests.get_mut(table).expect("the header names it");
        for line in whole(&mut entry).split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let values: Vec<Value> = serde_json::from_slice(line).expect("a row is an array");
            if values.first().is_some_and(|value| value == ONLY_SQLITE) {
                continue;
            }
            *rows += 1;
            *sum = sum.wrapping_add(hash(&columns[table], values));
        }
    }
    digests
}

fn whole(entry: &mut impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).expect("it can be read");
    bytes
}

/// The columns of every table, from the header.
fn columns_of(header: &[u8]) -> BTreeMap<String, Vec<String>> {
    let header: Value = serde_json::from_slice(header).expect("the header is JSON");
    let name = |value: &Value| value["name"].as_str().expect("it has a name").to_owned();
    let tables = header["tables"].as_array().expect("it lists tables").iter();
    tables
        .map(|table| {
            let columns = table["columns"].as_array().expect("it lists columns").iter();
            (name(table), columns.map(name).collect())
        })
        .collect()
}

/// The hash of a row: its columns by name, documents with sorted keys.
fn hash(columns: &[String], values: Vec<Value>) -> u128 {
    let row: BTreeMap<_, _> = columns.iter().zip(values.into_iter().map(canonical)).collect();
    let digest = Sha256::digest(serde_json::to_vec(&row).expect("it is JSON"));
    digest.iter().take(16).fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
}

/// PostgreSQL has its own order of keys in documents.
fn canonical(value: Value) -> Value {
    match &value {
        Value::String(text) if text.starts_with(['{', '[']) => match serde_json::from_str::<Value>(text) {
            Ok(document) => Value::String(document.to_string()),
            Err(_) => value,
        },
        _ => value,
    }
}
