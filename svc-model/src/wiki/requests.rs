//! Requests about articles.

use serde::{Deserialize, Serialize};

use super::{Protection, outgoing_links};
use crate::error::{Error, FieldError, Result};
use crate::limits;
use crate::names::{ArticleSlug, label};
use crate::timestamp::Timestamp;
use crate::when;

/// The change of an article's protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Enum))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", oai(rename_all = "snake_case"))]
pub enum ProtectionChange {
    /// Only humans can change it.
    Humans,
    /// All participants can change it.
    None,
}

impl ProtectionChange {
    /// The protection after the change.
    pub fn protection(self) -> Option<Protection> {
        match self {
            Self::Humans => Some(Protection::Humans),
            Self::None => None,
        }
    }
}

/// The request to create an article.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct NewArticle {
    /// Its slug, 2 to 100 characters: lower-case letters, digits and -; derived from the title when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// Its title: 1 to 200 characters.
    pub title: String,
    /// Its text, as Markdown: at most 256 KiB. `[[slug]]` and `[[slug|text]]` link to other articles.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", oai(default))]
    pub body: String,
    /// What to say about the change: at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// `humans` if only humans shall change it. Requires a human.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protected: Option<ProtectionChange>,
    /// The day or the time after which it has to be verified again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<String>,
}

impl NewArticle {
    /// An article with this title and this text.
    pub fn titled(title: impl Into<String>, body: impl Into<String>) -> Self {
        Self { title: title.into(), body: body.into(), ..Self::default() }
    }

    /// Reports all invalid fields at once, trims the texts and derives the slug.
    pub fn checked(mut self) -> Result<(ArticleSlug, Self)> {
        let mut faults = Faults::default();
        if let Some(title) = faults.take(label("title", &self.title, limits::ARTICLE_TITLE_MAX)) {
            self.title = title;
        }
        faults.body("body", Some(&self.body));
        faults.note("summary", &mut self.summary);
        faults.take(stale_after(self.stale_after.as_deref()));
        let slug = match &self.slug {
            Some(slug) => faults.take(ArticleSlug::parse("slug", slug)),
            None => faults.take(slug_of_title(&self.title)),
        };
        faults.end()?;
        let slug = slug.ok_or_else(|| Error::invalid("slug", "is missing"))?;
        Ok((slug, self))
    }
}

/// The request to save an article; absent fields stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ArticleSave {
    /// Its title: 1 to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The whole text, or with `section` the text of that section: at most 256 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The heading of the section that `body` replaces, with its subsections. `body` may begin with the heading, and
    /// without one the heading stays. An empty `body` removes the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The revision that the change is based on. If another change was saved after it, this one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_revision: Option<i64>,
    /// Whether to save the merge with the changes of others since `base_revision`, if it has no conflict.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", oai(default))]
    pub merge: bool,
    /// What to say about the change: at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// `humans` if only humans shall change it, `none` if all shall. Requires a human.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protected: Option<ProtectionChange>,
    /// The day or the time after which it has to be verified again; an empty text removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<String>,
}

impl ArticleSave {
    /// A save of the whole text.
    pub fn body(base_revision: i64, body: impl Into<String>) -> Self {
        Self { base_revision: Some(base_revision), body: Some(body.into()), ..Self::default() }
    }

    /// Reports all invalid fields at once, and trims the texts.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Faults::default();
        if let Some(title) = self.title.take() {
            self.title = faults.take(label("title", &title, limits::ARTICLE_TITLE_MAX));
        }
        faults.body("body", self.body.as_deref());
        match (&self.section, &self.body) {
            (Some(_), None) => faults.push("body", "is missing: it is the text of the section"),
            (Some(section), Some(_)) => drop(faults.take(label("section", section, limits::ARTICLE_TITLE_MAX))),
            (None, _) => {}
        }
        match self.base_revision {
            None => faults.push("base_revision", "is missing: name the revision that the change is based on"),
            Some(number) if number < 1 => faults.push("base_revision", "must be 1 or more"),
            Some(_) => {}
        }
        faults.note("summary", &mut self.summary);
        faults.take(stale_after(self.stale_after.as_deref()));
        let is_change = self.title.is_some() || self.body.is_some() || self.protected.is_some();
        if !is_change && self.stale_after.is_none() && faults.0.is_empty() {
            faults.push("body", "is missing: name a field to change");
        }
        faults.end()?;
        Ok(self)
    }
}

/// The request to give an article another slug.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ArticleRename {
    /// The new slug, 2 to 100 characters: lower-case letters, digits and -.
    pub slug: String,
    /// The new title: 1 to 200 characters; stays when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to say about the change: at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl ArticleRename {
    /// Reports all invalid fields at once, and trims the texts.
    pub fn checked(mut self) -> Result<(ArticleSlug, Self)> {
        let mut faults = Faults::default();
        let slug = faults.take(ArticleSlug::parse("slug", &self.slug));
        if let Some(title) = self.title.take() {
            self.title = faults.take(label("title", &title, limits::ARTICLE_TITLE_MAX));
        }
        faults.note("summary", &mut self.summary);
        faults.end()?;
        let slug = slug.ok_or_else(|| Error::invalid("slug", "is missing"))?;
        Ok((slug, self))
    }
}

/// The request to undo the deletion of an article, or to set its text back to that of an earlier revision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ArticleRestore {
    /// The revision whose title and text it gets; those of the newest revision when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// What to say about the change: at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl ArticleRestore {
    /// Reports all invalid fields at once, and trims the texts.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Faults::default();
        if self.revision.is_some_and(|number| number < 1) {
            faults.push("revision", "must be 1 or more");
        }
        faults.note("summary", &mut self.summary);
        faults.end()?;
        Ok(self)
    }
}

/// The statement that an article still holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(poem_openapi::Object))]
#[cfg_attr(feature = "openapi", oai(skip_serializing_if_is_none))]
#[serde(deny_unknown_fields)]
pub struct ArticleVerify {
    /// The revision that was read; the newest when absent. The request is refused if the text has changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// The day or the time after which it has to be verified again; stays when absent, and an empty text removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_after: Option<String>,
}

impl ArticleVerify {
    /// Reports all invalid fields at once.
    pub fn checked(self) -> Result<Self> {
        let mut faults = Faults::default();
        if self.revision.is_some_and(|number| number < 1) {
            faults.push("revision", "must be 1 or more");
        }
        faults.take(stale_after(self.stale_after.as_deref()));
        faults.end()?;
        Ok(self)
    }
}

/// What to say about a change of an article.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeNote {
    /// At most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

impl ChangeNote {
    /// Checks and trims the summary.
    pub fn checked(mut self) -> Result<Self> {
        let mut faults = Faults::default();
        faults.note("summary", &mut self.summary);
        faults.end()?;
        Ok(self)
    }
}

/// The time of a `stale_after`; `Some(None)` for an empty text, which removes it.
pub fn stale_after(text: Option<&str>) -> Result<Option<Option<Timestamp>>> {
    match text.map(str::trim) {
        None => Ok(None),
        Some("") => Ok(Some(None)),
        Some(text) => Ok(Some(Some(when::parse("stale_after", text)?))),
    }
}

/// Checks the size of a text and the number of its links.
pub fn checked_body(field: &str, body: &str) -> Result<()> {
    let most = limits::ARTICLE_BODY_MAX;
    if body.len() > most {
        return Err(Error::invalid(field, format!("must have at most {most} bytes, and has {}", body.len())));
    }
    if body.contains('\0') {
        return Err(Error::invalid(field, "must not contain the NUL character"));
    }
    let most = limits::ARTICLE_LINKS_MAX;
    let links = outgoing_links(body).len();
    if links > most {
        return Err(Error::invalid(field, format!("must link to at most {most} articles, and links to {links}")));
    }
    Ok(())
}

/// The slug of a title: its letters and digits, with hyphens in between.
fn slug_of_title(title: &str) -> Result<ArticleSlug> {
    let mut slug = String::new();
    for letter in title.chars().flat_map(char::to_lowercase) {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(*limits::ARTICLE_SLUG.end());
    let refusal = |_| Error::invalid("slug", "is missing: the title has too few letters a to z to derive it");
    ArticleSlug::parse("slug", slug.trim_matches('-')).map_err(refusal)
}

/// The invalid fields of a request.
#[derive(Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    fn push(&mut self, field: &str, message: &str) {
        self.0.push(FieldError { field: field.to_owned(), message: message.to_owned() });
    }

    fn take<T>(&mut self, checked: Result<T>) -> Option<T> {
        checked.map_err(|error| self.0.extend_from_slice(error.fields())).ok()
    }

    fn body(&mut self, field: &str, body: Option<&str>) {
        if let Some(body) = body {
            self.take(checked_body(field, body));
        }
    }

    /// Trims a summary; an empty one is none.
    fn note(&mut self, field: &str, text: &mut Option<String>) {
        *text = text.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let most = limits::ARTICLE_SUMMARY_MAX;
        if text.as_ref().is_some_and(|text| text.chars().count() > most || text.contains('\0')) {
            self.push(field, &format!("must have at most {most} characters, without NUL"));
        }
    }

    fn end(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::invalid_fields(self.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults<T: std::fmt::Debug>(checked: Result<T>) -> Vec<String> {
        checked.unwrap_err().fields().iter().map(|fault| fault.field.clone()).collect()
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let new = NewArticle {
            slug: Some("A".into()),
            title: " ".into(),
            body: "\0".into(),
            summary: Some("x".repeat(501)),
            stale_after: Some("tomorrow".into()),
            ..NewArticle::default()
        };
        assert_eq!(faults(new.checked()), ["title", "body", "summary", "stale_after", "slug"]);
        let save = ArticleSave { section: Some("Install".into()), ..ArticleSave::default() };
        assert_eq!(faults(save.checked()), ["body", "base_revision"]);
        assert_eq!(faults(ArticleSave { base_revision: Some(1), ..ArticleSave::default() }.checked()), ["body"]);
        assert_eq!(faults(ArticleRename { slug: "..".into(), ..ArticleRename::default() }.checked()), ["slug"]);
    }

    #[test]
    fn a_slug_is_derived_from_the_title() {
        for (title, slug) in [("How we deploy, v2!", "how-we-deploy-v2"), ("  Über uns ", "ber-uns")] {
            assert_eq!(NewArticle::titled(title, "").checked().unwrap().0.as_str(), slug);
        }
        for title in ["目標", "A", "--"] {
            assert_eq!(faults(NewArticle::titled(title, "").checked()), ["slug"], "{title}");
        }
        assert_eq!(NewArticle::titled("a".repeat(200), "").checked().unwrap().0.as_str().len(), 100);
    }

    #[test]
    fn a_body_has_a_size_and_a_number_of_links() {
        checked_body("body", &"x".repeat(limits::ARTICLE_BODY_MAX)).unwrap();
        assert_eq!(faults(checked_body("body", &"x".repeat(limits::ARTICLE_BODY_MAX + 1))), ["body"]);
        let links = |count: usize| -> String {
            let all: Vec<_> = (0..count).map(|number| format!("[[page-{number}]]")).collect();
            all.concat()
        };
        checked_body("body", &links(limits::ARTICLE_LINKS_MAX)).unwrap();
        assert_eq!(faults(checked_body("body", &links(limits::ARTICLE_LINKS_MAX + 1))), ["body"]);
        checked_body("body", &"[[same]]".repeat(10_000)).unwrap();
    }
}
