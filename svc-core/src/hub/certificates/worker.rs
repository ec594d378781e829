//! The worker that looks at certificates.

use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use url::Url;

use super::endpoints::{self, Purpose};
use super::store::{self, Look};
use crate::error::Result;
use crate::hub::Hub;
use crate::limits;
use crate::messaging::attachments::blob_endpoint;
use crate::net::GuardedClient;
use crate::store::db::Db;
use crate::store::workers::{Cadence, Progress, Worker};

/// The worker that looks at certificates.
pub(crate) struct CertificateWatch {
    db: Db,
    client: GuardedClient,
    /// The address of the hub and of the bucket, if there are any.
    own: Vec<(Purpose, String)>,
}

impl CertificateWatch {
    pub(crate) fn new(hub: &Hub) -> Self {
        let config = hub.config();
        let hub_url = config.base_url.clone().map(|url| (Purpose::Hub, url));
        let files_url = config.blob_url.as_ref().and_then(|_| blob_endpoint()).map(|url| (Purpose::Files, url));
        Self {
            db: hub.db().clone(),
            client: GuardedClient::new(config.private_networks.clone()),
            own: hub_url.into_iter().chain(files_url).collect(),
        }
    }

    /// Finds the endpoints, and writes them down if they have changed.
    async fn find(&self) -> Result<()> {
        let (webhooks, stored) = self
            .db
            .read((), |tx, ()| Box::pin(async move { Ok((store::webhooks(tx).await?, store::purposes(tx).await?)) }))
            .await?;
        let webhooks = webhooks.into_iter().map(|(id, url)| (Purpose::Webhook(id), url));
        let wanted = endpoints::wanted(self.own.iter().cloned().chain(webhooks));
        let is_stored = stored.len() == wanted.len()
            && stored.iter().all(|(endpoint, word, webhook)| {
                wanted.get(endpoint).is_some_and(|purpose| purpose.word() == word && purpose.webhook() == *webhook)
            });
        if is_stored {
            return Ok(());
        }
        self.db.write(wanted, |tx, wanted| Box::pin(store::replace(tx, wanted))).await
    }

    async fn look(&self, endpoint: String) -> Look {
        let outcome = match Url::parse(&format!("https://{endpoint}/")) {
            Ok(url) => self.client.certificate_end(&url, limits::CERTIFICATE_TIMEOUT).await,
            Err(_) => return (endpoint, Err("The address is not valid.".to_owned())),
        };
        let outcome = outcome.map_err(|error| {
            tracing::debug!(endpoint, error = error.log_line(), "a certificate could not be seen");
            error.message().to_owned()
        });
        (endpoint, outcome)
    }
}

#[async_trait]
impl Worker for CertificateWatch {
    fn name(&self) -> &'static str {
        "certificate_watch"
    }

    fn cadence(&self) -> Cadence {
        Cadence::every(Duration::from_mins(10))
    }

    async fn run_once(&self) -> Result<Progress> {
        self.find().await?;
        let due = self.db.read((), |tx, ()| {
            Box::pin(async move {
                let now = tx.now();
                let mut seen = store::seen(tx).await?;
                seen.retain(|seen| endpoints::is_due(seen, now));
                Ok(seen)
            })
        });
        let due = due.await?;
        if due.is_empty() {
            return Ok(Progress::Done);
        }
        let is_more = due.len() > limits::CERTIFICATES_PER_ROUND;
        let due = due.into_iter().take(limits::CERTIFICATES_PER_ROUND);
        let looks: Vec<_> = due.map(|seen| self.look(seen.endpoint)).collect();
        let looks: Vec<Look> = stream::iter(looks).buffer_unordered(limits::CERTIFICATES_AT_ONCE).collect().await;
        self.db.write(looks, |tx, looks| Box::pin(store::note(tx, looks))).await?;
        Ok(if is_more { Progress::More } else { Progress::Done })
    }
}
