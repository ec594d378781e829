//! The address of a store.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::Engine;
use crate::error::{Error, Result};

/// The address of a store. Its printed form never shows a password.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// A file.
    Sqlite(PathBuf),
    /// A server, as a `postgres://` address.
    Postgres(String),
}

impl StoreUrl {
    /// The engine of the address.
    pub fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }
}

impl FromStr for StoreUrl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (scheme, rest) = text.split_once(':').unwrap_or(("", text));
        match scheme {
            "sqlite" => {
                let path = rest.strip_prefix("//").unwrap_or(rest);
                if path.is_empty() || path.contains(['\0', '?']) {
                    return Err(malformed("sqlite: needs the path of a file, as in sqlite:///var/lib/svc/svc.db"));
                }
                Ok(Self::Sqlite(path.into()))
            }
            "postgres" | "postgresql" => {
                if !rest.starts_with("//") || rest.len() <= 2 {
                    return Err(malformed("postgres: needs a server, as in postgres://user@host/database"));
                }
                check_parameters(rest)?;
                Ok(Self::Postgres(text.to_owned()))
            }
            _ => Err(malformed("must start with sqlite: or postgres:")),
        }
    }
}

/// The parameters that the driver supports; it would log any other one, and people misspell `password`.
const PARAMETERS: &[&str] = &[
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
];

fn check_parameters(rest: &str) -> Result<()> {
    let query = rest.split_once('?').map_or("", |(_, query)| query);
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let name = parameter.split('=').next().unwrap_or_default();
        if !PARAMETERS.contains(&name) {
            return Err(malformed(&format!("has a parameter that is not known here, {name:?}")));
        }
    }
    Ok(())
}

fn malformed(message: &str) -> Error {
    Error::invalid("database_url", message)
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(formatter, "sqlite:{}", path.display()),
            // User, password and parameters are not printed.
            Self::Postgres(url) => {
                let rest = url.split_once("//").map_or("", |(_, rest)| rest);
                let place = rest.split(['?', '#']).next().unwrap_or("");
                match place.rsplit_once('@') {
                    Some((_, place)) => write!(formatter, "postgres://{place}"),
                    None if rest.contains('@') => formatter.write_str("postgres://…"),
                    None => write!(formatter, "postgres://{place}"),
                }
            }
        }
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_are_parsed() {
        assert_eq!("sqlite:///a/b.db".parse::<StoreUrl>().unwrap(), StoreUrl::Sqlite("/a/b.db".into()));
        assert_eq!("sqlite:b.db".parse::<StoreUrl>().unwrap(), StoreUrl::Sqlite("b.db".into()));
        assert_eq!("postgres://h/d".parse::<StoreUrl>().unwrap().engine(), Engine::Postgres);
    }

    #[test]
    fn other_urls_are_rejected_by_field() {
        for text in ["", "mysql://h/d", "postgres:h", "postgres://", "sqlite:", "sqlite:a?mode=ro", "/plain/path"] {
            assert_eq!(text.parse::<StoreUrl>().unwrap_err().fields()[0].field, "database_url", "{text}");
        }
    }

    #[test]
    fn passwords_are_never_printed() {
        for (text, printed) in [
            ("postgres://ann:s3cr@t@db.example/svc?password=s3cret", "postgres://db.example/svc"),
            ("postgres://db.example/svc?password=s3c@ret", "postgres://…"),
            ("postgres://ann:s3?host=cret@db.example/svc", "postgres://…"),
            ("postgres://db.example/svc", "postgres://db.example/svc"),
        ] {
            let url: StoreUrl = text.parse().unwrap();
            assert_eq!(format!("{url} {url:?}"), format!("{printed} {printed}"));
        }
    }

    #[test]
    fn unknown_parameters_are_rejected_without_their_values() {
        let error = "postgres://db.example/svc?pasword=s3cret".parse::<StoreUrl>().unwrap_err();
        assert!(error.message().contains("pasword") && !error.message().contains("s3cret"), "{error}");
    }
}
