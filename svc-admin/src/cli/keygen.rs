//! `svc-admin machines keygen`: generates a key for a machine principal locally.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde::Serialize;
use svc_client::machine::SecretKey;
use svc_core::principals::{Scope, is_kid, is_principal_id};
use tokio::io::AsyncWriteExt;

use super::outcome::{Failure, Outcome};
use super::output::Output;
use crate::methods::Confidential;

/// PKCS#8 prefix of the 32 bytes of an Ed25519 key (RFC 8410, section 7).
const PKCS8: [u8; 16] = [0x30, 0x2e, 0x02, 0x01, 0, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
/// Length of the prefix of the public key that is the default key id.
const KID_LENGTH: usize = 12;

/// The key to generate.
pub(super) struct KeyRequest<'a> {
    pub(super) principal: Option<String>,
    pub(super) kid: Option<String>,
    pub(super) scopes: &'a [Scope],
    pub(super) pem: bool,
}

/// A generated key.
#[derive(Serialize)]
struct GeneratedKey {
    /// The `keyid` of signatures, `<principal_id>/<kid>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    keyid: Option<String>,
    /// The secret key; absent if it is in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret_key: Option<Confidential>,
    /// The file with the secret key.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Entry for the principal's `keys` in the registry.
    key: Entry,
}

/// A key in the format of a registry.
#[derive(Serialize)]
struct Entry {
    kid: String,
    public_key_base64url: String,
    status: &'static str,
    scopes: Vec<Scope>,
}

pub(super) fn principal_id(text: &str) -> Result<String, String> {
    let rule = "must be svc:sense:NAME, svc:brain:NAME or svc:bell:NAME with 1 to 63 of a-z, 0-9, . and -";
    if is_principal_id(text) { Ok(text.to_owned()) } else { Err(rule.to_owned()) }
}

pub(super) fn kid(text: &str) -> Result<String, String> {
    let rule = "must be 8 to 64 of A-Z, a-z, 0-9, ., _ and -";
    if is_kid(text) { Ok(text.to_owned()) } else { Err(rule.to_owned()) }
}

pub(super) async fn run(request: KeyRequest<'_>, out: Option<&Path>, output: &Output) -> Result<Outcome, Failure> {
    let secret = SecretKey::generate();
    let entry = entry(&secret, &request);
    let text = if request.pem { pem(&secret)? } else { format!("{}\n", secret.reveal()) };
    if let Some(path) = out {
        keep(path, &text).await?;
    }
    let mut generated = GeneratedKey {
        keyid: request.principal.map(|principal| format!("{principal}/{}", entry.kid)),
        secret_key: None,
        file: out.map(|path| path.display().to_string()),
        key: entry,
    };
    let shown = printed(&generated.key);
    let named = generated.keyid.as_ref().map_or_else(String::new, |keyid| format!(" Requests are signed as {keyid}."));
    if let Some(path) = out {
        let sentence =
            format!("The secret key is in {}. Add the entry above to keys in the registry.{named}", path.display());
        return Ok(Outcome::new(output.render(&generated, |_, _| shown)).remark(output, &sentence));
    }
    let secret = Confidential::new(text.trim_end());
    generated.secret_key = Some(secret.clone());
    let sentence = "The secret key is shown only once:";
    let remark = format!("Add this to keys in the registry:\n{shown}{}", named.trim_start());
    Ok(Outcome::shown_once(output, &generated, sentence, &secret).remark(output, remark.trim_end()))
}

fn entry(secret: &SecretKey, request: &KeyRequest<'_>) -> Entry {
    let public = secret.public_key_base64url();
    let all = [Scope::SourceConfigWrite, Scope::RuntimeStatusWrite, Scope::EventsIngest, Scope::EvidenceRead];
    let mut scopes = if request.scopes.is_empty() { all.to_vec() } else { request.scopes.to_vec() };
    scopes.sort_unstable();
    scopes.dedup();
    let kid = request.kid.clone().unwrap_or_else(|| format!("key-{}", &public[..KID_LENGTH]));
    Entry { kid, public_key_base64url: public, status: "active", scopes }
}

fn printed(entry: &Entry) -> String {
    let mut text = serde_json::to_string_pretty(entry).expect("a key is plain text, which prints");
    text.push('\n');
    text
}

/// The secret key in the format of OpenSSL and most libraries.
fn pem(secret: &SecretKey) -> Result<String, Failure> {
    let seed = URL_SAFE_NO_PAD.decode(secret.reveal()).map_err(|error| Failure::Here(error.to_string()))?;
    let body = STANDARD.encode([&PKCS8[..], &seed].concat());
    Ok(format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"))
}

/// Writes a new file that only this user can read.
async fn keep(path: &Path, text: &str) -> Result<(), Failure> {
    let refuse = |error: std::io::Error| {
        Failure::Here(format!("{} cannot be created ({error}): name a file that does not exist yet.", path.display()))
    };
    let mut options = tokio::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(0o600).open(path).await.map_err(refuse)?;
    file.write_all(text.as_bytes()).await.map_err(refuse)?;
    file.sync_all().await.map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pem_matches_the_example_of_the_standard() {
        // RFC 8410, section 10.3.
        let secret: SecretKey = "1O5y2_kTWErVttjx92n4rTr-fCjL8dT74Jeoj0R1WEI".parse().unwrap();
        assert_eq!(
            pem(&secret).unwrap().lines().nth(1),
            Some("MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC")
        );
    }
}
