//! `svc-admin machines`.
//!
//! Invariants: `check` and `keygen` need no server.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use svc_core::Timestamp;
use svc_core::principals::{Fault, Faults, Loaded, Registry, RegistryPrincipal, Scope, load_registry};
use tokio::io::AsyncReadExt;

use super::context::Context;
use super::outcome::{Failure, Outcome, Verdict};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{ask, keygen, moments, when, words};
use crate::methods::NoParams;
use crate::methods::machines::{Load, LoadParams, Purge, PurgeParams, Show, Shown};

#[derive(Debug, Subcommand)]
pub(super) enum MachinesCommand {
    /// Load a registry in place of the current one. An invalid registry changes nothing.
    #[command(after_help = "Example:\n  svc-admin machines load machines.json")]
    Load {
        /// File with the registry.
        file: PathBuf,
        /// Load it although the server watches a file with another registry, which is loaded again when it changes
        /// and at the next start.
        #[arg(long)]
        force: bool,
    },
    /// Delete events that machine principals reported before a given time. Messages about them are kept.
    #[command(after_help = "Example:\n  svc-admin machines purge --until 90d")]
    Purge {
        #[arg(long, alias = "before", value_name = "TIME", value_parser = moments::moment, help = moments::UNTIL)]
        until: Timestamp,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
    /// Show the current registry, its principals, and the state of its file.
    #[command(after_help = "Example:\n  svc-admin machines show")]
    Show,
    /// Validate a registry and list all its faults. Needs no server.
    #[command(after_help = "Example:\n  svc-admin machines check machines.json")]
    Check {
        /// File with the registry.
        file: PathBuf,
    },
    /// Generate a key for a machine principal: the secret key, shown once, and the entry for the registry. Needs no
    /// server.
    #[command(
        after_help = "Examples:\n  svc-admin machines keygen --principal svc:sense:door-1 --scope events:ingest\n  \
                            svc-admin machines keygen --out door-1.key --kid door-2026-01"
    )]
    Keygen {
        /// Principal of the key, such as svc:sense:door-1.
        #[arg(long, value_name = "PRINCIPAL", value_parser = keygen::principal_id)]
        principal: Option<String>,
        /// Id of the key, 8 to 64 characters [default: derived from the key].
        #[arg(long, value_name = "KID", value_parser = keygen::kid)]
        kid: Option<String>,
        /// Scope of the key; can be repeated [default: all scopes].
        #[arg(long = "scope", value_name = "SCOPE", value_parser = words::machine_scope())]
        scopes: Vec<Scope>,
        /// Write the secret key to this file, which must be new, instead of printing it.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Write the secret key as PKCS#8 in PEM instead of as 43 characters.
        #[arg(long)]
        pem: bool,
    },
}

impl MachinesCommand {
    /// Runs a command that needs no server; `None` for the others.
    pub(super) async fn without_server(&self, output: &Output) -> Option<Result<Outcome, Failure>> {
        match self {
            Self::Load { .. } | Self::Show | Self::Purge { .. } => None,
            Self::Check { file } => Some(check(file, output).await),
            Self::Keygen { principal, kid, scopes, out, pem } => {
                let request = keygen::KeyRequest { principal: principal.clone(), kid: kid.clone(), scopes, pem: *pem };
                Some(keygen::run(request, out.as_deref(), output).await)
            }
        }
    }
}

pub(super) async fn run(command: &MachinesCommand, context: &mut Context) -> Result<Outcome, Failure> {
    if let Some(done) = command.without_server(&context.output).await {
        return done;
    }
    match command {
        MachinesCommand::Load { file, force } => load(file, *force, context).await,
        MachinesCommand::Purge { until, yes } => {
            ask::confirm(&format!("This deletes every event that was stored before {}.", when::short(*until)), *yes)?;
            let purged = context.call::<Purge>(&PurgeParams { before: *until }).await?;
            let sentence = format!("Deleted events: {}.", purged.events);
            Ok(Outcome::sentence(&context.output, &purged, &sentence))
        }
        _ => {
            let shown = context.call::<Show>(&NoParams {}).await?;
            let broken = shown.differs_from_file || shown.file.as_ref().is_some_and(|file| !file.ok);
            let outcome = Outcome::new(context.output.render(&shown, draw));
            let outcome = outcome.verdict(if broken { Verdict::Wrong } else { Verdict::Fine });
            let empty = "No registry was ever loaded: load one with `svc-admin machines load FILE`.";
            let outcome = if shown.registry.is_none() { outcome.remark(&context.output, empty) } else { outcome };
            let more = "There are more principals than are shown.";
            Ok(if shown.truncated { outcome.remark(&context.output, more) } else { outcome })
        }
    }
}

async fn load(file: &Path, force: bool, context: &mut Context) -> Result<Outcome, Failure> {
    let bytes = read(file).await?;
    // The server validates it again; here every fault can be shown.
    if let Err(faults) = load_registry(&bytes) {
        let outcome = refused(&faults, &context.output);
        return Ok(outcome.remark(&context.output, &format!("{} Nothing was changed.", count(&faults))));
    }
    let document = String::from_utf8(bytes).expect("a registry without faults is text");
    let source = tokio::fs::canonicalize(file).await.unwrap_or_else(|_| file.to_owned()).display().to_string();
    let loaded = context.call::<Load>(&LoadParams { document, source, force }).await?;
    let sentence = if loaded.changed {
        "The registry is in force."
    } else {
        "This registry was already in force: nothing was changed."
    };
    Ok(Outcome::new(context.output.render(&loaded, draw_loaded)).remark(&context.output, sentence))
}

/// Result of a validation.
#[derive(serde::Serialize)]
struct Checked<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    audience: Option<svc_core::principals::Audience>,
    principals: usize,
    keys: usize,
    faults: &'a [Fault],
    more_faults: usize,
}

async fn check(file: &Path, output: &Output) -> Result<Outcome, Failure> {
    let registry = match load_registry(&read(file).await?) {
        Ok(registry) => registry,
        Err(faults) => return Ok(refused(&faults, output).remark(output, &count(&faults))),
    };
    let Registry { audience, principals } = &registry;
    let keys = principals.iter().map(|principal| principal.keys.len()).sum();
    let checked = Checked {
        ok: true,
        audience: Some(*audience),
        principals: principals.len(),
        keys,
        faults: &[],
        more_faults: 0,
    };
    let sentence = format!("The registry has no faults: principals {}, keys {keys}, for {audience}.", principals.len());
    Ok(Outcome::sentence(output, &checked, &sentence))
}

fn refused(faults: &Faults, output: &Output) -> Outcome {
    let checked =
        Checked { ok: false, audience: None, principals: 0, keys: 0, faults: &faults.faults, more_faults: faults.more };
    let drawn = output.render(&checked, |output, checked| draw_faults(output, checked.faults));
    Outcome::new(drawn).verdict(Verdict::Wrong)
}

fn count(faults: &Faults) -> String {
    match (faults.total(), faults.more) {
        (1, _) => "The registry has a fault.".to_owned(),
        (total, 0) => format!("The registry has {total} faults."),
        (total, _) => format!("The registry has {total} faults, of which the first {} are shown.", faults.faults.len()),
    }
}

/// The content of a file; of one that is too large, just enough to notice.
async fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |error| Failure::Here(format!("{} cannot be read ({error}): check the path.", path.display()));
    let file = tokio::fs::File::open(path).await.map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(svc_core::limits::REGISTRY_MAX as u64 + 1).read_to_end(&mut bytes).await.map_err(unreadable)?;
    Ok(bytes)
}

fn draw_faults(output: &Output, faults: &[Fault]) -> String {
    let row = |fault: &Fault| {
        let place = if fault.pointer.is_empty() { "(whole)" } else { &fault.pointer };
        vec![Cell::new(place), Cell::toned(fault.code.as_str(), Tone::Bad).kept(), Cell::new(&fault.message)]
    };
    let rows: Vec<_> = faults.iter().map(row).collect();
    table::draw(output, &["POINTER", "FAULT", "RULE"], &rows)
}

fn draw_loaded(output: &Output, loaded: &Loaded) -> String {
    let registry = &loaded.registry;
    let mut pairs = vec![
        ("sha256", Cell::whole(&registry.sha256)),
        ("audience", Cell::new(registry.audience.as_str())),
        ("principals", Cell::new(registry.principals.to_string())),
        ("keys", Cell::new(registry.keys.to_string())),
    ];
    for (kind, list) in loaded.changes.lists().into_iter().filter(|(_, list)| !list.is_empty()) {
        let tone = match kind {
            "removed" | "disabled" | "keys_removed" | "keys_revoked" => Tone::Warning,
            _ => Tone::Good,
        };
        pairs.push((readable(kind), Cell::toned(list.join(", "), tone)));
    }
    table::pairs(output, &pairs)
}

/// A kind of change in readable words.
fn readable(kind: &'static str) -> &'static str {
    match kind {
        "keys_added" => "keys added",
        "keys_removed" => "keys removed",
        "keys_revoked" => "keys revoked",
        "keys_restored" => "keys restored",
        "keys_changed" => "keys changed",
        other => other,
    }
}

fn draw(output: &Output, shown: &Shown) -> String {
    let now = when::now();
    let mut pairs = vec![("this hub is", Cell::new(shown.audience.as_str()))];
    if let Some(registry) = &shown.registry {
        let loaded = format!("{} ({} UTC)", when::relative(registry.loaded_at, now), when::short(registry.loaded_at));
        pairs.push(("sha256", Cell::whole(&registry.sha256)));
        pairs.push(("source", Cell::new(registry.source.as_deref().unwrap_or_default())));
        pairs.push(("loaded", Cell::new(loaded)));
        pairs.push(("principals", Cell::new(registry.principals.to_string())));
        pairs.push(("keys", Cell::new(registry.keys.to_string())));
    }
    if let Some(file) = &shown.file {
        let tried = when::relative(file.tried_at, now);
        let (word, tone) = match (file.ok, shown.differs_from_file) {
            (true, false) => ("loaded", Tone::Good),
            (true, true) => ("loaded, but another registry is in force", Tone::Bad),
            (false, _) => ("not loaded", Tone::Bad),
        };
        pairs.push(("file", Cell::new(&file.path)));
        pairs.push(("file state", Cell::toned(format!("{word}, tried {tried}"), tone)));
        if let Some(error) = &file.error {
            pairs.push(("file error", Cell::toned(error, Tone::Bad)));
        }
    }
    let mut drawn = table::pairs(output, &pairs);
    for part in [
        draw_faults(output, shown.file.as_ref().map_or(&[], |file| file.faults.as_slice())),
        draw_principals(output, &shown.principals),
    ] {
        if !part.is_empty() {
            drawn.push('\n');
            drawn.push_str(&part);
        }
    }
    drawn
}

fn draw_principals(output: &Output, principals: &[RegistryPrincipal]) -> String {
    let row = |principal: &RegistryPrincipal| {
        let state = match (principal.registered, principal.enabled) {
            (false, _) => Cell::toned("gone", Tone::Warning),
            (true, true) => Cell::toned("enabled", Tone::Good),
            (true, false) => Cell::toned("disabled", Tone::Warning),
        };
        let scopes: Vec<_> = principal.scopes.iter().map(|scope| scope.as_str()).collect();
        vec![
            Cell::new(&principal.principal_id),
            state,
            Cell::whole(principal.active_keys.to_string()),
            Cell::whole(principal.revoked_keys.to_string()),
            Cell::new(scopes.join(", ")),
        ]
    };
    let rows: Vec<_> = principals.iter().map(row).collect();
    table::draw(output, &["PRINCIPAL", "STATE", "KEYS", "REVOKED", "SCOPES"], &rows)
}
