//! The signer of requests.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use svc_model::clock::{Clock, Entropy, SystemClock, SystemEntropy, random_hex};
use svc_model::signature::{
    ALGORITHM, CONDITIONS, CONTENT_DIGEST, Covered, REQUIRED, TAG, content_digest, normal_authority, signature_base,
};
use svc_model::{Error, Result};

use super::SecretKey;

const INPUT: HeaderName = HeaderName::from_static("signature-input");
const SIGNATURE: HeaderName = HeaderName::from_static("signature");
/// Number of random bytes in a nonce.
const NONCE_BYTES: usize = 16;

/// Signs the requests of one principal with one key.
#[derive(Debug, Clone)]
pub struct Signer {
    keyid: String,
    key: SecretKey,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
}

/// The address of a request.
struct Target<'r> {
    method: &'r str,
    host: &'r str,
    over_tls: bool,
    path: &'r str,
    query: Option<&'r str>,
}

impl Signer {
    /// Creates a signer for this principal, with its key of that id.
    pub fn new(principal_id: &str, kid: &str, key: SecretKey) -> Result<Self> {
        for (field, value) in [("principal_id", principal_id), ("kid", kid)] {
            let sane =
                !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic() && !b"/\"\\".contains(&byte));
            if !sane {
                return Err(Error::invalid(field, "is not a valid id: use the value from the registry"));
            }
        }
        let keyid = format!("{principal_id}/{kid}");
        Ok(Self { keyid, key, clock: Arc::new(SystemClock), entropy: Arc::new(SystemEntropy) })
    }

    /// Replaces the clock.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Replaces the random source of nonces.
    #[must_use]
    pub fn with_entropy(mut self, entropy: Arc<dyn Entropy>) -> Self {
        self.entropy = entropy;
        self
    }

    /// Signs a request as it is now; a later change breaks the signature. Its URL needs a scheme and a host.
    pub fn sign<B: AsRef<[u8]>>(&self, request: &mut http::Request<B>) -> Result<()> {
        let uri = request.uri().clone();
        let host = uri.authority().map(http::uri::Authority::as_str).ok_or_else(no_host)?;
        let method = request.method().clone();
        let over_tls = uri.scheme_str() == Some("https");
        let target = Target { method: method.as_str(), host, over_tls, path: uri.path(), query: uri.query() };
        let fields = self.fields(&target, request.headers(), request.body().as_ref())?;
        request.headers_mut().extend(fields);
        Ok(())
    }

    /// Signs a request of `reqwest`; its body must not be a stream. See [`Signer::sign`].
    pub fn sign_reqwest(&self, request: &mut reqwest::Request) -> Result<()> {
        let stream = || Error::invalid("body", "must not be a stream: signing needs the whole body");
        let body = match request.body() {
            Some(body) => body.as_bytes().ok_or_else(stream)?,
            None => b"",
        };
        let url = request.url();
        let target = Target {
            method: request.method().as_str(),
            host: url.host_str().map(|_| url.authority()).ok_or_else(no_host)?,
            over_tls: url.scheme() == "https",
            path: url.path(),
            query: url.query(),
        };
        let fields = self.fields(&target, request.headers(), body)?;
        request.headers_mut().extend(fields);
        Ok(())
    }

    /// The header fields of the signature; they replace existing ones. Conditional headers are signed as they
    /// are.
    fn fields(&self, target: &Target<'_>, headers: &HeaderMap, body: &[u8]) -> Result<HeaderMap> {
        let mut fields = HeaderMap::new();
        let mut components: Vec<_> = REQUIRED.map(ToOwned::to_owned).into();
        if !body.is_empty() {
            fields.insert(CONTENT_DIGEST, text(&content_digest(body))?);
            components.push(CONTENT_DIGEST.to_owned());
        }
        let mut signed = fields.clone();
        for name in CONDITIONS {
            if headers.contains_key(name) {
                components.push(name.to_owned());
            }
            for value in headers.get_all(name) {
                signed.append(name, value.clone());
            }
        }
        let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = named.unwrap_or(target.host);
        let authority = normal_authority(host.rsplit_once('@').map_or(host, |(_, host)| host), target.over_tls);
        let Target { method, path, query, .. } = *target;
        let covered = Covered { method, authority: &authority, path, query, headers: &signed };
        let parameters = self.parameters(&components);
        let base = signature_base(&covered, &components, &parameters)
            .map_err(|_| Error::invalid("headers", "must have If-Match and If-None-Match in ASCII"))?;
        fields.insert(INPUT, text(&format!("sig1={parameters}"))?);
        fields.insert(SIGNATURE, text(&format!("sig1=:{}:", STANDARD.encode(self.key.sign(base.as_bytes()))))?);
        Ok(fields)
    }

    fn parameters(&self, components: &[String]) -> String {
        let list: Vec<_> = components.iter().map(|name| format!("\"{name}\"")).collect();
        let created = self.clock.now().as_micros().div_euclid(1_000_000);
        let nonce = random_hex(self.entropy.as_ref(), NONCE_BYTES);
        let (list, keyid) = (list.join(" "), &self.keyid);
        format!("({list});created={created};nonce=\"{nonce}\";keyid=\"{keyid}\";alg=\"{ALGORITHM}\";tag=\"{TAG}\"")
    }
}

fn no_host() -> Error {
    Error::invalid("url", "must name a scheme and a host, as in https://hub.example/api/machine/events")
}

fn text(value: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(value).map_err(|error| Error::internal(error.to_string()))
}
