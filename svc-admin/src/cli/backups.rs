//! `svc-admin backup`: archives of the whole hub. The server makes them, this command writes, checks and restores them.
//!
//! Invariants: an archive gets its final name when it is complete, and only its owner can read it; a passphrase is read
//! from a file, never from the arguments.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;
use indicatif::ProgressBar;
use svc_core::HubConfig;
use svc_core::backups::{self, BackupProgress, BackupSummary, Passphrase, ProgressSink, RestorePlan};

use super::context::Context;
use super::draft::Draft;
use super::outcome::{Failure, Outcome, Verdict};
use super::output::Output;
use super::size::bytes;
use super::{progress, schedules, when};
use crate::duration;
use crate::methods::Confidential;
use crate::methods::backup::{Create, CreateParams, CreateStep};

/// Largest file that is read for a passphrase.
const PASSPHRASE_FILE_MAX: u64 = 4096;

#[derive(Debug, Subcommand)]
pub(super) enum BackupCommand {
    /// Write the whole hub to an archive while the server runs: all tables at one moment, and all files.
    ///
    /// The archive can be restored on SQLite and on PostgreSQL. It contains private messages and hashes of passwords:
    /// keep it as safe as the hub. The key that encrypts secrets is left out unless --with-key is given.
    #[command(after_help = "Examples:\n  svc-admin backup create hub.tar.zst\n  \
                            svc-admin backup create hub.tar.zst --with-key --passphrase-file passphrase.txt\n  \
                            svc-admin backup create - | ssh elsewhere 'cat > hub.tar.zst'")]
    Create {
        /// The archive, written by this command with the permissions of its user; - for standard output.
        file: PathBuf,
        /// Include the key that encrypts secrets, encrypted with a passphrase.
        #[arg(long, requires = "passphrase_file")]
        with_key: bool,
        /// A file with the passphrase, at least 12 characters.
        #[arg(long, value_name = "FILE", requires = "with_key")]
        passphrase_file: Option<PathBuf>,
    },
    /// Check every byte of an archive, without a server.
    #[command(after_help = "Examples:\n  svc-admin backup verify hub.tar.zst && echo sound\n  \
                            ssh elsewhere cat hub.tar.zst | svc-admin backup verify -")]
    Verify {
        /// The archive; - for standard input.
        file: PathBuf,
    },
    /// Restore an archive into an empty data directory, or into an empty database, without a server.
    ///
    /// The whole archive is checked first. After a failure the target is as empty as before.
    #[command(after_help = "Examples:\n  svc-admin --data /var/lib/svc backup restore hub.tar.zst\n  \
                            svc-admin --data /var/lib/svc backup restore hub.tar.zst --database-url postgres://svc@db/svc")]
    Restore {
        /// The archive, a file on this machine: it is read twice.
        file: PathBuf,
        /// The store, if it is not to be svc.db in the data directory.
        #[arg(long, env = "SVC_DATABASE_URL", value_name = "sqlite:PATH|postgres://…", hide_env_values = true)]
        database_url: Option<String>,
        /// The bucket of the files, if they are not to be in the data directory.
        #[arg(long, env = "SVC_BLOB_URL", value_name = "s3://BUCKET/PREFIX")]
        blob_url: Option<String>,
        /// A file with the passphrase of the key in the archive.
        #[arg(long, value_name = "FILE", conflicts_with = "without_key")]
        passphrase_file: Option<PathBuf>,
        /// Leave the key in the archive alone.
        #[arg(long)]
        without_key: bool,
    },
    /// Let the server make backups by itself, show that schedule, or end it.
    ///
    /// The first one is made now. Each is checked before it gets its name, and older ones are removed only after that.
    /// The key that encrypts secrets is not in them.
    #[command(after_help = "Examples:\n  svc-admin backup schedule --every 24h --keep 7 --to /backups/svc\n  \
                            svc-admin backup schedule --to s3://backups/svc\n  svc-admin backup schedule --off")]
    Schedule {
        /// The interval: 6h, 24h, 7d.
        #[arg(long, value_name = "DURATION", requires = "to", default_value = "24h", value_parser = duration::parse)]
        every: Duration,
        /// The number of backups that are kept.
        #[arg(long, value_name = "N", requires = "to", default_value_t = 7)]
        keep: u32,
        /// A directory of the server, or a bucket with the AWS_* variables of the server.
        #[arg(long, value_name = "DIR|s3://BUCKET/PREFIX")]
        to: Option<String>,
        /// End the schedule; backups that were made stay.
        #[arg(long, conflicts_with = "to")]
        off: bool,
    },
    /// List the latest backups, newest first, and the schedule.
    #[command(after_help = "Example:\n  svc-admin backup list")]
    List,
}

impl BackupCommand {
    /// Runs a command that needs no server; `None` for the others.
    pub(super) async fn without_server(&self, data: &Path, output: &Output) -> Option<Result<Outcome, Failure>> {
        match self {
            Self::Create { .. } | Self::Schedule { .. } | Self::List => None,
            Self::Verify { file } => Some(verify(file, output).await),
            Self::Restore { file, database_url, blob_url, passphrase_file, without_key } => {
                let mut config = HubConfig::at(data);
                if let Some(url) = database_url {
                    config = match config.with_store(url) {
                        Ok(config) => config,
                        Err(error) => return Some(Err(here(&error))),
                    };
                }
                config.blob_url.clone_from(blob_url);
                if let Some(failure) = read_once(file) {
                    return Some(Err(failure));
                }
                let mut plan = RestorePlan::of(file);
                plan.without_key = *without_key;
                Some(restore(&config, plan, passphrase_file.as_deref(), output).await)
            }
        }
    }
}

/// Whether a path stands for a standard stream.
fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The error for an archive that cannot be read twice, as a restore does: to check it, and to restore it.
fn read_once(archive: &Path) -> Option<Failure> {
    let remedy = if is_stream(archive) {
        "write standard input to a file first, and restore that file"
    } else if archive.to_string_lossy().starts_with("s3://") {
        "fetch it from the bucket to a file first, for example with `aws s3 cp`, and restore that file"
    } else {
        return None;
    };
    Some(Failure::Here(format!("A backup is checked before it is restored, so it is read twice: {remedy}.")))
}

fn here(error: &svc_core::Error) -> Failure {
    Failure::of(error)
}

/// Shows progress on a bar.
fn shown_on(bar: &ProgressBar) -> ProgressSink {
    let bar = bar.clone();
    Arc::new(move |so_far: BackupProgress| bar.set_position(so_far.bytes))
}

pub(super) async fn run(command: &BackupCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        BackupCommand::Create { file, passphrase_file, .. } => {
            let passphrase = match passphrase_file {
                Some(path) => Some(Confidential::new(read_passphrase(path).await?)),
                None => None,
            };
            create(context, file, passphrase).await
        }
        BackupCommand::Schedule { every, keep, to, off } => {
            schedules::set(context, *every, *keep, to.as_deref(), *off).await
        }
        BackupCommand::List => schedules::list(context).await,
        BackupCommand::Verify { .. } | BackupCommand::Restore { .. } => {
            Err(Failure::Usage("This command needs no server.".into()))
        }
    }
}

async fn read_passphrase(path: &Path) -> Result<String, Failure> {
    let unreadable = |error: io::Error| Failure::Here(format!("{} cannot be read ({error}).", path.display()));
    let size = tokio::fs::metadata(path).await.map_err(unreadable)?.len();
    if size > PASSPHRASE_FILE_MAX {
        return Err(Failure::Here(format!("{} is too large for a passphrase.", path.display())));
    }
    tokio::fs::read_to_string(path).await.map_err(unreadable)
}

async fn create(context: &mut Context, path: &Path, passphrase: Option<Confidential>) -> Result<Outcome, Failure> {
    let is_piped = is_stream(path);
    let shown = if is_piped { "standard output".to_owned() } else { path.display().to_string() };
    let unwritable = |error: io::Error| {
        Failure::Here(format!("{shown} cannot be written to ({error}): see that there is room and that this user may."))
    };
    if is_piped {
        let mut out = io::stdout().lock();
        let done = write_all(context, &mut out, passphrase, &unwritable).await?;
        out.flush().map_err(unwritable)?;
        let told = Outcome::new(String::new()).remark(&context.output, &sentence("Wrote", &done, &shown));
        return Ok(with_losses(context, told, &done));
    }
    let mut out = BufWriter::new(Draft::beside(path).map_err(unwritable)?);
    let done = write_all(context, &mut out, passphrase, &unwritable).await?;
    out.into_inner().map_err(|error| unwritable(error.into_error()))?.place().map_err(unwritable)?;
    let told = Outcome::sentence(&context.output, &done, &sentence("Wrote", &done, &shown));
    Ok(with_losses(context, told, &done))
}

/// Names files that the hub had lost before.
fn with_losses(context: &Context, outcome: Outcome, done: &BackupSummary) -> Outcome {
    if done.lost_files == 0 {
        return outcome;
    }
    let remark = format!(
        "The hub has lost {} files, which are not in the archive: {}. Restore an earlier archive of them, or upload \
         them again.",
        done.lost_files,
        done.lost_hashes.join(", ")
    );
    outcome.remark(&context.output, &remark).verdict(Verdict::Wrong)
}

async fn write_all(
    context: &mut Context,
    out: &mut impl Write,
    passphrase: Option<Confidential>,
    unwritable: &impl Fn(io::Error) -> Failure,
) -> Result<BackupSummary, Failure> {
    let bar = progress::counter("reading");
    let mut step = context.call::<Create>(&CreateParams::Begin { passphrase }).await?;
    let mut backup = String::new();
    let done = loop {
        match step {
            CreateStep::Begun(id) => backup = id,
            CreateStep::Piece { content, progress } => {
                bar.set_position(progress.bytes);
                out.write_all(&content.0).map_err(unwritable)?;
            }
            CreateStep::Ended(done) => break done,
        }
        step = context.call::<Create>(&CreateParams::Next { backup: backup.clone() }).await?;
    };
    bar.finish_and_clear();
    Ok(done)
}

fn sentence(verb: &str, done: &BackupSummary, place: &str) -> String {
    format!(
        "{verb} {place}: {} rows of {} tables and {} files, {}.",
        done.rows,
        done.tables,
        done.files,
        bytes(done.row_bytes + done.file_bytes)
    )
}

async fn verify(file: &Path, output: &Output) -> Result<Outcome, Failure> {
    let bar = progress::counter("checking");
    let checked = if is_stream(file) {
        backups::verify_from(Box::new(io::stdin()), shown_on(&bar)).await
    } else {
        backups::verify(file, shown_on(&bar)).await
    };
    bar.finish_and_clear();
    let summary = checked.map_err(|error| here(&error))?;
    let shown = if is_stream(file) { "standard input".to_owned() } else { file.display().to_string() };
    let told = format!(
        "{} It was made on {} by svc {} on {}, {} the key.",
        sentence("Every byte is as it was written in", &summary, &shown),
        when::short(summary.created_at),
        summary.hub_version,
        summary.engine,
        if summary.has_key { "with" } else { "without" }
    );
    Ok(Outcome::sentence(output, &summary, &told))
}

async fn restore(
    config: &HubConfig,
    mut plan: RestorePlan,
    passphrase_file: Option<&Path>,
    output: &Output,
) -> Result<Outcome, Failure> {
    if let Some(path) = passphrase_file {
        plan.passphrase = Some(Passphrase::new(&read_passphrase(path).await?).map_err(|error| here(&error))?);
    }
    let bar = progress::counter("restoring");
    let restored = backups::restore(config, plan, shown_on(&bar)).await;
    bar.finish_and_clear();
    let restored = restored.map_err(|error| here(&error))?;
    let place = config.store_url().to_string();
    let outcome = Outcome::sentence(output, &restored, &sentence("Restored into", &restored.backup, &place));
    if restored.needs_key {
        let remark = format!(
            "Secrets cannot be read until the key of the hub is put in its place: copy it to {}, or set SVC_SECRET_KEY.",
            config.data.join("secret.key").display()
        );
        return Ok(outcome.remark(output, &remark));
    }
    Ok(outcome)
}
