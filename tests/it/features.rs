//! The features of shared dependencies: every binary asks for one set, so nothing is compiled twice.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const BINARIES: [&str; 4] = ["svc-http", "svc-admin", "svc-mcp-stdio", "svc-tui"];

/// The dependencies of a package for the machine that runs it, each with its features.
fn dependencies(package: &str) -> BTreeMap<String, String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}|{f}"])
        .args(["--package", package])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // A second mention of a dependency ends with a star; procedural macros are built for the compiler.
    let lines = text.lines().filter(|line| !line.contains("(proc-macro)"));
    lines
        .filter_map(|line| line.split_once('|'))
        .map(|(name, features)| (name.to_owned(), features.trim_end_matches(" (*)").to_owned()))
        .collect()
}

#[test]
fn binaries_agree_about_the_features_of_what_they_share() {
    let built = BINARIES.map(dependencies);
    let names: BTreeSet<_> = built.iter().flat_map(BTreeMap::keys).collect();
    let differing: Vec<_> = names
        .into_iter()
        .filter_map(|name| {
            let sets: BTreeSet<_> = built.iter().filter_map(|dependencies| dependencies.get(name)).collect();
            (sets.len() > 1).then_some((name, sets))
        })
        .collect();
    assert!(differing.is_empty(), "add the union to svc-features/Cargo.toml: {differing:#?}");
}
