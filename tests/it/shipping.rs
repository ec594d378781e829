//! What `make dist` ships besides the programs: manual pages, completions, the list of dependencies.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command as Process;

use clap::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::tidy::root;

#[path = "../../examples/shipping/pages.rs"]
mod pages;
#[path = "../../examples/shipping/sbom.rs"]
mod sbom;

fn made() -> TempDir {
    let folder = TempDir::new().unwrap();
    pages::write_all(folder.path()).unwrap();
    folder
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[expect(clippy::disallowed_methods, reason = "this test has nothing else to do")]
fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The pages that a command and those below it should have.
fn expected(command: &Command, before: &str, section: &str, found: &mut BTreeSet<String>) {
    let name = format!("{before}{}", command.get_name());
    found.insert(format!("{name}.{section}"));
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set() && inner.get_name() != "help") {
        expected(inner, &format!("{name}-"), section, found);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let made = made();
    let manuals = made.path().join("man");
    let mut wanted = BTreeSet::new();
    for program in pages::programs() {
        expected(&program.command, "", program.section, &mut wanted);
    }
    assert!(wanted.len() > 100 && wanted.contains("svc-admin-users-create.8"), "{wanted:?}");
    assert_eq!(names(&manuals), wanted);
    for (page, words) in [
        ("svc-http.8", ["SVC_LISTEN", "postgres://", ".SH EXAMPLES", "svc\\-http\\-health(8)"]),
        ("svc-admin-users-create.8", ["svc\\-admin users create", ".SH OPTIONS", ".SH EXAMPLES", "\\-\\-output"]),
        ("svc-tui.1", ["svc\\-tui\\-logout(1)", "\\-\\-url", "NO_COLOR", ".SH VERSION"]),
        ("svc-mcp-stdio.1", ["svc\\-mcp\\-stdio\\-wait(1)", "SVC_AGENT_KEY", ".SH NAME", ".SH SYNOPSIS"]),
    ] {
        let text = text_of(&manuals.join(page));
        for word in words {
            assert!(text.contains(word), "{word} is not in {page}:\n{text}");
        }
    }
}

#[test]
fn no_page_depends_on_the_machine_that_made_it() {
    let made = made();
    for name in names(&made.path().join("man")) {
        let text = text_of(&made.path().join("man").join(&name));
        for told in [made.path().to_str().unwrap(), env!("CARGO_MANIFEST_DIR")] {
            assert!(!text.contains(told), "{name} contains {told}");
        }
    }
}

#[test]
fn completions_are_scripts_that_their_shells_read() {
    let made = made();
    let completions = made.path().join("completions");
    let mut wanted = BTreeSet::new();
    for program in pages::programs() {
        let name = program.command.get_name();
        wanted.extend([format!("{name}.bash"), format!("_{name}"), format!("{name}.fish")]);
    }
    assert_eq!(names(&completions), wanted);
    for name in wanted {
        let path = completions.join(&name);
        assert!(!text_of(&path).contains("restore-terminal"), "{name} offers what only the program calls");
        let shell = match name.rsplit_once('.') {
            Some((_, shell)) => shell,
            None => "zsh",
        };
        // Bash is everywhere; of the others whichever is there.
        let Ok(output) = Process::new(shell).arg("-n").arg(&path).output() else {
            assert_ne!(shell, "bash", "bash is not installed");
            continue;
        };
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What `cargo metadata` says of this tree.
fn metadata() -> Value {
    let output = Process::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_list_of_dependencies_has_what_is_compiled_in() {
    let document = sbom::document(&metadata(), &text_of(&root().join("Cargo.lock")));
    assert_eq!((&document["bomFormat"], &document["specVersion"]), (&json!("CycloneDX"), &json!("1.5")));
    let components = document["components"].as_array().unwrap();
    let listed: BTreeSet<_> = components
        .iter()
        .map(|component| format!("{} v{}", component["name"].as_str().unwrap(), component["version"].as_str().unwrap()))
        .collect();
    assert_eq!(listed.len(), components.len(), "each is there once");
    for package in sbom::SHIPPED {
        let output = Process::new(env!("CARGO"))
            .args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
            .args(["--package", package])
            .current_dir(root())
            .output()
            .unwrap();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let name: Vec<_> = line.split(' ').take(2).collect();
            assert!(listed.contains(&name.join(" ")), "{line}");
        }
    }
    assert!(!listed.iter().any(|name| name.starts_with("proptest ")), "tests are not shipped");
    for component in components {
        assert!(component["licenses"][0]["expression"].is_string(), "{component}");
        let ours = component["name"].as_str().unwrap().starts_with("svc-");
        assert_eq!(
            component["hashes"][0]["content"].as_str().is_some_and(|hash| hash.len() == 64),
            !ours,
            "{component}"
        );
    }
}
