//! Configurations of sources. Each principal sets those of its own sources; every change is a new version.

use serde_json::Value;
use svc_macros::boxed_futures;
use svc_model::events::{EventBody, MachineConfigured};
use svc_model::principals::{Scope, SourceConfig};

use super::history;
use super::machine::{Machine, admit};
use super::rules::{Faults, fingerprint, is_word, object_fault};
use super::service::Principals;
use super::store::configs::{self, ConfigVersion};
use crate::error::{Error, Result};
use crate::limits;
use crate::store::db::Tx;

/// A configuration that passed all checks that need no store.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) source: String,
    pub(super) config: Value,
    sha256: String,
    expected: Option<i64>,
}

impl Draft {
    fn checked(source: &str, config: Value, expected: Option<i64>) -> Result<Self> {
        let mut faults = Faults::default();
        if !is_word(source, limits::MACHINE_SOURCE_MAX, b"._-") {
            faults.add(
                "source",
                "must have 1 to 63 characters: lower-case letters, digits, ., _ and -, the first a letter or a digit",
            );
        }
        faults.check("config", object_fault(&config, limits::MACHINE_CONFIG_MAX));
        if expected.is_some_and(|version| version < 0) {
            faults.add("expected", "must be the number of a version, or 0 for none");
        }
        let sha256 = fingerprint(&config);
        faults.or(Self { source: source.to_owned(), config, sha256, expected })
    }
}

#[boxed_futures]
impl Principals {
    /// Sets the configuration of one of the machine's sources. The same content again keeps the version.
    /// `expected` is the required current version, 0 for none.
    pub async fn put_source_config(
        &self,
        machine: &Machine,
        source: &str,
        config: Value,
        expected: Option<i64>,
    ) -> Result<SourceConfig> {
        let draft = match Draft::checked(source, config, expected) {
            Ok(draft) => draft,
            Err(fault) => return self.faulty(machine, Scope::SourceConfigWrite, fault).await,
        };
        let work = self.db.write((machine.clone(), draft), |tx, (machine, draft)| Box::pin(put(tx, machine, draft)));
        self.answer(machine, work.await).await?
    }
}

/// An error in the inner result still consumes the nonce: the request was processed and has its response.
async fn put(tx: &mut Tx, machine: &Machine, draft: &Draft) -> Result<Result<SourceConfig>> {
    admit(tx, machine, Scope::SourceConfigWrite).await?;
    let owner = machine.principal_id();
    history::hold(tx, owner).await?;
    let current = configs::current(tx, owner, &draft.source).await?;
    let version = current.as_ref().map_or(0, |current| current.version);
    if draft.expected.is_some_and(|expected| expected != version) {
        return Ok(Err(another_version(version)));
    }
    if let Some(current) = current.filter(|current| current.sha256 == draft.sha256) {
        return Ok(Ok(config(draft, current, false)));
    }
    if version == 0 && configs::count_sources(tx, owner).await? >= limits::MACHINE_SOURCES_MAX {
        return Ok(Err(Error::conflict(
            "too_many_sources",
            format!("A principal can have at most {} sources: use an existing one.", limits::MACHINE_SOURCES_MAX),
        )));
    }
    let next = ConfigVersion { version: version + 1, sha256: draft.sha256.clone(), created_at: tx.now() };
    configs::insert(tx, machine, draft, &next).await?;
    let configured =
        MachineConfigured { principal_id: owner.to_owned(), source: draft.source.clone(), version: next.version };
    tx.record(EventBody::MachineConfigured(configured)).await?;
    Ok(Ok(config(draft, next, true)))
}

fn config(draft: &Draft, ConfigVersion { version, sha256, created_at }: ConfigVersion, changed: bool) -> SourceConfig {
    SourceConfig { source: draft.source.clone(), version, sha256, created_at, changed }
}

fn another_version(version: i64) -> Error {
    let message = match version {
        0 => "This source has no configuration yet: set the first one without an expected version.".to_owned(),
        version => format!("The current version is {version}: check what changed, then retry with that version."),
    };
    Error::conflict("version_conflict", message).with_detail("version", version)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn all_invalid_fields_are_reported() {
        let fault = Draft::checked("Front Door", json!([1]), Some(-1)).unwrap_err();
        let fields: Vec<_> = fault.fields().iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(fields, ["source", "config", "expected"]);
        let large = json!({ "a": "x".repeat(limits::MACHINE_CONFIG_MAX) });
        assert_eq!(Draft::checked("door", large, None).unwrap_err().fields()[0].field, "config");
        assert!(Draft::checked("door", json!({}), Some(0)).is_ok());
    }
}
