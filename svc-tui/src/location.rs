//! Location of the hub: its store, or its URL.

use std::path::{Path, PathBuf};

use clap::Args;
use svc_core::db::StoreUrl;
use svc_core::{Error, ErrorKind, HubConfig, Result};
use url::{Host, Url};

/// The URL of a hub on this machine, for when no location is given.
const USUAL: &str = "http://127.0.0.1:8080";
/// The variable with the encryption key of stored secrets.
const SECRET_KEY: &str = "SVC_SECRET_KEY";

/// Flags for the location of the hub.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct HubLocation {
    /// URL of the hub; a hub on this machine if none is given
    #[arg(long, global = true, env = "SVC_URL", value_name = "URL")]
    pub(crate) url: Option<String>,

    /// Data directory of the hub, to work on its store without a connection to its server
    #[arg(long, global = true, env = "SVC_DATA", value_name = "DIRECTORY")]
    pub(crate) data: Option<PathBuf>,

    /// Store of the hub, if it is not svc.db in the data directory
    #[arg(
        long,
        global = true,
        env = "SVC_DATABASE_URL",
        value_name = "sqlite:PATH|postgres://…",
        hide_env_values = true
    )]
    pub(crate) database_url: Option<String>,

    /// Bucket for attachments, if they are not in the data directory
    #[arg(long, global = true, env = "SVC_BLOB_URL", value_name = "s3://BUCKET/PREFIX")]
    pub(crate) blob_url: Option<String>,

    /// Messages that a person and their agents may send in 24 hours, as configured on the hub's server; 0 is no limit
    #[arg(long, global = true, env = "SVC_QUOTA_MESSAGES", value_name = "COUNT")]
    pub(crate) quota_messages: Option<u64>,
}

/// The location of the hub, from the parsed flags.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// Its store.
    Store(Box<HubConfig>),
    /// Its URL.
    Remote(Url),
}

impl HubLocation {
    /// Resolves the flags.
    pub(crate) fn target(self) -> Result<Target> {
        match (&self.url, &self.data, &self.database_url) {
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) => Err(choose(
                "Both a URL and a store are given: use --url (SVC_URL), or --data (SVC_DATA) and --database-url (SVC_DATABASE_URL).",
            )),
            (url, None, None) => address(url.as_deref().unwrap_or(USUAL)).map(Target::Remote),
            (None, _, _) => self.store().map(|config| Target::Store(Box::new(config))),
        }
    }

    fn store(self) -> Result<HubConfig> {
        let store = self.database_url.as_deref().map(str::parse::<StoreUrl>).transpose()?;
        let data = match (self.data, &store) {
            (Some(data), _) => data,
            (None, Some(StoreUrl::Sqlite(path))) => path.parent().map_or_else(|| ".".into(), Path::to_owned),
            (None, _) => own_directory()?,
        };
        let mut config = HubConfig::at(data);
        config.store = store;
        config.blob_url = self.blob_url;
        if let Some(most) = self.quota_messages {
            config.quota_messages = Some(most).filter(|most| *most > 0);
        }
        if let Some(key) = std::env::var_os(SECRET_KEY) {
            let key = key
                .to_string_lossy()
                .parse()
                .map_err(|_: Error| choose("The variable SVC_SECRET_KEY must be 64 hexadecimal digits, or unset."))?;
            config.secret_key = Some(key);
        }
        Ok(config)
    }
}

impl Target {
    /// The location for the status line, without a password.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Remote(url) => url.as_str().trim_end_matches('/').to_owned(),
            Self::Store(config) => match &config.store {
                None => config.data.display().to_string(),
                Some(store) => store.to_string(),
            },
        }
    }

    /// The name under which logins and drafts are kept. It is the same for every notation of a location.
    pub(crate) async fn server(&self) -> String {
        match self {
            Self::Remote(_) => self.name(),
            Self::Store(config) => match &config.store {
                None => canonical(&config.data).await,
                Some(StoreUrl::Sqlite(path)) => canonical(path).await,
                Some(store) => store.to_string(),
            },
        }
    }

    /// Whether a password would cross a network unencrypted.
    pub(crate) fn is_exposed(&self) -> bool {
        let Self::Remote(url) = self else { return false };
        let is_here = match url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
        url.scheme() == "http" && !is_here
    }
}

async fn canonical(path: &Path) -> String {
    tokio::fs::canonicalize(path).await.unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Parses the URL of a hub.
fn address(text: &str) -> Result<Url> {
    let refuse = |rule: &str| Err(Error::invalid("url", rule));
    let Ok(url) = text.trim().parse::<Url>() else {
        return refuse("must be a URL such as https://hub.example.org");
    };
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return refuse("must start with https:// (or http:// on this machine) and name a host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return refuse("must not contain a user or a password: log in instead");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return refuse("must not have a query or a fragment");
    }
    Ok(url)
}

/// A directory of this user, for a store elsewhere.
fn own_directory() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let shared = variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")));
    shared.map(|directory| directory.join("svc")).ok_or_else(|| {
        choose("The variable HOME is not set, so there is no directory for keys and files: add --data DIRECTORY.")
    })
}

fn choose(sentence: &str) -> Error {
    Error::new(ErrorKind::Invalid, "place", sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(url: &str) -> Result<Target> {
        HubLocation { url: Some(url.into()), ..HubLocation::default() }.target()
    }

    #[test]
    fn a_location_is_a_url_or_a_store() {
        let both = HubLocation { url: Some(USUAL.into()), data: Some("/d".into()), ..HubLocation::default() };
        assert!(both.target().unwrap_err().message().contains("Both a URL and a store"));
        assert_eq!(HubLocation::default().target().unwrap().name(), USUAL);
        let store = HubLocation { database_url: Some("sqlite:/srv/hub/svc.db".into()), ..HubLocation::default() };
        let Target::Store(config) = store.target().unwrap() else { panic!("a store was named") };
        assert_eq!(config.data, Path::new("/srv/hub"));
    }

    #[test]
    fn invalid_urls_are_rejected() {
        for text in
            ["", "hub.example", "ftp://hub.example", "https://ann:pw@hub.example", "https://h/?q", "https://h/#x"]
        {
            let refusal = at(text).expect_err(text);
            assert_eq!(refusal.fields()[0].field, "url", "{text}");
            assert!(!refusal.fields()[0].message.contains("pw"), "{text}");
        }
    }

    #[test]
    fn an_unencrypted_connection_is_detected() {
        for (text, exposed) in [
            ("http://hub.example", true),
            ("http://10.0.0.7:8080", true),
            ("http://127.0.0.1:8080", false),
            ("http://localhost", false),
            ("http://[::1]", false),
            ("https://hub.example", false),
        ] {
            assert_eq!(at(text).unwrap().is_exposed(), exposed, "{text}");
        }
    }

    #[tokio::test]
    async fn every_notation_of_a_location_has_one_name() {
        for text in ["https://hub.example", "https://HUB.example:443/", " https://hub.example "] {
            assert_eq!(at(text).unwrap().server().await, "https://hub.example", "{text}");
        }
        let directory = tempfile::tempdir().unwrap();
        let named = |data: PathBuf| HubLocation { data: Some(data), ..HubLocation::default() }.target().unwrap();
        let (plain, dotted) = (named(directory.path().into()), named(directory.path().join(".")));
        assert_eq!(plain.server().await, dotted.server().await);
    }
}
