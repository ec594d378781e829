//! Rules of the house that a test can keep.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use poem_openapi::types::ToJSON;
use serde_json::json;
use svc_core::db::{Engine, Tx, known_constraints, migration_names};
use svc_core::health::{Readiness, StoreHealth};
use svc_core::ids::{EventSeq, TraceId, UserId};
use svc_core::workers::WorkerHealth;
use svc_core::{Result, Timestamp};

use crate::support::hub::TestHub;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[expect(clippy::disallowed_methods, reason = "these tests have nothing else to do")]
fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Every file of the project with this ending.
pub(crate) fn files(ending: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let foreign = name.starts_with('.') || ["target", "node_modules", "dist", "data"].contains(&name.as_str());
            if path.is_dir() && !foreign {
                walk(&path, ending, found);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(root(), ending, &mut found);
    assert!(!found.is_empty());
    found
}

#[test]
fn the_core_knows_no_protocol() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "svc-core", "--edges", "normal", "--prefix", "none", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    let reached: BTreeSet<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(reached.contains("rusqlite"), "{tree}");
    // The client of other servers brings hyper, so it is not among them; nothing that serves is there.
    for forbidden in ["poem", "poem-openapi", "rmcp", "clap", "ratatui", "sqlx"] {
        assert!(!reached.contains(forbidden), "svc-core reaches {forbidden}");
    }
}

#[test]
fn every_file_says_what_it_is() {
    for path in files(".rs") {
        assert!(text_of(&path).starts_with("//! "), "{} has no module doc", path.display());
    }
}

#[test]
fn no_file_has_grown_past_reading() {
    for path in files(".rs") {
        let lines = text_of(&path).lines().count();
        assert!(lines <= 500, "{} has {lines} lines: split it by verb", path.display());
    }
}

/// What stands before a path where `svc-http` declares a route or makes an address.
const PATHS_ARE_MADE: [&str; 9] =
    [".at(", ".and(", "path = ", "map_or(", "format!(", "path_to(", "=> ", "(&request, ", "pointer_mut("];
/// Files that list the paths of their own routes.
const ROUTES_ARE_LISTED: [&str; 2] = ["routes/contracts.rs", "routes/oauth/mod.rs"];
/// Files that take paths apart to compare them with the patterns of routes.
const PATTERNS_ARE_COMPARED: [&str; 2] = ["allowed_methods.rs", "operations.rs"];

/// Whether a line names a path other than to declare a route or to make an address.
fn compares_a_path(line: &str) -> bool {
    line.match_indices("\"/").any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + 2..]);
        let is_path = after.starts_with(|letter: char| letter.is_alphanumeric() || letter == '.');
        is_path && !before.ends_with('\\') && !PATHS_ARE_MADE.iter().any(|made| before.ends_with(made))
    })
}

/// What a file says outside of its tests and comments, by line.
pub(crate) fn code_of(path: &Path) -> Vec<String> {
    let text = text_of(path);
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).map(ToOwned::to_owned).collect()
}

#[test]
fn one_file_says_what_follows_from_a_path() {
    for line in [
        r#"if path.starts_with("/api/") {"#,
        r#"const PATHS: [&str; 2] = ["/login", "/device"];"#,
        r#"const PATHS: &str = "/api/machine/";"#,
        r#"first == "/mcp""#,
        r#"| "/oauth/token" => Class::Write,"#,
        r#".except("/.well-known", 5)"#,
    ] {
        assert!(compares_a_path(line), "{line}");
    }
    assert!(!compares_a_path(r#".at("/mcp", endpoint)"#) && !compares_a_path(r#"next.starts_with("//")"#));
    let sources = root().join("svc-http/src");
    let mut found = Vec::new();
    for path in files(".rs").into_iter().filter(|path| path.starts_with(&sources)) {
        let is = |names: &[&str]| names.iter().any(|name| path == sources.join(name));
        if is(&["area.rs", "pages/tests.rs"]) {
            continue;
        }
        for line in code_of(&path) {
            let takes_apart = line.contains(".split('/')") || line.contains(".split(\"/\")");
            if compares_a_path(&line) && !is(&ROUTES_ARE_LISTED) || takes_apart && !is(&PATTERNS_ARE_COMPARED) {
                found.push(format!("{}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "ask svc-http/src/area.rs instead: {found:#?}");
}

/// Whether a line begins a statement. A call without an argument reads the query of an address.
fn begins_a_statement(line: &str) -> bool {
    line.contains("Tx::query") || line.split(".query(").skip(1).any(|after| !after.starts_with(')'))
}

/// Whether a file of `svc-core/src`, by its path from there, may contain SQL.
fn is_store(path: &Path) -> bool {
    let in_a_folder = path.parent().is_some_and(|folder| folder.iter().any(|name| name == "store"));
    in_a_folder || path.ends_with("store.rs") || path.ends_with("dialect.rs")
}

#[test]
fn sql_stands_in_stores() {
    for line in ["    tx.query(FIND).bind(id)", "        .query(", "viewer.bind(tx.query(text))", "Tx::query(tx, FIND)"]
    {
        assert!(begins_a_statement(line), "{line}");
    }
    assert!(!begins_a_statement("&& url.query().is_none()"));
    let sources = root().join("svc-core/src");
    let (mut stores, mut found) = (0, Vec::new());
    for path in files(".rs") {
        let Ok(inside) = path.strip_prefix(&sources) else { continue };
        let is_test = inside.file_stem().is_some_and(|name| name.to_string_lossy().ends_with("tests"));
        let statements: Vec<_> = code_of(&path).into_iter().filter(|line| begins_a_statement(line)).collect();
        if is_store(inside) {
            stores += usize::from(!statements.is_empty());
        } else if !is_test {
            found.extend(statements.iter().map(|line| format!("{}: {}", inside.display(), line.trim())));
        }
    }
    assert!(stores > 50, "only {stores} stores were found");
    assert!(found.is_empty(), "move these into the store of their noun: {found:#?}");
}

#[test]
fn columns_are_listed() {
    let star = ["SELECT", " *"].concat();
    for path in files(".rs").into_iter().chain(files(".sql")) {
        let text = text_of(&path);
        let selects_all = text.match_indices(&star).any(|(at, _)| !text[at + star.len()..].starts_with('/'));
        assert!(!selects_all, "{} does not list its columns", path.display());
    }
}

/// The crates that other programs depend on.
const LIBRARIES: [&str; 4] = ["svc-macros", "svc-model", "svc-client", "svc-core"];

/// The text up to the bracket that closes the one before it.
fn up_to_closing(text: &str) -> &str {
    let mut open = 1;
    let end = text.find(|c| {
        open += i32::from("([".contains(c)) - i32::from(")]".contains(c));
        open == 0
    });
    &text[..end.unwrap_or(text.len())]
}

#[test]
fn libraries_include_no_file_from_outside_their_folder() {
    let mut seen = 0;
    for path in files(".rs") {
        let inside = path.strip_prefix(root()).unwrap();
        let Some(library) = LIBRARIES.iter().find(|name| inside.starts_with(name)) else { continue };
        let text = text_of(&path);
        for start in ["include_str!(", "include_bytes!(", "include!(", "#[path ="] {
            for (at, _) in text.match_indices(start) {
                let argument = up_to_closing(&text[at + start.len()..]);
                let file: String = argument.split('"').skip(1).step_by(2).collect();
                let (mut reached, file) = match file.strip_prefix("CARGO_MANIFEST_DIR") {
                    Some(file) => (PathBuf::from(library), file),
                    None => (inside.parent().unwrap().to_owned(), file.as_str()),
                };
                for part in file.split('/') {
                    if part == ".." {
                        reached.pop();
                    } else {
                        reached.push(part);
                    }
                    assert!(reached.starts_with(library), "{} includes {file} from outside", inside.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 10, "only {seen} included files were found");
}

#[test]
fn the_package_of_the_core_has_its_migrations_and_contracts() {
    let output = Command::new(env!("CARGO"))
        .args(["package", "--list", "--package", "svc-core", "--allow-dirty", "--offline", "--exclude-lockfile"])
        .current_dir(root())
        .output()
        .unwrap();
    let list = String::from_utf8_lossy(&output.stdout).replace('\\', "/");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let packaged: BTreeSet<_> = list.lines().collect();
    for name in migration_names() {
        for engine in ["sqlite", "postgres"] {
            assert!(packaged.contains(format!("migrations/{engine}/{name}.sql").as_str()), "{name} of {engine}");
        }
    }
    for file in ["README.md", "contracts/v1/machine-principal-registry.schema.json"] {
        assert!(packaged.contains(file), "{file}");
    }
}

#[test]
fn both_engines_have_the_same_migrations() {
    let names = |engine: &str| -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(root().join("svc-core/migrations").join(engine))
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("sqlite"), migration_names());
    assert_eq!(names("postgres"), migration_names());
}

#[test]
fn foreign_keys_are_checked_at_once() {
    // A deferred one fails the commit that everybody in a batch shares.
    for path in files(".sql") {
        assert!(!text_of(&path).to_uppercase().contains("DEFERR"), "{} defers a constraint", path.display());
    }
}

/// `table.column` with its kind, and the named rules, as an engine tells them. Each engine finds words
/// in its own way.
async fn schema(tx: &mut Tx) -> Result<(BTreeSet<String>, BTreeSet<String>)> {
    let (columns, rules) = match tx.engine() {
        Engine::Sqlite => (
            "SELECT t.name || '.' || c.name || ' ' || CASE c.\"notnull\" + c.pk > 0 WHEN 1 THEN 'required' ELSE 'optional' END
               FROM sqlite_schema t JOIN pragma_table_info(t.name) c
              WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'message_words%'
                AND t.name NOT LIKE 'wiki_words%'",
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND name NOT LIKE 'sqlite_%'",
        ),
        Engine::Postgres => (
            "SELECT table_name || '.' || column_name || ' ' || CASE is_nullable WHEN 'NO' THEN 'required' ELSE 'optional' END
               FROM information_schema.columns
              WHERE table_schema = 'public' AND NOT (table_name IN ('messages', 'wiki_articles') AND column_name = 'words')",
            "SELECT CAST(indexname AS TEXT) FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%_pkey'
                AND indexname NOT IN ('message_words', 'wiki_words')",
        ),
    };
    let columns: Vec<(String,)> = tx.query(columns).fetch_all().await?;
    let rules: Vec<(String,)> = tx.query(rules).fetch_all().await?;
    Ok((columns.into_iter().map(|(name,)| name).collect(), rules.into_iter().map(|(name,)| name).collect()))
}

#[tokio::test]
async fn both_engines_have_the_same_tables_columns_and_indexes() {
    let sqlite = TestHub::sqlite().await;
    let Some(postgres) = TestHub::postgres().await else { return };
    let read = |test: &TestHub| {
        let hub = test.hub.clone();
        async move { hub.db().read((), |tx, ()| Box::pin(schema(tx))).await.unwrap() }
    };
    assert_eq!(read(&sqlite).await, read(&postgres).await);
}

#[test]
fn every_constraint_with_a_sentence_is_in_the_schema() {
    for engine in ["sqlite", "postgres"] {
        let folder = root().join("svc-core/migrations").join(engine);
        let schema: String =
            migration_names().iter().map(|name| text_of(&folder.join(name).with_extension("sql"))).collect();
        for constraint in known_constraints() {
            assert!(schema.contains(constraint), "{constraint} is not in the schema of {engine}");
        }
    }
}

fn assert_encoders_agree<T: serde::Serialize + ToJSON>(value: &T) {
    assert_eq!(Some(serde_json::to_value(value).unwrap()), value.to_json());
}

#[test]
fn all_encoders_print_the_same_json() {
    let at = Timestamp::from_micros(1_767_225_600_123_456);
    let worker = json!({
        "name": "sweeper", "state": "elsewhere", "last_run_at": at, "last_error": null, "failures": 3
    });
    let store = json!({"engine": "postgres", "ok": false, "code": "storage_full", "error": "Full."});
    let files = json!({"ok": true, "damaged": 1, "unknown": 2});
    let readiness = json!({"status": "degraded", "store": store, "files": files, "workers": [worker]});
    assert_encoders_agree(&at);
    assert_encoders_agree(&EventSeq(i64::MAX));
    assert_encoders_agree(&UserId(1));
    assert_encoders_agree(&TraceId(2));
    assert_encoders_agree::<WorkerHealth>(&serde_json::from_value(worker).unwrap());
    assert_encoders_agree::<StoreHealth>(&serde_json::from_value(store).unwrap());
    assert_encoders_agree::<Readiness>(&serde_json::from_value(readiness).unwrap());
}
