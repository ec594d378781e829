//! Files on their way to a server and back, and what is left of them on its disk.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::Value;
use svc_core::{ContentHash, Hub};

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

/// Where the blobs are.
pub(crate) fn blobs(hub: &Hub) -> Vec<PathBuf> {
    files_in(&hub.config().data.join("blobs"))
}

/// The file of one blob.
pub(crate) fn blob(hub: &Hub, hash: &ContentHash) -> PathBuf {
    hub.config().data.join("blobs").join(&hash.as_str()[..2]).join(hash.as_str())
}
