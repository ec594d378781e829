//! The files with which svc is installed: they name settings that there are, and promise what the documents say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::CommandFactory;
use serde_json::Value;

use crate::tidy::root;

/// Read from the environment only, because arguments are visible.
const NO_FLAG: [&str; 1] = ["SVC_SECRET_KEY"];

#[expect(clippy::disallowed_methods, reason = "small files of the tree are read at once")]
fn text_of(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// Every file below a folder.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            below(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The names of settings in a text.
fn variables(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_')
        .filter(|word| word.strip_prefix("SVC_").is_some_and(|name| !name.is_empty()))
        .collect()
}

#[test]
fn every_variable_of_a_deployment_is_a_setting() {
    let command = svc_http::Flags::command();
    let flags: BTreeSet<_> = command.get_arguments().filter_map(|flag| flag.get_env()?.to_str()).collect();
    let documented = text_of("docs/settings.md");
    let mut files = vec![root().join("Dockerfile"), root().join("compose.yaml")];
    below(&root().join("deploy"), &mut files);
    let mut seen = BTreeSet::new();
    for file in &files {
        let text = text_of(file);
        for name in variables(&text) {
            assert!(flags.contains(name) || NO_FLAG.contains(&name), "{} has {name}", file.display());
            assert!(documented.contains(&format!("`{name}`")), "docs/settings.md does not have {name}");
            seen.insert(name.to_owned());
        }
    }
    assert!(seen.len() > 8, "{seen:?}");
}

fn compose() -> Value {
    serde_saphyr::from_str(&text_of("compose.yaml")).unwrap()
}

#[test]
fn without_a_profile_one_node_starts() {
    let compose = compose();
    let services = compose["services"].as_object().unwrap();
    let first: Vec<_> = services.iter().filter(|(_, service)| service["profiles"].is_null()).collect();
    assert_eq!(first.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["svc"]);
    assert!(first[0].1["environment"]["SVC_DATABASE_URL"].is_null(), "it is on SQLite");
    for (name, service) in services {
        let profiles = service["profiles"].as_array();
        assert!(profiles.is_none_or(|profiles| profiles == &["cluster"]), "{name}");
    }
}

#[test]
fn servers_in_containers_have_few_rights_and_are_not_open_to_the_network() {
    let compose = compose();
    for (name, service) in compose["services"].as_object().unwrap() {
        if ["svc", "node-1", "node-2", "cluster"].contains(&name.as_str()) {
            assert_eq!(service["read_only"], true, "{name}");
            assert_eq!(service["cap_drop"][0], "ALL", "{name}");
            assert_eq!(service["security_opt"][0], "no-new-privileges:true", "{name}");
        }
        for port in service["ports"].as_array().into_iter().flatten() {
            assert!(port.as_str().unwrap().starts_with("127.0.0.1:"), "{name} {port}");
        }
        for network in service["networks"].as_array().into_iter().flatten() {
            assert!(compose["networks"].get(network.as_str().unwrap()).is_some(), "{name} {network}");
        }
        for dependency in service["depends_on"].as_object().into_iter().flat_map(serde_json::Map::keys) {
            assert!(compose["services"].get(dependency).is_some(), "{name} {dependency}");
        }
        for volume in service["volumes"].as_array().into_iter().flatten() {
            let source = volume.as_str().unwrap().split(':').next().unwrap();
            assert!(compose["volumes"].as_object().unwrap().contains_key(source), "{name} {source}");
        }
    }
    assert_eq!(compose["services"]["node-1"], compose["services"]["node-2"], "nodes have the same settings");
    for name in ["SVC_DATABASE_URL", "SVC_SECRET_KEY", "SVC_BLOB_URL", "SVC_TRUSTED_PROXIES"] {
        assert!(compose["services"]["node-1"]["environment"][name].is_string(), "{name}");
    }
}

#[test]
fn the_image_is_built_from_what_the_context_has() {
    let dockerfile = text_of("Dockerfile");
    let toolchain = text_of("rust-toolchain.toml");
    let channel = toolchain.split('"').nth(1).unwrap();
    assert!(dockerfile.contains(&format!("FROM rust:{channel}-")), "the compiler is another one");
    assert!(dockerfile.contains(&format!("RUSTUP_TOOLCHAIN={channel} ")), "the compiler is another one");
    let last = dockerfile.rsplit("\nFROM ").next().unwrap();
    assert!(last.starts_with("gcr.io/distroless/"), "{last}");
    let user = last.lines().find_map(|line| line.strip_prefix("USER ")).unwrap();
    // Kubernetes cannot see that a name is not root.
    assert!(user.split(':').all(|id| id.parse::<u32>().is_ok_and(|id| id > 0)), "{user}");
    assert!(last.contains(r#"CMD ["/usr/local/bin/svc-http", "health"]"#), "{last}");
    // Nothing that the build reads is left out of the context.
    let ignored = text_of(".dockerignore");
    let ignored: Vec<_> = ignored.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(ignored.iter().all(|line| !line.contains("**") && !line.starts_with('!')), "keep them simple: {ignored:?}");
    let manifest = text_of("Cargo.toml");
    let members = manifest.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let members = members.split('"').skip(1).step_by(2);
    let needed = ["Cargo.toml", "Cargo.lock", ".cargo", "LICENSE", "tests/it", "benches/hub", "examples"];
    for path in members.chain(needed).chain(["svc-http/web/dist", "svc-http/templates", "svc-core/migrations"]) {
        assert!(root().join(path).exists(), "{path}");
        assert!(!ignored.iter().any(|line| Path::new(path).starts_with(line)), "{path} is not in the context");
    }
}

/// The unit with its drop-in, with a program that is there.
fn unit(folder: &Path) -> PathBuf {
    let text = text_of("deploy/systemd/svc.service");
    let unit = folder.join("svc.service");
    let drop_in = folder.join("svc.service.d");
    std::fs::create_dir(&drop_in).unwrap();
    std::fs::copy(root().join("deploy/systemd/svc.service.d/agents.conf"), drop_in.join("agents.conf")).unwrap();
    let text = text.replace("/usr/local/bin/svc-http", "/bin/true");
    std::io::Write::write_all(&mut std::fs::File::create(&unit).unwrap(), text.as_bytes()).unwrap();
    unit
}

#[test]
fn systemd_accepts_the_unit_and_finds_it_well_protected() {
    let text = text_of("deploy/systemd/svc.service");
    for line in ["User=svc", "ProtectSystem=strict", "NoNewPrivileges=yes", "StateDirectory=svc", "KillMode=mixed"] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
    let folder = tempfile::TempDir::new().unwrap();
    let unit = unit(folder.path());
    // A scale to 100, on which most services of a distribution have more than 60.
    let questions: [&[&str]; 2] =
        [&["verify", "--man=no"], &["security", "--offline=true", "--threshold=20", "--no-pager"]];
    for question in questions {
        let Ok(output) = Command::new("systemd-analyze").args(question).arg(&unit).output() else {
            println!("skipped: systemd-analyze: it is not installed");
            return;
        };
        let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{question:?}: {told}");
    }
}

#[test]
fn the_chart_has_the_version_and_the_rights_of_the_server() {
    let chart: Value = serde_saphyr::from_str(&text_of("deploy/helm/svc/Chart.yaml")).unwrap();
    assert_eq!(chart["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(chart["appVersion"], env!("CARGO_PKG_VERSION"));
    let values: Value = serde_saphyr::from_str(&text_of("deploy/helm/svc/values.yaml")).unwrap();
    let schema: Value = serde_json::from_str(&text_of("deploy/helm/svc/values.schema.json")).unwrap();
    let valid = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<_> = valid.iter_errors(&values).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    let described: BTreeSet<_> =
        schema["properties"].as_object().unwrap().keys().filter(|key| *key != "global").collect();
    assert_eq!(described, values.as_object().unwrap().keys().collect::<BTreeSet<_>>());
}
