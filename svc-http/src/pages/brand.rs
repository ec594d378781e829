//! Branding of the server-rendered pages: a name, an accent colour and an optional logo, from the configuration.
//!
//! Invariants: a [`Brand`] is complete; its logo was read and validated at start, so that no page depends on a file
//! that may be gone.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bytes::Bytes;
use svc_core::{Error, Result};
use tokio::io::AsyncReadExt;

use super::colour::BrandAccent;
use super::text;

const NAME_MAX: usize = 40;
const LOGO_MAX: u64 = 256 * 1024;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Branding of the server-rendered pages.
#[derive(Debug, Clone, Default)]
pub struct BrandConfig {
    /// Name of the service.
    pub name: BrandName,
    /// Colour of links, buttons and focus rings.
    pub accent: BrandAccent,
    /// An SVG or PNG file of at most 256 KiB, shown instead of the default logo.
    pub logo: Option<PathBuf>,
}

/// Name of the service on its pages: 1 to 40 visible characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandName(String);

impl BrandName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for BrandName {
    fn default() -> Self {
        Self("svc".to_owned())
    }
}

impl fmt::Display for BrandName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for BrandName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = text.trim();
        if !(1..=NAME_MAX).contains(&name.chars().count()) || !text::is_visible(name) {
            return Err(Error::invalid("brand_name", format!("must be 1 to {NAME_MAX} printable characters")));
        }
        Ok(Self(name.to_owned()))
    }
}

/// Loaded branding of the pages.
pub(crate) struct Brand {
    pub(super) name: BrandName,
    accent: BrandAccent,
    logo: Option<Logo>,
}

/// A validated image.
#[derive(Clone)]
pub(crate) struct Logo {
    pub(crate) body: Bytes,
    pub(crate) content_type: &'static str,
}

impl Brand {
    /// Loads the files that the configuration names.
    pub(crate) async fn load(config: &BrandConfig) -> Result<Self> {
        let logo = match &config.logo {
            Some(path) => Some(Logo::read(path).await?),
            None => None,
        };
        Ok(Self { name: config.name.clone(), accent: config.accent, logo })
    }

    pub(crate) fn logo(&self) -> Option<&Logo> {
        self.logo.as_ref()
    }

    /// The brand stylesheet, which follows the common one.
    pub(crate) fn style(&self) -> String {
        format!(":root {{\n  --accent: light-dark({}, {});\n}}\n", self.accent.light(), self.accent.dark())
    }
}

impl Logo {
    async fn read(path: &Path) -> Result<Self> {
        let refuse = |message: String| Error::invalid("brand_logo", message);
        let unreadable = |error: std::io::Error| {
            refuse(format!("must be a readable file; {} cannot be read ({error})", path.display()))
        };
        let mut body = Vec::new();
        let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
        // One byte more than allowed shows that the file is too large, however large it is.
        file.take(LOGO_MAX + 1).read_to_end(&mut body).await.map_err(unreadable)?;
        if body.len() as u64 > LOGO_MAX {
            return Err(refuse(format!("must have at most {} KiB; {} is larger", LOGO_MAX / 1024, path.display())));
        }
        Self::recognise(body).ok_or_else(|| refuse(format!("must be an SVG or PNG; {} is neither", path.display())))
    }

    /// Detects the type by content, because a file name can say anything.
    fn recognise(body: Vec<u8>) -> Option<Self> {
        let content_type = if body.starts_with(PNG) {
            "image/png"
        } else if is_svg(std::str::from_utf8(&body).ok()?) {
            "image/svg+xml"
        } else {
            return None;
        };
        Some(Self { body: body.into(), content_type })
    }
}

/// Whether the first element, after declarations and comments, is `svg`.
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!DOCTYPE") => ">",
            _ => return rest.strip_prefix("<svg").is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n', '>'])),
        };
        match rest.split_once(end) {
            Some((_, after)) => rest = after.trim_start(),
            None => return false,
        }
    }
}

#[cfg(test)]
impl Brand {
    /// A brand for tests, with a logo or without.
    pub(crate) fn named(name: &str, accent: &str, logo: Option<&str>) -> Self {
        let logo = logo.map(|text| Logo::recognise(text.into()).unwrap());
        Self { name: name.parse().unwrap(), accent: accent.parse().unwrap(), logo }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_visible() {
        assert_eq!(" Ann's Hub ".parse::<BrandName>().unwrap().as_str(), "Ann's Hub");
        assert!("名".repeat(40).parse::<BrandName>().is_ok());
        for name in [String::new(), " ".to_owned(), "x".repeat(41), "a\u{202e}b".to_owned(), "a\nb".to_owned()] {
            assert!(name.parse::<BrandName>().is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_logo_is_known_by_its_content() {
        let kind = |body: &[u8]| Logo::recognise(body.to_vec()).map(|logo| logo.content_type);
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(kind(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), Some("image/svg+xml"));
        let declared = "\u{feff}<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE svg>\n<svg\n>";
        assert_eq!(kind(declared.as_bytes()), Some("image/svg+xml"));
        for body in [&b""[..], b"GIF89a", b"<html><svg></svg></html>", b"<svgx>", b"<!-- <svg>", b"\xff\xd8\xff\xe0"] {
            assert_eq!(kind(body), None);
        }
    }

    #[tokio::test]
    async fn a_missing_logo_is_reported_with_its_path() {
        let config = BrandConfig { logo: Some("/nowhere/logo.svg".into()), ..BrandConfig::default() };
        let error = Brand::load(&config).await.err().unwrap();
        assert_eq!(error.fields()[0].field, "brand_logo");
        assert!(error.fields()[0].message.contains("/nowhere/logo.svg"));
    }

    #[tokio::test]
    async fn an_endless_logo_is_rejected() {
        let config = BrandConfig { logo: Some("/dev/zero".into()), ..BrandConfig::default() };
        let error = Brand::load(&config).await.err().unwrap();
        assert!(error.fields()[0].message.contains("at most 256 KiB"), "{error}");
    }

    #[tokio::test]
    async fn the_style_names_both_colours() {
        let brand = Brand::load(&BrandConfig::default()).await.unwrap();
        assert_eq!(brand.style(), ":root {\n  --accent: light-dark(#3b4fc4, #a3b1ff);\n}\n");
    }
}
