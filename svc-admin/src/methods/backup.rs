//! `backup.*`: archives of the whole hub. An archive is written by the command, and comes through the socket in pieces.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::backups::{
    BackupOverview, BackupProgress, BackupSchedule, BackupSummary, NewBackup, NewSchedule, Passphrase,
};

use super::attachments::Piece;
use super::{Confidential, Method, NoParams, Server, root};

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
        /// The amount that was read so far.
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

/// Shows, sets or ends the schedule.
pub struct Schedule;

/// Parameters of [`Schedule`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ScheduleParams {
    /// Shows the schedule.
    Show {},
    /// Makes backups at an interval, beginning now.
    Set {
        /// The interval in seconds.
        every_seconds: u64,
        /// The number of backups that are kept.
        keep: u32,
        /// An absolute path of a directory, or `s3://BUCKET/PREFIX`.
        to: String,
    },
    /// Ends the schedule.
    Off {},
}

/// The schedule after the call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Scheduled {
    /// The schedule, if there is one.
    pub schedule: Option<BackupSchedule>,
}

impl Method for Schedule {
    const NAME: &'static str = "backup.schedule";
    const ABOUT: &'static str = "Make backups at an interval, show that schedule, or end it.";
    type Params = ScheduleParams;
    type Answer = Scheduled;

    async fn run(server: &Server, params: ScheduleParams) -> Result<Scheduled> {
        let backups = server.hub.backups();
        let schedule = match params {
            ScheduleParams::Show {} => backups.overview(&root()).await?.schedule,
            ScheduleParams::Set { every_seconds, keep, to } => {
                let new = NewSchedule { every: Duration::from_secs(every_seconds), keep, to };
                Some(backups.schedule(&root(), new).await?)
            }
            ScheduleParams::Off {} => {
                backups.unschedule(&root()).await?;
                None
            }
        };
        Ok(Scheduled { schedule })
    }
}

/// Lists the latest backups.
pub struct List;

impl Method for List {
    const NAME: &'static str = "backup.list";
    const ABOUT: &'static str = "Show the schedule of backups and the latest ones, newest first.";
    type Params = NoParams;
    type Answer = BackupOverview;

    async fn run(server: &Server, _: NoParams) -> Result<BackupOverview> {
        server.hub.backups().overview(&root()).await
    }
}
