//! What an archive says of itself: the header before the rows, the manifest after everything.

use serde::{Deserialize, Serialize};

use super::catalogue::TableShape;
use crate::error::{Error, Result};
use crate::store::db::{Db, Engine};
use crate::timestamp::Timestamp;

/// The version of the archive format.
pub(super) const FORMAT: u32 = 1;

pub(super) const HEADER: &str = "svc-backup.json";
pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const SEAL: &str = "manifest.sha256";
pub(super) const KEY: &str = "key.json";
pub(super) const TABLES: &str = "tables/";
pub(super) const FILES: &str = "files/";

/// The first entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    format: u32,
    /// The version of the program that wrote it.
    pub(crate) hub_version: String,
    /// The number of the newest migration of the store.
    pub(crate) schema: i64,
    /// The hub that the store belongs to.
    pub(crate) hub_id: String,
    /// The engine that the rows were read from.
    pub(crate) engine: Engine,
    pub(crate) created_at: Timestamp,
    pub(crate) tables: Vec<TableShape>,
}

/// The parts of a header that the program does not know itself.
pub(crate) struct NewHeader {
    pub(crate) schema: i64,
    pub(crate) hub_id: String,
    pub(crate) engine: Engine,
    pub(crate) created_at: Timestamp,
    pub(crate) tables: Vec<TableShape>,
}

impl Header {
    pub(crate) fn new(new: NewHeader) -> Self {
        let NewHeader { schema, hub_id, engine, created_at, tables } = new;
        let hub_version = env!("CARGO_PKG_VERSION").to_owned();
        // As it is written, so that the header is equal to the one that is read.
        let created_at = Timestamp::from_micros(created_at.as_micros().div_euclid(1_000) * 1_000);
        Self { format: FORMAT, hub_version, schema, hub_id, engine, created_at, tables }
    }

    /// Reads a header. One of a later version is refused before anything else in it is looked at.
    pub(super) fn parse(text: &[u8]) -> Result<Self> {
        #[derive(Deserialize)]
        struct Versions {
            format: u32,
            schema: i64,
            hub_version: String,
        }

        let unreadable = |_| damaged(HEADER, "is not a header of a backup");
        let Versions { format, schema, hub_version } = serde_json::from_slice(text).map_err(unreadable)?;
        let newest = Db::known_schema();
        if format > FORMAT || schema > newest {
            let sentence = format!(
                "This backup was written by a newer version, svc {} with schema {schema}, and this program knows up to \
                 schema {newest}: restore it with that version.",
                printable(&hub_version)
            );
            return Err(Error::conflict("backup_too_new", sentence));
        }
        serde_json::from_slice(text).map_err(unreadable)
    }
}

fn printable(text: &str) -> String {
    text.chars().filter(char::is_ascii_graphic).take(40).collect()
}

/// The last entry but one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The checksum of the header.
    pub(super) header: String,
    pub(crate) tables: Vec<TableSum>,
    /// The last number that was assigned to a row of each table.
    pub(crate) last_numbers: Vec<(String, i64)>,
    pub(crate) files: FileSum,
    /// The checksum of the sealed key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<String>,
}

/// The rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TableSum {
    pub(crate) name: String,
    pub(crate) rows: u64,
    pub(crate) bytes: u64,
    pub(super) sha256: String,
}

/// All files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileSum {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
    /// The checksum of their hashes, in their order.
    pub(super) sha256: String,
    /// Files that the store had lost already.
    pub(crate) lost: u64,
    /// The hashes of the first of those.
    pub(crate) lost_hashes: Vec<String>,
}

/// A key that a passphrase opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SealedKey {
    pub(crate) cipher: String,
    pub(crate) salt: String,
    pub(crate) sealed: String,
}

/// The error for an entry that is not as it was written.
pub(super) fn damaged(entry: &str, what: &str) -> Error {
    let shown = |letter: char| if letter.is_ascii_graphic() || letter == ' ' { letter } else { '?' };
    let entry: String = entry.chars().map(shown).take(200).collect();
    let sentence = format!("The backup is damaged: {entry} {what}. Use another backup.");
    Error::conflict("backup_damaged", sentence)
}
