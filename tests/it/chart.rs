//! The Helm chart: Helm renders it, and a real API server accepts what comes out.

use std::io::Write;
use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::kubernetes::{committed_role, shared_kubernetes};
use crate::tidy::root;

/// The variable with the path of the program.
const PROGRAM: &str = "SVC_HELM";

/// The path of Helm. `None`, with a line that says why, where it was not built; under `STRICT=1` that is a failure.
fn helm() -> Option<String> {
    let found = std::env::var(PROGRAM).ok();
    if found.is_none() {
        assert!(std::env::var("STRICT").is_err(), "Helm is missing: set {PROGRAM} to what scripts/helm-program prints");
        println!("skipped: Helm: set {PROGRAM} to the path that scripts/helm-program prints");
    }
    found
}

/// Runs Helm on the chart with these values; returns what it printed, or what it found fault with.
fn run(helm: &str, arguments: &[&str], values: &Value) -> Result<String, String> {
    let mut file = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    file.write_all(values.to_string().as_bytes()).unwrap();
    let home = tempfile::TempDir::new().unwrap();
    let output = Command::new(helm)
        .args(arguments)
        .arg(root().join("deploy/helm/svc"))
        .arg("--values")
        .arg(file.path())
        .env("HELM_CACHE_HOME", home.path())
        .env("HELM_CONFIG_HOME", home.path())
        .env("HELM_DATA_HOME", home.path())
        .env_remove("KUBECONFIG")
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr) + &text(&output.stdout)) }
}

/// The objects of the chart with these values.
fn rendered(helm: &str, namespace: &str, values: &Value) -> Result<Vec<Value>, String> {
    // Helm that was built from its sources takes the cluster to be an ancient one.
    let arguments = ["template", "hub", "--namespace", namespace, "--kube-version", "1.33.0"];
    let text = run(helm, &arguments, values)?;
    let documents = text.split("\n---\n").filter(|part| part.lines().any(|line| line.starts_with("kind:")));
    Ok(documents.map(|part| serde_saphyr::from_str(part.trim_start_matches("---\n")).expect("it is YAML")).collect())
}

/// Everything that can be switched on.
fn everything(namespace: &str) -> Value {
    json!({
        "store": "postgres", "replicas": 3, "baseUrl": "https://hub.example.org",
        "database": { "existingSecret": "hub-database" },
        "secretKey": { "existingSecret": "hub-key" },
        "files": { "url": "s3://files/hub", "endpoint": "http://s3:7070", "region": "us-east-1", "existingSecret": "hub-files" },
        "settings": { "SVC_TRUSTED_PROXIES": "10.0.0.0/8", "SVC_QUOTA_FILE_BYTES": 21_474_836_480_u64 },
        "extraEnv": [{ "name": "SVC_BRAND_NAME", "value": "Hub" }],
        "extraVolumes": [{ "name": "more", "emptyDir": {} }],
        "extraVolumeMounts": [{ "name": "more", "mountPath": "/more" }],
        "clusterJobs": { "enabled": true, "namespaces": [namespace] },
        "service": { "type": "NodePort", "annotations": { "example.org/a": "b" } },
        "ingress": { "enabled": true, "className": "nginx", "tlsSecret": "hub-tls", "annotations": { "example.org/a": "b" } },
        "podAnnotations": { "example.org/a": "b" }, "podLabels": { "team": "hub" },
        "nodeSelector": { "kubernetes.io/os": "linux" },
        "tolerations": [{ "key": "hub", "operator": "Exists" }],
        "imagePullSecrets": [{ "name": "registry" }], "priorityClassName": "system-cluster-critical",
    })
}

/// The address at which objects of this kind are created.
fn path(object: &Value, namespace: &str) -> String {
    let version = object["apiVersion"].as_str().unwrap();
    let base = if version == "v1" { "/api/v1".to_owned() } else { format!("/apis/{version}") };
    let kind = object["kind"].as_str().unwrap().to_lowercase();
    let plural = if kind == "ingress" { "ingresses".to_owned() } else { format!("{kind}s") };
    let namespace = object["metadata"]["namespace"].as_str().unwrap_or(namespace);
    format!("{base}/namespaces/{namespace}/{plural}?dryRun=All&fieldValidation=Strict")
}

fn kinds(objects: &[Value]) -> Vec<&str> {
    let mut kinds: Vec<_> = objects.iter().map(|object| object["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    kinds
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_accepts_the_chart() {
    let (Some(helm), Some(cluster)) = (helm(), shared_kubernetes()) else { return };
    let namespace = cluster.namespace().await;
    let jobs = json!({ "clusterJobs": { "enabled": true }, "baseUrl": "http://hub.example.org" });
    let claimed = json!({ "persistence": { "existingClaim": "old" }, "serviceAccount": { "create": false } });
    let smallest = &["Service", "ServiceAccount", "StatefulSet"][..];
    let with_jobs = &["Role", "RoleBinding", "Service", "ServiceAccount", "StatefulSet"];
    let all = &["Deployment", "Ingress", "PodDisruptionBudget", "Role", "RoleBinding", "Service", "ServiceAccount"];
    for (values, expected) in [
        (json!({}), smallest),
        (claimed, &["Service", "StatefulSet"]),
        (jobs, with_jobs),
        (everything(&namespace.name), all),
    ] {
        let objects = rendered(&helm, &namespace.name, &values).unwrap();
        assert_eq!(kinds(&objects), expected, "{values}");
        for object in objects {
            let path = path(&object, &namespace.name);
            let (status, told) = cluster.call(Method::POST, &path, Some(object.clone())).await;
            assert_eq!(status, 201, "{path}: {told}\n{object}");
            if object["kind"] == "Role" {
                assert_eq!(object["rules"], committed_role()["rules"]);
            }
        }
    }
}

#[test]
fn pods_have_few_rights_and_a_token_for_jobs_only() {
    let Some(helm) = helm() else { return };
    for (values, kind, token) in [(json!({}), "StatefulSet", false), (everything("agents"), "Deployment", true)] {
        let objects = rendered(&helm, "hubs", &values).unwrap();
        let found = objects.iter().find(|object| object["kind"] == kind).unwrap();
        let pod = &found["spec"]["template"]["spec"];
        assert_eq!(pod["automountServiceAccountToken"], token);
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        let container = &pod["containers"][0]["securityContext"];
        assert_eq!(container["readOnlyRootFilesystem"], true);
        assert_eq!(container["capabilities"]["drop"][0], "ALL");
        let mounts = pod["containers"][0]["volumeMounts"].as_array().unwrap();
        let data = mounts.iter().find(|mount| mount["name"] == "data").unwrap()["mountPath"].as_str().unwrap();
        let variables = pod["containers"][0]["env"].as_array().unwrap();
        let used = variables.iter().find(|variable| variable["name"] == "SVC_DATA").unwrap()["value"].as_str().unwrap();
        // A volume belongs to root, and such a data directory would be refused.
        assert!(used.starts_with(&format!("{data}/")), "{used}");
        for variable in variables {
            let is_number = variable["name"] == "SVC_QUOTA_FILE_BYTES";
            assert!(!is_number || variable["value"] == "21474836480", "{variable}");
        }
        let labels = &found["spec"]["selector"]["matchLabels"];
        let service = objects.iter().find(|object| object["kind"] == "Service").unwrap();
        assert_eq!(&service["spec"]["selector"], labels);
    }
}

#[test]
fn values_that_cannot_work_are_refused_by_name() {
    let Some(helm) = helm() else { return };
    let on_postgres = |change: Value| {
        let mut values = everything("agents");
        for (name, value) in change.as_object().unwrap() {
            values[name] = value.clone();
        }
        values
    };
    for (values, word) in [
        (json!({ "replicas": 2 }), "replicas"),
        (json!({ "replicas": 0 }), "replicas"),
        (json!({ "store": "mysql" }), "store"),
        (json!({ "baseUrl": "hub.example.org" }), "baseUrl"),
        (json!({ "settings": { "SVC_DATA": "/elsewhere" } }), "SVC_DATA"),
        (json!({ "setings": {} }), "setings"),
        (json!({ "clusterJobs": { "enabled": true } }), "baseUrl"),
        (on_postgres(json!({ "database": { "existingSecret": "" } })), "database.existingSecret"),
        (on_postgres(json!({ "secretKey": { "existingSecret": "" } })), "secretKey.existingSecret"),
        (on_postgres(json!({ "files": { "url": "" } })), "files.url"),
    ] {
        let refusal = rendered(&helm, "hubs", &values).expect_err(&values.to_string());
        assert!(refusal.contains(word), "{values}: {refusal}");
    }
}

#[test]
fn helm_finds_no_fault_with_the_chart() {
    let Some(helm) = helm() else { return };
    for values in [json!({}), everything("agents")] {
        run(&helm, &["lint", "--strict"], &values).unwrap();
    }
    let watched = json!({ "monitoring": { "serviceMonitor": true, "prometheusRule": true } });
    let objects = rendered(&helm, "hubs", &watched).unwrap();
    let rule = objects.iter().find(|object| object["kind"] == "PrometheusRule").unwrap();
    assert!(rule["spec"]["groups"][0]["rules"].as_array().unwrap().len() > 15);
    assert!(objects.iter().any(|object| object["kind"] == "ServiceMonitor"));
}
