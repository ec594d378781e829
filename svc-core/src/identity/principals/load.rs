//! Parsing of a registry document, with all its faults.
//!
//! Invariant: the rules that a schema can express are decided exactly as by the published schema (a test
//! compares them), on the document in which the last of repeated properties counts.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::VerifyingKey;
use svc_model::principals::{
    Audience, FaultCode, Faults, MachineKey, MachineKeyStatus, Principal, PublicKey, Registry, Scope, VERSION,
};

use super::document::{self, Node, Path};

/// Maximum number of scopes of a key.
const SCOPES_MAX: usize = 4;

/// The published JSON Schema (2020-12) of registry documents.
pub const REGISTRY_SCHEMA: &str = include_str!("../../../contracts/v1/machine-principal-registry.schema.json");

/// Parses a registry document. All faults are reported at once.
pub fn load_registry(bytes: &[u8]) -> Result<Registry, Faults> {
    let node = document::parse(bytes)?;
    let mut reader = Reader::default();
    node.find_duplicates(Path::Root, &mut reader.faults);
    let registry = reader.registry(&node);
    match registry {
        Some(registry) if reader.faults.is_empty() => Ok(registry),
        _ => Err(reader.faults),
    }
}

/// The allowed words of a field with their values.
type Words<T> = &'static [(&'static str, T)];

const AUDIENCES: Words<Audience> =
    &[("svc-sense", Audience::SvcSense), ("svc-brain", Audience::SvcBrain), ("svc-bell", Audience::SvcBell)];
const STATUSES: Words<MachineKeyStatus> =
    &[("active", MachineKeyStatus::Active), ("revoked", MachineKeyStatus::Revoked)];
const SCOPES: Words<Scope> = &[
    ("source-config:write", Scope::SourceConfigWrite),
    ("runtime-status:write", Scope::RuntimeStatusWrite),
    ("events:ingest", Scope::EventsIngest),
    ("evidence:read", Scope::EvidenceRead),
];

/// Walks through a document and records its faults. A method that returns `None` has recorded one.
#[derive(Default)]
struct Reader {
    faults: Faults,
    principal_ids: HashSet<String>,
    kids: HashSet<String>,
}

impl Reader {
    fn registry(&mut self, node: &Node) -> Option<Registry> {
        let path = Path::Root;
        let [version, audience, principals] = self.object(node, path, ["version", "audience", "principals"])?;
        let version = version.and_then(|node| self.version(node, Path::Property(&path, "version")));
        let audience = audience.and_then(|node| self.word(node, Path::Property(&path, "audience"), AUDIENCES));
        let place = Path::Property(&path, "principals");
        let principals = principals.and_then(|node| self.list(node, place)).map(|items| {
            let read = items.iter().enumerate().map(|(index, item)| self.principal(item, Path::Item(&place, index)));
            read.collect::<Vec<_>>()
        });
        version?;
        Some(Registry { audience: audience?, principals: principals?.into_iter().collect::<Option<_>>()? })
    }

    fn version(&mut self, node: &Node, path: Path<'_>) -> Option<()> {
        if self.text(node, path)? == VERSION {
            return Some(());
        }
        self.fault(path, FaultCode::WrongVersion, format!("must be {VERSION}"))
    }

    fn principal(&mut self, node: &Node, path: Path<'_>) -> Option<Principal> {
        let [id, enabled, keys] = self.object(node, path, ["principal_id", "enabled", "keys"])?;
        let id = id.and_then(|node| self.principal_id(node, Path::Property(&path, "principal_id")));
        let enabled = enabled.and_then(|node| self.boolean(node, Path::Property(&path, "enabled")));
        let place = Path::Property(&path, "keys");
        let keys = keys.and_then(|node| self.list(node, place)).map(|items| {
            let read = items.iter().enumerate().map(|(index, item)| self.key(item, Path::Item(&place, index)));
            read.collect::<Vec<_>>()
        });
        let keys = keys?.into_iter().collect::<Option<_>>()?;
        Some(Principal { principal_id: id?, enabled: enabled?, keys })
    }

    fn principal_id(&mut self, node: &Node, path: Path<'_>) -> Option<String> {
        let id = self.text(node, path)?;
        if !is_principal_id(id) {
            let rule = "must be svc:sense:, svc:brain: or svc:bell: and then 1 to 63 of a-z, 0-9, . and -, \
                        of which the first is a letter or a digit";
            return self.fault(path, FaultCode::WrongForm, rule);
        }
        if !self.principal_ids.insert(id.to_owned()) {
            return self.fault(path, FaultCode::DuplicatePrincipal, "must be the only principal of this name");
        }
        Some(id.to_owned())
    }

    fn key(&mut self, node: &Node, path: Path<'_>) -> Option<MachineKey> {
        let names = ["kid", "public_key_base64url", "status", "scopes"];
        let [kid, public_key, status, scopes] = self.object(node, path, names)?;
        let kid = kid.and_then(|node| self.kid(node, Path::Property(&path, "kid")));
        let place = Path::Property(&path, "public_key_base64url");
        let public_key = public_key.and_then(|node| self.public_key(node, place));
        let status = status.and_then(|node| self.word(node, Path::Property(&path, "status"), STATUSES));
        let scopes = scopes.and_then(|node| self.scopes(node, Path::Property(&path, "scopes")));
        Some(MachineKey { kid: kid?, public_key: public_key?, status: status?, scopes: scopes? })
    }

    fn kid(&mut self, node: &Node, path: Path<'_>) -> Option<String> {
        let kid = self.text(node, path)?;
        if !is_kid(kid) {
            return self.fault(path, FaultCode::WrongForm, "must be 8 to 64 of A-Z, a-z, 0-9, ., _ and -");
        }
        if !self.kids.insert(kid.to_owned()) {
            return self.fault(path, FaultCode::DuplicateKid, "must be the only key of this name in the registry");
        }
        Some(kid.to_owned())
    }

    fn public_key(&mut self, node: &Node, path: Path<'_>) -> Option<PublicKey> {
        let text = self.text(node, path)?;
        if text.len() != 43 || !text.bytes().all(is_base64url) {
            let rule = "must be 43 characters of base64url, which are 32 bytes without padding";
            return self.fault(path, FaultCode::WrongForm, rule);
        }
        match usable_key(text) {
            Ok(key) => Some(key),
            Err((code, rule)) => self.fault(path, code, rule),
        }
    }

    fn scopes(&mut self, node: &Node, path: Path<'_>) -> Option<Vec<Scope>> {
        let items = self.list(node, path)?;
        let mut faulty = false;
        if items.is_empty() || items.len() > SCOPES_MAX {
            let code = if items.is_empty() { FaultCode::TooFew } else { FaultCode::TooMany };
            self.faults.add(path, code, format!("must have 1 to {SCOPES_MAX} scopes"));
            faulty = true;
        }
        let mut scopes = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let place = Path::Item(&path, index);
            match self.word(item, place, SCOPES) {
                Some(scope) if scopes.contains(&scope) => {
                    self.faults.add(place, FaultCode::RepeatedItem, "must not be repeated in its list");
                    faulty = true;
                }
                Some(scope) => scopes.push(scope),
                None => faulty = true,
            }
        }
        (!faulty).then_some(scopes)
    }

    /// The values of an object's properties, all of which are required and no others allowed.
    fn object<'n, const N: usize>(
        &mut self,
        node: &'n Node,
        path: Path<'_>,
        names: [&'static str; N],
    ) -> Option<[Option<&'n Node>; N]> {
        let Node::Object(properties) = node else {
            return self.wrong_type(node, path, "an object");
        };
        for (name, _) in properties.iter().filter(|(name, _)| !names.contains(&name.as_str())) {
            let rule = format!("is unknown: the properties are {}", names.join(", "));
            self.faults.add(Path::Property(&path, name), FaultCode::UnknownProperty, rule);
        }
        let last = |wanted: &str| properties.iter().rev().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let values = names.map(last);
        for (name, _) in names.iter().zip(&values).filter(|(_, value)| value.is_none()) {
            self.faults.add(path, FaultCode::MissingProperty, format!("must have the property {name}"));
        }
        Some(values)
    }

    fn list<'n>(&mut self, node: &'n Node, path: Path<'_>) -> Option<&'n [Node]> {
        match node {
            Node::List(items) => Some(items),
            _ => self.wrong_type(node, path, "an array"),
        }
    }

    fn text<'n>(&mut self, node: &'n Node, path: Path<'_>) -> Option<&'n str> {
        match node {
            Node::Text(text) => Some(text),
            _ => self.wrong_type(node, path, "a string"),
        }
    }

    fn boolean(&mut self, node: &Node, path: Path<'_>) -> Option<bool> {
        match node {
            Node::Bool(value) => Some(*value),
            _ => self.wrong_type(node, path, "a boolean"),
        }
    }

    fn word<T: Copy>(&mut self, node: &Node, path: Path<'_>, words: Words<T>) -> Option<T> {
        let text = self.text(node, path)?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        self.fault(path, FaultCode::UnknownWord, format!("must be one of {}", known.join(", ")))
    }

    fn wrong_type<T>(&mut self, node: &Node, path: Path<'_>, wanted: &str) -> Option<T> {
        self.fault(path, FaultCode::WrongType, format!("must be {wanted}, and is {}", node.kind()))
    }

    fn fault<T>(&mut self, path: Path<'_>, code: FaultCode, message: impl Into<String>) -> Option<T> {
        self.faults.add(path, code, message);
        None
    }
}

/// Whether a text is the id of a principal: `^svc:(sense|brain|bell):[a-z0-9][a-z0-9.-]{0,62}$`.
pub fn is_principal_id(text: &str) -> bool {
    let name = ["svc:sense:", "svc:brain:", "svc:bell:"].iter().find_map(|start| text.strip_prefix(start));
    let is_first = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.map(str::as_bytes).is_some_and(|name| {
        name.len() <= 63
            && name.first().is_some_and(is_first)
            && name.iter().all(|byte| is_first(byte) || [b'.', b'-'].contains(byte))
    })
}

/// Whether a text is the id of a key: `^[A-Za-z0-9._-]{8,64}$`.
pub fn is_kid(text: &str) -> bool {
    (8..=64).contains(&text.len()) && text.bytes().all(|byte| is_base64url(byte) || byte == b'.')
}

fn is_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || [b'-', b'_'].contains(&byte)
}

/// Decodes 43 characters to a key, if they are its canonical encoding and the key is usable.
fn usable_key(text: &str) -> Result<PublicKey, (FaultCode, &'static str)> {
    let decoded = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    let bytes = decoded.ok_or((
        FaultCode::NonCanonicalKey,
        "must end in one of AEIMQUYcgkosw048: 32 bytes leave two bits that are 0",
    ))?;
    let key = VerifyingKey::from_bytes(&bytes)
        .map_err(|_| (FaultCode::NotAPoint, "must be an Ed25519 public key, which these bytes are not"))?;
    if key.is_weak() {
        return Err((FaultCode::WeakKey, "must not be a key of small order, for which anybody can sign"));
    }
    if key.to_edwards().compress().to_bytes() != bytes {
        return Err((FaultCode::NonCanonicalKey, "must be the canonical encoding of its point"));
    }
    Ok(PublicKey(bytes))
}

#[cfg(test)]
mod tests;
