//! The dashboard and the alert rules name only what `/metrics` really has, and the documentation names all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::support::admin::svc_admin;
use crate::support::machines::{TestMachine, registry};
use crate::support::server::TestServer;
use crate::support::wait::until;
use crate::tidy::root;

/// What Prometheus adds itself.
const OF_PROMETHEUS: [&str; 3] = ["job", "instance", "le"];

/// A metric in an expression, with the labels that it is selected by.
#[derive(Debug, Default, PartialEq, Eq)]
struct Selector {
    metric: String,
    labels: Vec<(String, String)>,
}

/// What an expression of Prometheus reads.
#[derive(Debug, Default)]
struct Reads {
    selectors: Vec<Selector>,
    grouped_by: BTreeSet<String>,
}

/// Takes an expression apart as far as needed: names that are no functions, their labels, and the labels of groups.
fn reads(expression: &str) -> Reads {
    let mut found = Reads::default();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let after = after.trim_start();
            rest = match (word, after.chars().next()) {
                ("by" | "without", Some('(')) => {
                    let (list, after) = after[1..].split_once(')').expect("a list ends");
                    found.grouped_by.extend(list.split(',').map(|label| label.trim().to_owned()));
                    after
                }
                ("and" | "or" | "unless", _) | (_, Some('(')) => after,
                // An aggregation, as `sum by (status) (…)`.
                _ if ["by", "without"].iter().any(|word| after.split([' ', '(']).next() == Some(word)) => after,
                (_, Some('{')) => {
                    let (labels, after) = after[1..].split_once('}').expect("labels end");
                    found.selectors.push(Selector { metric: word.to_owned(), labels: labels_of(labels) });
                    after
                }
                _ => {
                    found.selectors.push(Selector { metric: word.to_owned(), labels: Vec::new() });
                    after
                }
            };
        } else if first.is_ascii_digit() {
            // A number with its exponent.
            rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '.');
        } else if first == '[' {
            rest = rest.split_once(']').expect("a range ends").1;
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

/// `name="value", …`; a value that is a pattern is empty here.
fn labels_of(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(',').filter(|pair| !pair.trim().is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').expect("a label has a value");
            let is_pattern = value.starts_with('~');
            let value = if is_pattern { "" } else { value.trim().trim_matches('"') };
            (name.trim().trim_end_matches('!').to_owned(), value.to_owned())
        })
        .collect()
}

#[test]
fn expressions_are_taken_apart() {
    let found =
        reads(r#"sum by (le, worker) (rate(a_total{job="svc", status=~"5.."}[5m])) / 2e9 > 0.5 and b or vector(0)"#);
    let names: Vec<_> = found.selectors.iter().map(|selector| selector.metric.as_str()).collect();
    assert_eq!(names, ["a_total", "b"]);
    assert_eq!(found.selectors[0].labels, [("job".into(), "svc".into()), ("status".into(), String::new())]);
    assert!(found.grouped_by.contains("le") && found.grouped_by.contains("worker"));
}

/// Metrics as they are served: names, labels, values of labels.
type Exposed = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

fn exposed(text: &str) -> Exposed {
    let mut found = Exposed::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let name_ends = line.find(['{', ' ']).expect("a sample has a value");
        let labels = line[name_ends..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let of_metric = found.entry(line[..name_ends].to_owned()).or_default();
        for (name, value) in labels_of(labels.map_or("", |(labels, _)| labels)) {
            of_metric.entry(name).or_default().insert(value);
        }
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "small files of the tree are read at once")]
fn text_of(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The expressions of the dashboard, by their panels.
fn of_the_dashboard() -> Vec<(String, String)> {
    let dashboard: Value = serde_json::from_str(&text_of("deploy/grafana/svc.json")).unwrap();
    let mut found = Vec::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        let title = panel["title"].as_str().unwrap();
        for target in panel["targets"].as_array().into_iter().flatten() {
            found.push((title.to_owned(), target["expr"].as_str().unwrap().to_owned()));
        }
    }
    for variable in dashboard["templating"]["list"].as_array().unwrap() {
        if let Some(query) = variable["definition"].as_str() {
            let inner = query.trim_start_matches("label_values(").rsplit_once(',').unwrap().0;
            found.push((variable["name"].as_str().unwrap().to_owned(), inner.to_owned()));
        }
    }
    found
}

/// The expressions of the alert rules, by their names.
fn of_the_rules() -> Vec<(String, String)> {
    let rules: Value = serde_saphyr::from_str(&text_of("deploy/prometheus/alerts.yaml")).unwrap();
    let groups = rules["groups"].as_array().unwrap().iter();
    let rules = groups.flat_map(|group| group["rules"].as_array().unwrap());
    rules.map(|rule| (rule["alert"].as_str().unwrap().to_owned(), rule["expr"].as_str().unwrap().to_owned())).collect()
}

/// The metrics of the documentation.
fn documented() -> BTreeSet<String> {
    let text = text_of("docs/metrics.md");
    let cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    let names = cells.flat_map(|(cell, _)| cell.split(", `"));
    names.map(|name| name.trim_end_matches('`').split('{').next().unwrap_or_default().to_owned()).collect()
}

/// The metrics of a server, as people know them.
fn named(text: &str) -> BTreeSet<String> {
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    types.map(|(name, kind)| if kind == "counter" { format!("{name}_total") } else { name.to_owned() }).collect()
}

/// Why an expression finds nothing on this server.
fn faults(expression: &str, exposed: &Exposed) -> Vec<String> {
    let reads = reads(expression);
    let mut faults = Vec::new();
    for Selector { metric, labels } in &reads.selectors {
        if metric == "up" {
            continue;
        }
        let Some(known) = exposed.get(metric) else {
            faults.push(format!("the server has no {metric}"));
            continue;
        };
        for (label, value) in labels.iter().filter(|(label, _)| !OF_PROMETHEUS.contains(&label.as_str())) {
            let is_there = known.get(label).is_some_and(|values| value.is_empty() || values.contains(value));
            if !is_there {
                faults.push(format!("{metric} has no {label}={value}: {known:?}"));
            }
        }
    }
    let labels: BTreeSet<_> =
        exposed.values().flat_map(BTreeMap::keys).map(String::as_str).chain(OF_PROMETHEUS).collect();
    faults.extend(
        reads
            .grouped_by
            .iter()
            .filter(|label| !labels.contains(label.as_str()))
            .map(|label| format!("no metric has {label}")),
    );
    faults
}

#[tokio::test(flavor = "multi_thread")]
async fn the_dashboard_and_the_rules_name_metrics_that_there_are() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("machines.json");
    tokio::fs::write(&file, registry(&[&TestMachine::new("door")]).to_string()).await.unwrap();
    let server = TestServer::start(|config| config.machine_registry = Some(file)).await;
    // A backup, whose size is a metric.
    let to = folder.path().join("archives");
    svc_admin(&server, &["backup", "schedule", "--to", to.to_str().unwrap()]).await.worked();
    until("a backup", async || {
        let text = server.get("/metrics").await.text().await.unwrap();
        text.contains("\nbackup_last_size_bytes ").then_some(())
    })
    .await;
    // Something that is traced, and a request that fails.
    let ann = server.person("ann").await;
    server.say(&ann, json!({ "channel": "general", "body": "hello" })).await;
    server.hub.db().write((), |tx, ()| Box::pin(tx.query("DROP TABLE readiness").execute())).await.unwrap();
    assert_eq!(server.get("/readyz").await.status(), 503);
    let text = until("slow figures are there", async || {
        let text = server.get("/metrics").await.text().await.unwrap();
        ["claim_backlog{", "machine_registry_file_ok", "status=\"5xx\"", "traces_by_action{", "hub_nodes{"]
            .iter()
            .all(|part| text.contains(part))
            .then_some(text)
    })
    .await;
    let exposed = exposed(&text);
    let (panels, rules) = (of_the_dashboard(), of_the_rules());
    assert!(panels.len() > 40 && rules.len() > 15, "{} {}", panels.len(), rules.len());
    let found: Vec<_> = panels
        .iter()
        .chain(&rules)
        .flat_map(|(name, expression)| {
            faults(expression, &exposed).into_iter().map(move |fault| format!("{name}: {fault}"))
        })
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    assert!(!faults("rate(no_such_metric[5m])", &exposed).is_empty());
    // Those of the export are there only with it.
    let documented: BTreeSet<_> = documented().into_iter().filter(|name| !name.starts_with("otlp_")).collect();
    assert_eq!(documented, named(&text), "docs/metrics.md lists what there is");
    assert!(!faults(r#"runs_total{status="lost"}"#, &exposed).is_empty());
    server.stop().await;
}

#[test]
fn every_alert_says_what_to_do() {
    let rules: Value = serde_saphyr::from_str(&text_of("deploy/prometheus/alerts.yaml")).unwrap();
    let mut names = BTreeSet::new();
    for rule in rules["groups"][0]["rules"].as_array().unwrap() {
        let name = rule["alert"].as_str().unwrap();
        assert!(names.insert(name), "{name} is there twice");
        assert!(["critical", "warning", "info"].contains(&rule["labels"]["severity"].as_str().unwrap()), "{name}");
        for part in ["summary", "description"] {
            assert!(rule["annotations"][part].as_str().is_some_and(|text| text.len() > 10), "{name} has no {part}");
        }
    }
    // The chart ships the same file.
    let in_the_chart = Path::new("deploy/helm/svc/files/alerts.yaml");
    assert_eq!(text_of(in_the_chart.to_str().unwrap()), text_of("deploy/prometheus/alerts.yaml"));
}
