//! Files on their way to a server and back, and what is left of them on its disk.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use futures_util::TryStreamExt;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use svc_core::attachments::ContentHash;
use svc_core::{Caller, Hub, Result};

use super::people::Person;
use super::server::TestServer;

/// What stands between the fields of a form.
pub(crate) const BOUNDARY: &str = "boundary-of-the-tests";

/// A form with a file, as a browser writes it.
pub(crate) fn form(name: &str, content: &[u8]) -> Vec<u8> {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
         Content-Type: application/octet-stream\r\n\r\n"
    );
    [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

/// A request with a form as its body.
pub(crate) fn with_form(request: RequestBuilder, form: impl Into<reqwest::Body>) -> RequestBuilder {
    request.header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}")).body(form)
}

/// A picture of one colour.
pub(crate) fn png(width: u32, height: u32, shade: u8) -> Vec<u8> {
    let mut content = Vec::new();
    let picture = DynamicImage::from(RgbImage::from_pixel(width, height, Rgb([shade, 20, 30])));
    picture.write_to(&mut Cursor::new(&mut content), ImageFormat::Png).unwrap();
    content
}

impl TestServer {
    pub(crate) async fn try_upload(&self, person: &Person, name: &str, content: &[u8]) -> Response {
        let request = self.request_as(person, Method::POST, "/api/attachments");
        with_form(request, form(name, content)).send().await.unwrap()
    }

    /// Uploads a file; returns what the server says of it.
    pub(crate) async fn upload(&self, person: &Person, name: &str, content: &[u8]) -> Value {
        uploaded(self.try_upload(person, name, content).await).await
    }

    /// The same with a key.
    pub(crate) async fn upload_with(&self, key: &str, name: &str, content: &[u8]) -> Value {
        let request = self.request_with(key, Method::POST, "/api/attachments");
        uploaded(with_form(request, form(name, content)).send().await.unwrap()).await
    }

    /// Asks for a file, or for something about it.
    pub(crate) async fn fetch(&self, person: &Person, hash: &str, more: &str) -> Response {
        let path = format!("/api/attachments/{hash}{more}");
        self.request_as(person, Method::GET, &path).send().await.unwrap()
    }
}

async fn uploaded(answer: Response) -> Value {
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    assert_eq!(status, 201, "{body}");
    body
}

/// All files below a directory.
pub(crate) fn files_in(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files_in(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Where files that are arriving are.
pub(crate) fn arriving(hub: &Hub) -> Vec<PathBuf> {
    files_in(&hub.config().data.join("uploads"))
}

/// The blobs in their places, and drafts of them.
pub(crate) fn blobs(hub: &Hub) -> Vec<PathBuf> {
    let directory = hub.config().data.join("blobs");
    let mut found = files_in(&directory);
    found.retain(|file| file.file_name().unwrap() != "hub.json" && !file.starts_with(directory.join("trash")));
    found
}

/// The blobs that were set aside.
pub(crate) fn aside(hub: &Hub) -> Vec<PathBuf> {
    files_in(&hub.config().data.join("blobs").join("trash"))
}

/// Makes a file look as if it had been there for long.
pub(crate) fn age(file: &Path) {
    let file = std::fs::File::options().write(true).open(file).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
}

/// Uploads a text.
pub(crate) async fn upload(hub: &Hub, caller: &Caller, content: &str) -> Result<ContentHash> {
    let uploaded = hub.attachments().upload(caller, "notes.txt", content.as_bytes()).await?;
    Ok(uploaded.hash.parse().unwrap())
}

/// Reads a part of a text.
pub(crate) async fn read_part(
    hub: &Hub,
    caller: &Caller,
    hash: &ContentHash,
    range: std::ops::Range<u64>,
) -> Result<String> {
    let file = hub.attachments().open_file(caller, hash.as_str()).await?;
    let pieces: Vec<_> = file.read(range).await?.try_collect().await?;
    Ok(String::from_utf8_lossy(&pieces.concat()).into_owned())
}

/// Reads all of a text.
pub(crate) async fn read(hub: &Hub, caller: &Caller, hash: &ContentHash) -> Result<String> {
    let size = hub.attachments().meta(caller, hash.as_str()).await?.size.unsigned_abs();
    read_part(hub, caller, hash, 0..size).await
}

/// The file of one blob.
pub(crate) fn blob(hub: &Hub, hash: &ContentHash) -> PathBuf {
    hub.config().data.join("blobs").join(&hash.as_str()[..2]).join(hash.as_str())
}
