//! `backup.*`: archives of the whole hub. An archive is written by the command, and comes through the socket in pieces.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::backups::{BackupProgress, BackupSummary, NewBackup, Passphrase};

use super::attachments::Piece;
use super::{Confidential, Method, Server};

/// Makes a backup, step by step.
pub struct Create;

/// One step of a backup.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CreateParams {
    /// Begins a backup.
    Begin {
        /// The passphrase for the encryption key, which is left out without it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        passphrase: Option<Confidential>,
    },
    /// Asks for the next bytes.
    Next {
        /// Id of the backup, returned by `Begin`.
        backup: String,
    },
}

/// Result of a step.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreateStep {
    /// The backup has begun, with this id.
    Begun(String),
    /// The next bytes of the archive.
    Piece {
        /// The bytes.
        content: Piece,
        /// What was read so far.
        progress: BackupProgress,
    },
    /// The archive is complete.
    Ended(BackupSummary),
}

impl Method for Create {
    const NAME: &'static str = "backup.create";
    const ABOUT: &'static str = "Make a backup piece by piece, for a command that writes an archive.";
    type Params = CreateParams;
    type Answer = CreateStep;

    async fn run(server: &Server, params: CreateParams) -> Result<CreateStep> {
        match params {
            CreateParams::Begin { passphrase } => {
                let passphrase = passphrase.map(|text| Passphrase::new(text.reveal())).transpose()?;
                let new = passphrase.map_or_else(NewBackup::without_key, NewBackup::with_key);
                Ok(CreateStep::Begun(server.backups.begin(&server.hub, new)?))
            }
            CreateParams::Next { backup } => server.backups.next(&backup).await,
        }
    }
}
