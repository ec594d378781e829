//! The HTTP client of an export, with the certificates that the operator has set.
//!
//! Invariants: the files are read once, when the server starts; one that cannot be used is an error that names its
//! variable, and not its content.

use std::path::PathBuf;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Identity};
use svc_core::{Error, Result};

use super::settings::refused;

/// The name of this program in requests.
const AGENT: &str = concat!("svc/", env!("CARGO_PKG_VERSION"));

/// A file that a variable names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedFile {
    pub(super) variable: String,
    pub(super) path: PathBuf,
}

impl NamedFile {
    async fn read(&self) -> Result<Vec<u8>> {
        let content = tokio::fs::read(&self.path).await;
        content.map_err(|error| self.refused("must name a file that can be read").with_source(error))
    }

    fn refused(&self, rule: &str) -> Error {
        refused(&self.variable, &format!("{rule}, not {}", self.path.display()))
    }
}

/// The files for TLS.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TlsFiles {
    /// The certificates that the collector's is checked against, instead of those of the system.
    pub(super) authority: Option<NamedFile>,
    /// The certificate of this server, and its private key.
    pub(super) identity: Option<(NamedFile, NamedFile)>,
}

impl TlsFiles {
    /// Reads the files and creates the client. Its addresses are those that the operator has set.
    #[expect(
        clippy::disallowed_methods,
        reason = "the operator names the collector, which is usually in a private network"
    )]
    pub(super) async fn client(&self) -> Result<Client> {
        // Fails only when there is one already.
        rustls::crypto::ring::default_provider().install_default().ok();
        let mut builder = Client::builder().redirect(Policy::none()).no_proxy().referer(false).user_agent(AGENT);
        if let Some(file) = &self.authority {
            let found = Certificate::from_pem_bundle(&file.read().await?).ok().filter(|found| !found.is_empty());
            let found = found.ok_or_else(|| file.refused("must name a file with certificates in PEM"))?;
            builder = builder.tls_certs_only(found);
        }
        if let Some((certificate, key)) = &self.identity {
            let pem = [key.read().await?, certificate.read().await?].join(&b'\n');
            let rule = "must name a file with a private key in PEM, which the one of the certificate goes with";
            let identity = Identity::from_pem(&pem).map_err(|error| key.refused(rule).with_source(error))?;
            builder = builder.identity(identity);
        }
        builder.build().map_err(|error| {
            let file = self.authority.as_ref().or(self.identity.as_ref().map(|(certificate, _)| certificate));
            match file {
                Some(file) => file.refused("must name a file with certificates that TLS can use").with_source(error),
                None => Error::internal("the HTTP client cannot be created").with_source(error),
            }
        })
    }
}
