//! Archives of a store: one state of all tables in a form that does not depend on the engine.
//!
//! An archive is a tar archive, compressed with zstd. Its entries are, in this order:
//! 1. `svc-backup.json`, the [`Header`]: the version of everything, and the columns of every table;
//! 2. `tables/NAME/NUMBER.jsonl`, the rows of a table in parts, each row a JSON array in the order of the columns;
//! 3. `files/HASH`, the files of attachments;
//! 4. `key.json`, the encryption key of secrets under a passphrase, if it was asked for;
//! 5. `manifest.json`, the [`Manifest`]: counts and checksums of all of the above;
//! 6. `manifest.sha256`, the checksum of the manifest.
//!
//! Invariants:
//! - All rows are of one state of the store ([`snapshot`]). Memory is bounded by a part, whatever the size of a table.
//! - Every byte is covered: entries by the manifest, the manifest by its checksum, everything between by the checksum
//!   of zstd, and the file by the checksum at its end ([`trailer`]). An archive that is cut or has other bytes is refused,
//!   and the error names the entry.
//! - Everything that is read from an archive is untrusted: names, sizes, tables, columns and kinds are checked against
//!   those of this program ([`read`], [`fill`]).
//! - A store is filled in one transaction, from an archive that was read to its end ([`fill`]).

mod catalogue;
pub(crate) mod fill;
mod manifest;
mod read;
mod rows;
pub(crate) mod snapshot;
mod tables;
mod trailer;
mod write;

pub(crate) use catalogue::TableShape;
pub(crate) use fill::{Filling, Given, WordColumn};
pub(crate) use manifest::{Header, Manifest, NewHeader, SealedKey};
pub(crate) use read::{Entry, read};
pub(crate) use rows::texts_of;
pub(crate) use snapshot::{Part, Taken};
pub use tables::{kept_tables, left_out_tables};
pub(crate) use write::ArchiveWriter;
