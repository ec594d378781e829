//! The list of all that is compiled into the programs, in the form of `CycloneDX` 1.5.
//!
//! Invariant: the same tree gives the same document, so it has no time and no random number.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The packages whose programs are shipped.
pub(crate) const SHIPPED: [&str; 4] = ["svc-http", "svc-admin", "svc-mcp-stdio", "svc-tui"];

/// The document for what `cargo metadata` says, and the checksums of `Cargo.lock`.
pub(crate) fn document(metadata: &Value, lock: &str) -> Value {
    let packages: BTreeMap<_, _> = list(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<_, _> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), needed_by(node))).collect();
    let mut reached = BTreeSet::new();
    let mut next: Vec<_> = packages
        .iter()
        .filter(|(_, package)| SHIPPED.contains(&text(&package["name"])) && package["source"].is_null())
        .map(|(id, _)| *id)
        .collect();
    while let Some(id) = next.pop() {
        if reached.insert(id) {
            next.extend(nodes.get(id).into_iter().flatten().copied());
        }
    }
    let checksums = checksums(lock);
    let mut components: Vec<_> = reached.iter().map(|id| component(packages[id], &checksums)).collect();
    components.sort_by_key(|component| text(&component["bom-ref"]).to_owned());
    let mut dependencies: Vec<_> = reached
        .iter()
        .map(|id| {
            let on: BTreeSet<_> = nodes[id].iter().map(|id| reference(packages[id])).collect();
            json!({ "ref": reference(packages[id]), "dependsOn": on })
        })
        .collect();
    dependencies.sort_by_key(|dependency| text(&dependency["ref"]).to_owned());
    let version = env!("CARGO_PKG_VERSION");
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "bom-ref": "svc", "name": "svc", "version": version } },
        "components": components,
        "dependencies": dependencies,
    })
}

/// What a package is compiled with. Build scripts and tests do not end up in a program.
fn needed_by(node: &Value) -> Vec<&str> {
    let is_compiled_in = |dependency: &&Value| list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null());
    list(&node["deps"]).filter(is_compiled_in).map(|dependency| text(&dependency["pkg"])).collect()
}

fn component(package: &Value, checksums: &BTreeMap<(&str, &str), &str>) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let mut component = json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": name,
        "version": version,
        "scope": "required",
    });
    if let Some(licence) = package["license"].as_str() {
        // The older form has a slash between alternatives.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(description) = package["description"].as_str() {
        component["description"] = json!(description.trim());
    }
    if package["source"].is_string() {
        component["purl"] = json!(reference(package));
    }
    if let Some(checksum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = package["repository"].as_str() {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

/// The name of a package for other programs.
fn reference(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

/// The checksums of the packages of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let packages = lock.split("[[package]]").skip(1);
    packages
        .filter_map(|package| {
            let value = |name: &str| {
                package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"'))
            };
            Some(((value("name")?, value("version")?), value("checksum")?))
        })
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
