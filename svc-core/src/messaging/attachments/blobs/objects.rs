//! Blobs in the `object_store` crate: a local directory or a bucket.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::BytesMut;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::prefix::PrefixStore;
use object_store::{
    GetOptions, GetResult, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
};
use serde::{Deserialize, Serialize};
use svc_macros::boxed_futures;
use svc_model::attachments::ContentHash;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{BlobAside, BlobStamp, BlobStore, BlobStream, OpenBlob, StoredBlob, directory};
use crate::error::{Error, Result};
use crate::timestamp::Timestamp;

/// The directory inside the data directory.
pub(crate) const DIRECTORY: &str = "blobs";
/// The directory of the trash; its entries are named `trash/HASH/MICROSECONDS`.
const TRASH: &str = "trash";
/// The object that records the hub that the store belongs to.
const OWNER: &str = "hub.json";
/// The maximum size of [`OWNER`] in bytes.
const OWNER_MAX: u64 = 4096;
/// Bytes sent to the store at once: the minimum part size of S3.
const PART: usize = 5 * 1024 * 1024;
/// Bytes read from a file at once.
const PIECE: usize = 256 * 1024;
/// The time limit for the first answer of a bucket.
pub(super) const FIRST_ANSWER: Duration = Duration::from_secs(15);

/// The content of [`OWNER`].
#[derive(Serialize, Deserialize)]
struct Owner {
    hub: String,
}

/// Blobs in an object store, named `ab/abcd…`.
#[derive(Debug, Clone)]
pub struct ObjectBlobs {
    store: Arc<dyn ObjectStore>,
    /// The directory, for a local store.
    directory: Option<PathBuf>,
}

/// The directory of files if no bucket is configured.
pub(crate) fn local_directory(data: &Path) -> PathBuf {
    data.join(DIRECTORY)
}

/// The configured store.
pub(crate) async fn open(data: &Path, url: Option<&str>) -> Result<Arc<dyn super::BlobStore>> {
    let blobs = match url {
        None => ObjectBlobs::at(&local_directory(data)).await?,
        Some(url) => ObjectBlobs::bucket(url).await?,
    };
    Ok(Arc::new(blobs))
}

#[boxed_futures]
impl ObjectBlobs {
    /// Blobs in any object store.
    pub fn new(store: Arc<dyn ObjectStore>) -> Self {
        Self { store, directory: None }
    }

    /// Blobs in a directory, which is created if it is missing.
    pub async fn at(directory: &Path) -> Result<Self> {
        let explain = |source: Box<dyn std::error::Error + Send + Sync>| {
            let sentence = format!(
                "The directory of the files, {}, cannot be used. Make sure that this user may read and write it.",
                directory.display()
            );
            Error::unavailable("blob_directory", sentence).with_source(Cause(source))
        };
        let mut builder = tokio::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        builder.mode(0o700);
        builder.create(directory).await.map_err(|error| explain(error.into()))?;
        let store = LocalFileSystem::new_with_prefix(directory).map_err(|error| explain(error.into()))?;
        Ok(Self { store: Arc::new(store.with_fsync(true)), directory: Some(directory.to_owned()) })
    }

    /// The entry of a blob in the trash; the newest, if it was removed several times.
    async fn newest_aside(&self, hash: &ContentHash) -> Result<Option<BlobAside>> {
        let all = ObjectPath::from_iter([TRASH, hash.as_str()]);
        let found: Vec<_> = self.store.list(Some(&all)).try_collect().await.map_err(unavailable)?;
        Ok(found.iter().filter_map(|found| aside(&found.location)).max_by_key(|aside| aside.since))
    }

    /// The file of an object, for a local store.
    fn file(&self, object_path: &ObjectPath) -> Option<PathBuf> {
        let mut path = self.directory.clone()?;
        path.extend(object_path.parts().map(|part| part.as_ref().to_owned()));
        Some(path)
    }

    /// Blobs in a bucket, `s3://bucket/prefix`. It is queried once, so that a misconfiguration is
    /// noticed at the start.
    async fn bucket(url: &str) -> Result<Self> {
        let (bucket, prefix) = parse(url)?;
        let blobs = Self::new(Arc::new(PrefixStore::new(s3(bucket)?, prefix)));
        let silent = || {
            let sentence = format!(
                "The bucket {bucket} does not answer. Check --blob-url and the variables AWS_ENDPOINT, AWS_REGION, \
                 AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
            );
            Error::unavailable("blob_store_unavailable", sentence)
        };
        let first = tokio::time::timeout(FIRST_ANSWER, async { blobs.list().next().await }).await;
        match first {
            Ok(Some(Err(error))) => Err(silent().with_source(error)),
            Err(_) => Err(silent()),
            Ok(None | Some(Ok(_))) => Ok(blobs),
        }
    }
}

/// The bucket and the prefix of `s3://bucket/prefix`.
pub(super) fn parse(url: &str) -> Result<(&str, ObjectPath)> {
    let refuse = || Error::invalid("blob_url", "must be s3://BUCKET or s3://BUCKET/PREFIX");
    let rest = url.strip_prefix("s3://").ok_or_else(refuse)?;
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let sane = (3..=63).contains(&bucket.len())
        && bucket.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte));
    if !sane || prefix.contains(['?', '#']) {
        return Err(refuse());
    }
    Ok((bucket, ObjectPath::parse(prefix.trim_matches('/')).map_err(|_| refuse())?))
}

/// The address of the S3 service by the variables of the environment; `None` for that of Amazon.
#[cfg(feature = "s3")]
pub(crate) fn endpoint() -> Option<String> {
    endpoint_of(&object_store::aws::AmazonS3Builder::from_env())
}

/// Always `None`: this build does not include S3.
#[cfg(not(feature = "s3"))]
pub(crate) fn endpoint() -> Option<String> {
    None
}

#[cfg(feature = "s3")]
fn endpoint_of(builder: &object_store::aws::AmazonS3Builder) -> Option<String> {
    use object_store::aws::AmazonS3ConfigKey;

    let keys = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
    keys.iter().find_map(|key| builder.get_config_value(key))
}

#[cfg(feature = "s3")]
pub(super) fn s3(bucket: &str) -> Result<impl ObjectStore + use<>> {
    use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
    use object_store::{BackoffConfig, ClientConfigKey, RetryConfig};

    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: 4,
        retry_timeout: Duration::from_secs(30),
    });
    // Downloads of large files by slow clients need a long timeout.
    let patience = format!("{}s", crate::limits::BLOB_TIMEOUT.as_secs());
    builder = builder.with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), patience);
    if endpoint_of(&builder).is_some_and(|endpoint| endpoint.starts_with("http://")) {
        builder = builder.with_allow_http(true);
    }
    builder.build().map_err(|error| {
        let sentence = "The bucket of --blob-url cannot be used. Make sure that the variables AWS_* are correct.";
        Error::unavailable("blob_store_unavailable", sentence).with_source(error)
    })
}

#[cfg(not(feature = "s3"))]
pub(super) fn s3(_: &str) -> Result<object_store::memory::InMemory> {
    Err(Error::invalid("blob_url", "is a bucket, but this build of svc does not include S3"))
}

fn too_short() -> Error {
    Error::internal("a blob file became shorter while it was read")
}

/// A boxed error as the source of another.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Cause(Box<dyn std::error::Error + Send + Sync>);

fn object_path(hash: &ContentHash) -> ObjectPath {
    let hash = hash.as_str();
    ObjectPath::from_iter([&hash[..2], hash])
}

fn trash_path(aside: &BlobAside) -> ObjectPath {
    ObjectPath::from_iter([TRASH, aside.hash.as_str(), &aside.since.as_micros().to_string()])
}

/// The trash entry at this path, if it is one.
fn aside(location: &ObjectPath) -> Option<BlobAside> {
    let names: Vec<_> = location.parts().collect();
    let [_, hash, since] = names.as_slice() else { return None };
    let hash = hash.as_ref().parse().ok()?;
    Some(BlobAside { hash, since: Timestamp::from_micros(since.as_ref().parse().ok()?) })
}

/// The version of an object, as its store reports it.
fn stamp_of(meta: &ObjectMeta) -> BlobStamp {
    let ObjectMeta { size, e_tag, version, last_modified, .. } = meta;
    BlobStamp { size: *size, version: format!("{e_tag:?} {version:?} {}", last_modified.timestamp_micros()) }
}

/// The version of an opened object; for a file, that of the opened handle.
fn stamp_of_opened(found: &GetResult) -> Result<BlobStamp> {
    match &found.payload {
        GetResultPayload::File(file, _) => Ok(directory::stamp(&file.metadata().map_err(unavailable)?)),
        GetResultPayload::Stream(_) => Ok(stamp_of(&found.meta)),
    }
}

pub(super) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::unavailable("blob_store_unavailable", "The file store does not answer. Try again later.").with_source(error)
}

fn missing_or(error: object_store::Error) -> Error {
    match error {
        object_store::Error::NotFound { .. } => Error::not_found("attachment"),
        other => unavailable(other),
    }
}

/// Stores the content of a file under a name, all of it or nothing.
pub(super) async fn upload(store: &Arc<dyn ObjectStore>, name: ObjectPath, file: &Path) -> Result<()> {
    let mut reader = tokio::fs::File::open(file).await.map_err(unavailable)?;
    let mut writer = BufWriter::with_capacity(store.clone(), name, PART).with_max_concurrency(1);
    loop {
        let mut piece = BytesMut::with_capacity(PIECE);
        let read = reader.read_buf(&mut piece).await.map_err(unavailable)?;
        if read == 0 {
            break;
        }
        if let Err(error) = writer.put(piece.freeze()).await {
            // The parts sent so far are useless; the first error is returned.
            drop(writer.abort().await);
            return Err(unavailable(error));
        }
    }
    writer.shutdown().await.map_err(unavailable)
}

#[async_trait]
impl BlobStore for ObjectBlobs {
    async fn put(&self, hash: &ContentHash, file: &Path) -> Result<()> {
        upload(&self.store, object_path(hash), file).await
    }

    async fn get(&self, hash: &ContentHash, range: Range<u64>) -> Result<OpenBlob> {
        if range.is_empty() {
            let stamp = self.stamp(hash).await?.ok_or_else(|| Error::not_found("attachment"))?;
            return Ok(OpenBlob { stamp, pieces: Box::pin(stream::empty()) });
        }
        let options = GetOptions::new().with_range(Some(range));
        let found = self.store.get_opts(&object_path(hash), options).await.map_err(missing_or)?;
        let stamp = stamp_of_opened(&found)?;
        let pieces = found.into_stream().map_err(unavailable);
        if self.directory.is_none() {
            return Ok(OpenBlob { stamp, pieces: Box::pin(pieces) });
        }
        // A file that has become shorter must not be read forever.
        let pieces: BlobStream = Box::pin(
            pieces.and_then(|piece| std::future::ready(if piece.is_empty() { Err(too_short()) } else { Ok(piece) })),
        );
        Ok(OpenBlob { stamp, pieces })
    }

    async fn stamp(&self, hash: &ContentHash) -> Result<Option<BlobStamp>> {
        if let Some(path) = self.file(&object_path(hash)) {
            return match tokio::fs::metadata(&path).await {
                Ok(metadata) if metadata.is_file() => Ok(Some(directory::stamp(&metadata))),
                Ok(_) => Ok(None),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(unavailable(error)),
            };
        }
        match self.store.head(&object_path(hash)).await {
            Ok(found) => Ok(Some(stamp_of(&found))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn set_aside(&self, hash: &ContentHash, now: Timestamp) -> Result<()> {
        let aside = BlobAside { hash: hash.clone(), since: now };
        match self.store.rename(&object_path(hash), &trash_path(&aside)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn bring_back(&self, hash: &ContentHash) -> Result<bool> {
        let Some(newest) = self.newest_aside(hash).await? else { return Ok(false) };
        match self.store.rename(&trash_path(&newest), &object_path(hash)).await {
            Ok(()) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn get_aside(&self, hash: &ContentHash) -> Result<Option<BlobStream>> {
        let Some(newest) = self.newest_aside(hash).await? else { return Ok(None) };
        match self.store.get(&trash_path(&newest)).await {
            Ok(found) => Ok(Some(Box::pin(found.into_stream().map_err(unavailable)))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn delete(&self, aside: &BlobAside) -> Result<()> {
        let object_path = trash_path(aside);
        match self.store.delete(&object_path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(unavailable(error)),
        }
        if let Some(folder) = self.file(&object_path).as_deref().and_then(Path::parent) {
            // The directory stays if it is not empty.
            drop(tokio::fs::remove_dir(folder).await);
        }
        Ok(())
    }

    fn list(&self) -> Pin<Box<dyn Stream<Item = Result<StoredBlob>> + Send + '_>> {
        // Objects that are not named like a blob do not belong to the hub.
        let blobs = self.store.list(None).map_err(unavailable).try_filter_map(|found| async move {
            let hash = found.location.filename().and_then(|name| name.parse::<ContentHash>().ok());
            let hash = hash.filter(|hash| object_path(hash) == found.location);
            let modified_at = Timestamp::from_micros(found.last_modified.timestamp_micros());
            Ok(hash.map(|hash| StoredBlob { hash, size: found.size, modified_at }))
        });
        Box::pin(blobs)
    }

    fn list_aside(&self) -> Pin<Box<dyn Stream<Item = Result<BlobAside>> + Send + '_>> {
        let found = self.store.list(Some(&ObjectPath::from(TRASH))).map_err(unavailable);
        Box::pin(found.try_filter_map(|found| std::future::ready(Ok(aside(&found.location)))))
    }

    async fn owner(&self) -> Result<Option<String>> {
        let unreadable = || {
            let sentence = format!(
                "{OWNER} in the file store cannot be read. Restore it from a backup, or remove it if the \
                 files belong to this hub."
            );
            Error::unavailable("file_store_unreadable", sentence)
        };
        let found = match self.store.get(&ObjectPath::from(OWNER)).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        if found.meta.size > OWNER_MAX {
            return Err(unreadable());
        }
        let text = found.bytes().await.map_err(unavailable)?;
        let owner: Owner = serde_json::from_slice(&text).map_err(|error| unreadable().with_source(error))?;
        Ok(Some(owner.hub))
    }

    async fn set_owner(&self, hub: &str, replace: bool) -> Result<()> {
        let owner = Owner { hub: hub.to_owned() };
        let text = serde_json::to_vec(&owner).map_err(|error| Error::internal(error.to_string()))?;
        let object_path = ObjectPath::from(OWNER);
        let put = async |mode: PutMode| {
            let options = PutOptions { mode, ..PutOptions::default() };
            self.store.put_opts(&object_path, PutPayload::from(text.clone()), options).await
        };
        if replace {
            return put(PutMode::Overwrite).await.map(drop).map_err(unavailable);
        }
        match put(PutMode::Create).await {
            Ok(_) | Err(object_store::Error::AlreadyExists { .. }) => Ok(()),
            // Without conditional writes, the second writer reads the id of another hub and fails.
            Err(object_store::Error::NotImplemented { .. }) => match self.owner().await? {
                Some(_) => Ok(()),
                None => put(PutMode::Overwrite).await.map(drop).map_err(unavailable),
            },
            Err(error) => Err(unavailable(error)),
        }
    }

    async fn tidy(&self, before: Timestamp) -> Result<()> {
        match &self.directory {
            Some(directory) => directory::remove_drafts(directory, before).await.map_err(unavailable),
            // Buckets have lifecycle rules for unfinished uploads.
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_named_by_its_address() {
        assert_eq!(parse("s3://files").unwrap(), ("files", ObjectPath::default()));
        assert_eq!(parse("s3://files/svc/one/").unwrap(), ("files", ObjectPath::from("svc/one")));
        for url in [
            "",
            "files",
            "s3:",
            "s3://",
            "s3:///a",
            "http://files",
            "s3://Files",
            "s3://a b c",
            "s3://abc/../x",
            "s3://abc/a?b",
        ] {
            let error = parse(url).unwrap_err();
            assert_eq!(error.fields()[0].field, "blob_url", "{url}");
        }
    }
}
