//! The embedded web UI, and every path without another route.
//!
//! Invariants: a file is found by its exact name in a table, so no path leads outside of it; any other path is the
//! page itself, which routes in the browser, except in the areas for programs, where an unknown path results in 404.
//! The build compresses its files once; a compressed form is another encoding of a file, and has no path of its own. Of
//! most files only the compressed form is embedded, and a process decompresses it once.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::sync::LazyLock;

use poem::endpoint::make;
use poem::http::{HeaderValue, Method};
use poem::{Endpoint, Request, Response};
use rust_embed::RustEmbed;

use super::cached::Cached;
use crate::area::Area;
use crate::error::Problem;
use crate::identity::has_session;

const FOREVER: &str = "public, max-age=31536000, immutable";
const ASK_AGAIN: &str = "no-cache";

/// Suffix of the name of a file's compressed form.
const BROTLI: &str = ".br";

/// Number of bytes that are decompressed at once.
const CHUNK: usize = 16 * 1024;

#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Embedded;

/// The files of the web UI by path, with `index.html` at `/`.
struct Files(HashMap<String, Cached>);

/// The files of this process: servers share them.
static FILES: LazyLock<Files> = LazyLock::new(Files::load);

/// Serves the web UI.
pub(crate) fn endpoint() -> impl Endpoint + 'static {
    make(move |request: Request| async move { FILES.answer(&request).await.map_err(poem::Error::from) })
}

/// The names of all files, without their compressed forms.
fn names() -> BTreeSet<String> {
    Embedded::iter().map(|name| name.strip_suffix(BROTLI).unwrap_or(&name).to_owned()).collect()
}

/// The compressed form of a file, if there is one.
fn compressed(name: &str) -> Option<Vec<u8>> {
    Embedded::get(&format!("{name}{BROTLI}")).map(|file| file.data.into_owned())
}

/// The content of a file, decompressed if only its compressed form is embedded.
fn content(name: &str) -> Option<Vec<u8>> {
    if let Some(file) = Embedded::get(name) {
        return Some(file.data.into_owned());
    }
    let mut content = Vec::new();
    brotli::Decompressor::new(compressed(name)?.as_slice(), CHUNK).read_to_end(&mut content).ok()?;
    Some(content)
}

impl Files {
    fn load() -> Self {
        let mut files = HashMap::new();
        for name in names() {
            let Some(content) = content(&name) else { continue };
            let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
            let cache_control = if Area::of(&path).is_kept_by_browsers() { FOREVER } else { ASK_AGAIN };
            let cached = Cached::new(content, content_type(&name), cache_control);
            let cached = match compressed(&name) {
                Some(brotli) => cached.with_brotli(brotli),
                None => cached,
            };
            files.insert(path, cached);
        }
        Self(files)
    }

    async fn answer(&self, request: &Request) -> Result<Response, Problem> {
        let path = request.uri().path();
        let file = match self.0.get(path) {
            Some(file) => file,
            None if !Area::of(path).has_page() => return Err(Problem::no_such_path()),
            None => self.0.get("/").ok_or_else(Problem::no_such_path)?,
        };
        if request.method() != Method::GET {
            return Err(Problem::method_not_allowed(Some("GET, HEAD".to_owned())));
        }
        let mut response = file.answer(request.headers()).await;
        if file.is_page() && has_session(request) {
            // The page reads this before its scripts are loaded, and requests data that needs a login at once.
            response.headers_mut().insert("server-timing", HeaderValue::from_static("session"));
        }
        Ok(response)
    }
}

/// The `@font-face` rules of the web UI, for server-rendered pages: the files' names change with each build.
pub(crate) fn font_faces() -> String {
    let mut rules = Vec::new();
    for name in names().into_iter().filter(|name| content_type(name).starts_with("text/css")) {
        let Some(content) = content(&name) else { continue };
        let style = String::from_utf8_lossy(&content).into_owned();
        let faces = style.split("@font-face").skip(1).filter_map(|rest| rest.split_once('}'));
        rules.extend(faces.map(|(rule, _)| format!("@font-face{rule}}}\n")));
    }
    rules.concat()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn answer(method: Method, path: &str) -> Result<Response, Problem> {
        let request = Request::builder().method(method).uri_str(path).finish();
        Files::load().answer(&request).await
    }

    #[tokio::test]
    async fn the_page_is_served_outside_of_areas_for_programs() {
        for path in ["/", "/docs", "/channels/general", "/apix", "/some/file.js", "/index.html", "/../../etc/passwd"] {
            let response = answer(Method::GET, path).await.unwrap();
            assert_eq!(response.content_type(), Some("text/html; charset=utf-8"), "{path}");
            assert_eq!(response.headers()["cache-control"], ASK_AGAIN);
        }
        for path in
            ["/api", "/api/nothing", "//api/x", "/API/x", "/auth/x", "/oauth/x", "/mcp", "/.well-known/x", "/pages/x"]
        {
            assert_eq!(answer(Method::GET, path).await.unwrap_err().status(), 404, "{path}");
        }
    }

    #[tokio::test]
    async fn assets_are_cached_forever_and_missing_ones_are_not_found() {
        let name = names().into_iter().find(|name| name.starts_with("assets/")).unwrap();
        let response = answer(Method::GET, &format!("/{name}")).await.unwrap();
        assert_eq!(response.headers()["cache-control"], FOREVER);
        for path in ["/assets/gone.js", "/assets", "/assets/", "/assets/../index.html", "/assets/%2e%2e/index.html"] {
            assert_eq!(answer(Method::GET, path).await.unwrap_err().status(), 404, "{path}");
        }
    }

    #[test]
    fn compressed_forms_belong_to_files_and_have_no_path() {
        let forms: Vec<_> = Embedded::iter().filter(|name| name.ends_with(BROTLI)).collect();
        assert!(!forms.is_empty());
        let files = Files::load();
        for form in forms {
            let name = form.trim_end_matches(BROTLI);
            // The two forms have one content.
            let mut unpacked = Vec::new();
            brotli::Decompressor::new(compressed(name).unwrap().as_slice(), CHUNK).read_to_end(&mut unpacked).unwrap();
            assert_eq!(content(name), Some(unpacked), "{form}");
            assert!(files.0.contains_key("/") && (name == "index.html" || files.0.contains_key(&format!("/{name}"))));
            assert!(!files.0.contains_key(&format!("/{form}")), "{form}");
        }
    }

    #[tokio::test]
    async fn the_fonts_are_found_and_are_there() {
        let rules = font_faces();
        let files: Vec<_> = rules.split("url(").skip(1).filter_map(|rest| rest.split_once(')')).collect();
        assert!(!files.is_empty() && rules.contains("Inter"), "{rules}");
        for (file, _) in files {
            assert_eq!(answer(Method::GET, file).await.unwrap().content_type(), Some("font/woff2"), "{file}");
        }
    }

    #[tokio::test]
    async fn the_page_only_takes_get() {
        assert_eq!(answer(Method::POST, "/").await.unwrap_err().status(), 405);
        assert_eq!(answer(Method::DELETE, "/docs").await.unwrap_err().status(), 405);
    }
}
