//! The floors of `svc-core`, and the crates: each imports only those below it.

use std::collections::BTreeSet;
use std::path::Path;

/// From the bottom to the top. Files that stand on no floor are the base, below all of them.
const FLOORS: [&str; 9] =
    ["base", "store", "identity", "messaging", "automation", "insight", "knowledge", "hub", "face"];

/// The imports that still run upward: the file, and what it reaches. One that is mended is removed here.
const KNOWN: &[(&str, &str)] = &[];

fn height(floor: &str) -> usize {
    FLOORS.iter().position(|name| *name == floor).unwrap_or(0)
}

/// What a text imports from the crate, as `floor::module`, with braces opened.
fn imports(text: &str) -> BTreeSet<String> {
    let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    // Tests stand on the whole house.
    let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let path = &code[at + "crate::".len()..];
        let Some((floor, rest)) = path.split_once("::") else { continue };
        if !FLOORS.contains(&floor) {
            continue;
        }
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest,
        };
        let braces = rest.starts_with('{');
        for name in names.split(',').take(if braces { usize::MAX } else { 1 }) {
            let name: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if !name.is_empty() {
                found.insert(format!("{floor}::{name}"));
            }
        }
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "this test has nothing else to do")]
fn walk(folder: &Path, root: &Path, visit: &mut dyn FnMut(String, String)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, root, visit);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            visit(name, std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn no_import_runs_upward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("svc-core/src");
    let mut upward = BTreeSet::new();
    walk(&root, &root, &mut |file, text| {
        // The crate's own front page, and the entrances of fuzzers, name everything.
        if file == "lib.rs" || file == "fuzzing.rs" {
            return;
        }
        let own = height(file.split('/').next().unwrap_or_default());
        for import in imports(&text) {
            if height(import.split("::").next().unwrap_or_default()) > own {
                upward.insert((file.clone(), import));
            }
        }
    });
    let known: BTreeSet<_> = KNOWN.iter().map(|(file, import)| (file.to_string(), import.to_string())).collect();
    let new: Vec<_> = upward.difference(&known).collect();
    assert!(new.is_empty(), "imports that run upward: {new:?}");
    let mended: Vec<_> = known.difference(&upward).collect();
    assert!(mended.is_empty(), "no longer there, so remove them from the list: {mended:?}");
}

#[test]
fn no_layer_imports_the_public_modules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("svc-core/src");
    let mut public = BTreeSet::new();
    walk(&root.join("face"), &root, &mut |file, _| {
        let name = file.trim_start_matches("face/").trim_end_matches(".rs").to_owned();
        public.insert(format!("crate::{name}::"));
    });
    assert!(public.contains("crate::messages::"), "{public:?}");
    walk(&root, &root, &mut |file, text| {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code.filter(|_| !file.starts_with("face/")) {
            let named = public.iter().find(|path| line.contains(path.as_str()));
            assert!(named.is_none(), "{file} imports through the public modules: {line}");
        }
    });
}

#[test]
fn imports_are_read_in_every_form() {
    let text = "use crate::messaging::{channels, messages::Statement};\nuse crate::hub::Hub;\n// crate::insight::live\n\
                fn f(x: crate::identity::auth::Caller) {}\n#[cfg(test)]\nmod tests { use crate::insight::traces; }";
    let found: Vec<_> = imports(text).into_iter().collect();
    assert_eq!(found, ["hub::Hub", "identity::auth", "messaging::channels", "messaging::messages"]);
}

/// The crates from the bottom to the top, each with those that it may depend on besides `svc-macros`.
const CRATES: [(&str, &[&str]); 9] = [
    ("svc-macros", &[]),
    ("svc-model", &[]),
    ("svc-client", &["svc-model"]),
    ("svc-core", &["svc-model"]),
    ("svc-features", &["svc-core"]),
    ("svc-mcp", &["svc-core"]),
    ("svc-admin", &["svc-client", "svc-core", "svc-features"]),
    ("svc-mcp-stdio", &["svc-core", "svc-features", "svc-mcp"]),
    ("svc-tui", &["svc-client", "svc-core", "svc-features"]),
];

#[test]
#[expect(clippy::disallowed_methods, reason = "this test has nothing else to do")]
fn no_crate_depends_on_one_above_it() {
    for (name, allowed) in CRATES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join("Cargo.toml");
        let text = std::fs::read_to_string(file).unwrap();
        let used = text.split("[dependencies]").nth(1).unwrap_or_default();
        let used = used.split("\n[").next().unwrap_or_default().lines();
        let ours = used.filter_map(|line| line.split_once(" =")).map(|(used, _)| used.trim());
        let upward: Vec<_> =
            ours.filter(|used| used.starts_with("svc-") && *used != "svc-macros" && !allowed.contains(used)).collect();
        assert!(upward.is_empty(), "{name} depends on {upward:?}");
    }
}
