//! What another registry changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::model::{MachineKey, MachineKeyStatus, Registry};
use super::registry_store::{PrincipalRow, RegistryKeyRow};

/// What another registry changes. Keys are named as requests name them, `<principal_id>/<kid>`; those of
/// principals that come or go are not named one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegistryChanges {
    /// Principals that are new.
    pub added: Vec<String>,
    /// Principals that are gone.
    pub removed: Vec<String>,
    /// Principals that may ask for something again.
    pub enabled: Vec<String>,
    /// Principals that may not ask for anything any more.
    pub disabled: Vec<String>,
    /// Keys that are new.
    pub keys_added: Vec<String>,
    /// Keys that are gone.
    pub keys_removed: Vec<String>,
    /// Keys that cannot be used any more.
    pub keys_revoked: Vec<String>,
    /// Keys that can be used again.
    pub keys_restored: Vec<String>,
    /// Keys that have other bytes or other scopes under the same name.
    pub keys_changed: Vec<String>,
}

impl RegistryChanges {
    /// What differs between what is in force and a registry that is to be.
    pub(super) fn between(principals: &[PrincipalRow], keys: &[RegistryKeyRow], after: &Registry) -> Self {
        let before: HashMap<&str, bool> =
            principals.iter().map(|row| (row.principal_id.as_str(), row.enabled)).collect();
        let mut old_keys: HashMap<&str, BTreeMap<&str, &RegistryKeyRow>> = HashMap::new();
        for key in keys {
            old_keys.entry(&key.principal_id).or_default().insert(&key.kid, key);
        }
        let mut changes = Self::default();
        for principal in &after.principals {
            let id = principal.principal_id.as_str();
            match (before.get(id), principal.enabled) {
                (None, _) => changes.added.push(id.to_owned()),
                (Some(old), enabled) => {
                    if *old != enabled {
                        let list = if enabled { &mut changes.enabled } else { &mut changes.disabled };
                        list.push(id.to_owned());
                    }
                    changes.compare_keys(id, &old_keys.remove(id).unwrap_or_default(), &principal.keys);
                }
            }
        }
        let left: BTreeSet<&str> = after.principals.iter().map(|principal| principal.principal_id.as_str()).collect();
        let gone = principals.iter().filter(|row| !left.contains(row.principal_id.as_str()));
        changes.removed = gone.map(|row| row.principal_id.clone()).collect();
        changes
    }

    fn compare_keys(&mut self, id: &str, before: &BTreeMap<&str, &RegistryKeyRow>, after: &[MachineKey]) {
        for key in after {
            let name = format!("{id}/{}", key.kid);
            let Some(old) = before.get(key.kid.as_str()) else {
                self.keys_added.push(name);
                continue;
            };
            if old.public_key != key.public_key || old.scopes.0 != key.scopes {
                self.keys_changed.push(name.clone());
            }
            match (old.status, key.status) {
                (MachineKeyStatus::Active, MachineKeyStatus::Revoked) => self.keys_revoked.push(name),
                (MachineKeyStatus::Revoked, MachineKeyStatus::Active) => self.keys_restored.push(name),
                _ => {}
            }
        }
        let gone = before.keys().filter(|kid| after.iter().all(|key| key.kid != **kid));
        self.keys_removed.extend(gone.map(|kid| format!("{id}/{kid}")));
    }

    /// Each kind of change with what it concerns.
    pub fn lists(&self) -> [(&'static str, &[String]); 9] {
        [
            ("added", &self.added),
            ("removed", &self.removed),
            ("enabled", &self.enabled),
            ("disabled", &self.disabled),
            ("keys_added", &self.keys_added),
            ("keys_removed", &self.keys_removed),
            ("keys_revoked", &self.keys_revoked),
            ("keys_restored", &self.keys_restored),
            ("keys_changed", &self.keys_changed),
        ]
    }

    /// How many there are of each kind of which there are any.
    pub(super) fn counts(&self) -> BTreeMap<&'static str, usize> {
        self.lists().into_iter().filter(|(_, list)| !list.is_empty()).map(|(kind, list)| (kind, list.len())).collect()
    }
}
