//! The differences between two registries.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use svc_model::principals::{MachineKey, MachineKeyStatus, Registry, RegistryChanges};

use super::store::registry::{PrincipalRow, RegistryKeyRow};

/// Compares the loaded registry with a new one.
pub(super) fn between(principals: &[PrincipalRow], keys: &[RegistryKeyRow], after: &Registry) -> RegistryChanges {
    let before: HashMap<&str, bool> = principals.iter().map(|row| (row.principal_id.as_str(), row.enabled)).collect();
    let mut old_keys: HashMap<&str, BTreeMap<&str, &RegistryKeyRow>> = HashMap::new();
    for key in keys {
        old_keys.entry(&key.principal_id).or_default().insert(&key.kid, key);
    }
    let mut changes = RegistryChanges::default();
    for principal in &after.principals {
        let id = principal.principal_id.as_str();
        match (before.get(id), principal.enabled) {
            (None, _) => changes.added.push(id.to_owned()),
            (Some(old), enabled) => {
                if *old != enabled {
                    let list = if enabled { &mut changes.enabled } else { &mut changes.disabled };
                    list.push(id.to_owned());
                }
                compare_keys(&mut changes, id, &old_keys.remove(id).unwrap_or_default(), &principal.keys);
            }
        }
    }
    let left: BTreeSet<&str> = after.principals.iter().map(|principal| principal.principal_id.as_str()).collect();
    let gone = principals.iter().filter(|row| !left.contains(row.principal_id.as_str()));
    changes.removed = gone.map(|row| row.principal_id.clone()).collect();
    changes
}

fn compare_keys(
    changes: &mut RegistryChanges,
    id: &str,
    before: &BTreeMap<&str, &RegistryKeyRow>,
    after: &[MachineKey],
) {
    for key in after {
        let name = format!("{id}/{}", key.kid);
        let Some(old) = before.get(key.kid.as_str()) else {
            changes.keys_added.push(name);
            continue;
        };
        if old.public_key != key.public_key || old.scopes.0 != key.scopes {
            changes.keys_changed.push(name.clone());
        }
        match (old.status, key.status) {
            (MachineKeyStatus::Active, MachineKeyStatus::Revoked) => changes.keys_revoked.push(name),
            (MachineKeyStatus::Revoked, MachineKeyStatus::Active) => changes.keys_restored.push(name),
            _ => {}
        }
    }
    let gone = before.keys().filter(|kid| after.iter().all(|key| key.kid != **kid));
    changes.keys_removed.extend(gone.map(|kid| format!("{id}/{kid}")));
}
