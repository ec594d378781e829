//! Files of messages.

use http::Method;
use svc_model::attachments::Attachment;
use svc_model::limits;

use super::Result;
use crate::client::Client;
use crate::error::ClientError;

impl Client {
    /// Returns the name, the size and the type of a file, by its hash.
    pub async fn attachment(&self, hash: &str) -> Result<Attachment> {
        self.get(&["api", "attachments", hash, "meta"], &[]).await
    }

    /// Returns the bytes of a file, by its hash: at most as many as the hub accepts. The time limit applies to each
    /// part.
    pub async fn download(&self, hash: &str) -> Result<Vec<u8>> {
        let mut response = self.open(self.request(Method::GET, &["api", "attachments", hash], &[])?).await?;
        let most = usize::try_from(limits::ATTACHMENT_MAX).unwrap_or(usize::MAX);
        let mut content = Vec::new();
        loop {
            let part = tokio::time::timeout(self.timeout, response.chunk()).await.map_err(|_| ClientError::Timeout)?;
            let Some(part) = part.map_err(ClientError::Transport)? else { return Ok(content) };
            if content.len() + part.len() > most {
                return Err(ClientError::Answer(format!("it has more than {most} bytes")));
            }
            content.extend_from_slice(&part);
        }
    }
}
