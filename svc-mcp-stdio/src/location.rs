//! Location of the hub: its store, or its URL.

use std::path::{Path, PathBuf};

use clap::Args;
use svc_core::db::StoreUrl;
use svc_core::{Error, ErrorKind, HubConfig, Result};

use crate::bridge::Address;

/// The variable with the encryption key of stored secrets.
const SECRET_KEY: &str = "SVC_SECRET_KEY";

/// Flags for the location of the hub.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct HubLocation {
    /// Data directory of the hub, to work on its store
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

    /// Bytes of attachments that a person and their agents may store, as configured on the hub's server; 0 is no
    /// limit
    #[arg(long, global = true, env = "SVC_QUOTA_FILE_BYTES", value_name = "BYTES")]
    pub(crate) quota_file_bytes: Option<u64>,

    /// Messages that a person and their agents may send in 24 hours, as configured on the hub's server; 0 is no limit
    #[arg(long, global = true, env = "SVC_QUOTA_MESSAGES", value_name = "COUNT")]
    pub(crate) quota_messages: Option<u64>,

    /// URL of a remote hub, to act as a bridge to it
    #[arg(long, global = true, env = "SVC_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// The location of the hub, from the parsed flags.
#[derive(Debug)]
pub(crate) enum Target {
    /// Its store.
    Store(Box<HubConfig>),
    /// Its URL.
    Remote(Address),
}

impl HubLocation {
    /// Resolves the flags.
    pub(crate) fn target(self) -> Result<Target> {
        match (&self.url, &self.data, &self.database_url) {
            (Some(url), None, None) => Ok(Target::Remote(url.parse()?)),
            (Some(_), _, _) => Err(choose(
                "Both a URL and a store are given: use --url (SVC_URL), or --data (SVC_DATA) and --database-url (SVC_DATABASE_URL).",
            )),
            (None, None, None) => Err(choose(
                "No hub is given: use --data DIRECTORY or --database-url URL for its store, or --url URL for a remote hub.",
            )),
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
        let limit = |given: Option<u64>, usual| given.map_or(usual, |given| Some(given).filter(|given| *given > 0));
        config.quota_file_bytes = limit(self.quota_file_bytes, config.quota_file_bytes);
        config.quota_messages = limit(self.quota_messages, config.quota_messages);
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

    fn refusal(location: HubLocation) -> String {
        location.target().unwrap_err().message().to_owned()
    }

    #[test]
    fn exactly_one_location_is_required() {
        assert!(refusal(HubLocation::default()).contains("--data DIRECTORY"));
        let both = HubLocation {
            url: Some("https://hub.example.org".into()),
            data: Some("/d".into()),
            ..HubLocation::default()
        };
        assert!(refusal(both).contains("Both a URL and a store"));
    }

    #[test]
    fn a_store_in_a_file_has_its_data_beside_it() {
        let location = HubLocation { database_url: Some("sqlite:/srv/hub/svc.db".into()), ..HubLocation::default() };
        let Target::Store(config) = location.target().unwrap() else { panic!("a store was named") };
        assert_eq!(config.data, Path::new("/srv/hub"));
    }
}
