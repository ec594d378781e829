//! Articles of the wiki, over REST.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::people::Person;
use super::server::TestServer;

/// The path of an article.
pub(crate) fn path(slug: &str) -> String {
    format!("/api/wiki/articles/{slug}")
}

/// The values of a field of all elements of a list.
pub(crate) fn column<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let all = list.as_array().unwrap_or_else(|| panic!("no list: {list}"));
    all.iter().map(|element| element[field].as_str().unwrap_or_default()).collect()
}

impl TestServer {
    /// Creates an article whose title is its slug.
    pub(crate) async fn article(&self, person: &Person, slug: &str, body: &str) -> Value {
        let new = json!({ "slug": slug, "title": slug, "body": body });
        self.did(person, Method::POST, "/api/wiki/articles", new).await
    }

    /// An article as a person sees it.
    pub(crate) async fn article_of(&self, person: &Person, slug: &str) -> Value {
        self.look(person, &path(slug)).await
    }

    /// Saves the whole text of an article on a revision.
    pub(crate) async fn save(&self, person: &Person, slug: &str, base: i64, body: &str) -> Response {
        self.ask(person, Method::PUT, &path(slug), json!({ "base_revision": base, "body": body })).await
    }

    /// Saves the whole text of an article on its newest revision.
    pub(crate) async fn rewrite(&self, person: &Person, slug: &str, body: &str) -> Value {
        let base = self.article_of(person, slug).await["revision"].clone();
        self.did(person, Method::PUT, &path(slug), json!({ "base_revision": base, "body": body })).await
    }
}
