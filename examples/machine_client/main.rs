//! A service that signs its requests to a hub: configuration, status, events and evidence.
//!
//! Create a key, add the printed entry to a registry, load the registry, and run the example with
//! the key:
//!
//! ```sh
//! cargo run --release &
//! svc-admin machines keygen --principal svc:sense:door-1 --kid door-1-key --out door.key
//! svc-admin machines load registry.json
//! SVC_MACHINE_KEY=door.key SVC_PRINCIPAL=svc:sense:door-1 SVC_KID=door-1-key \
//!     cargo run -p svc --example machine_client
//! ```
//!
//! Without `SVC_MACHINE_KEY` it creates a key and prints a registry with it. `SVC_URL` is the hub's
//! address, `http://127.0.0.1:8080` by default. `client.py` is the same in Python.

mod client;

use client::{Failure, MachineClient};
use serde_json::json;
use svc_client::machine::{SecretKey, Signer};

#[tokio::main]
async fn main() -> Result<(), Failure> {
    // Installs the TLS provider, for hubs behind https.
    rustls::crypto::ring::default_provider().install_default().ok();
    let setting = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let (principal, kid) = (setting("SVC_PRINCIPAL", "svc:sense:door-1"), setting("SVC_KID", "door-1-key"));
    let Ok(file) = std::env::var("SVC_MACHINE_KEY") else {
        let key = SecretKey::generate();
        println!("{:#}", registry(&principal, &kid, &key));
        eprintln!("Keep this in a file that only the service can read: {}", key.reveal());
        return Ok(());
    };
    let key: SecretKey = tokio::fs::read_to_string(file).await?.parse()?;
    let client = MachineClient::new(&setting("SVC_URL", "http://127.0.0.1:8080"), Signer::new(&principal, &kid, key)?)?;
    client.tour("door-1/opened/1", |line| println!("{line}")).await
}

/// A registry with one key, for the default audience of hubs.
fn registry(principal_id: &str, kid: &str, key: &SecretKey) -> serde_json::Value {
    let scopes = ["source-config:write", "runtime-status:write", "events:ingest", "evidence:read"];
    let public_key = key.public_key_base64url();
    let key = json!({ "kid": kid, "public_key_base64url": public_key, "status": "active", "scopes": scopes });
    json!({
        "version": "svc.machine-principal-registry/v1",
        "audience": "svc-brain",
        "principals": [{ "principal_id": principal_id, "enabled": true, "keys": [key] }],
    })
}
