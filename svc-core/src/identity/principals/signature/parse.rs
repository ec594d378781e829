//! Parsing of the two header fields, to the one signature that counts.

use std::collections::HashSet;

use http::HeaderMap;
use sfv::{BareItem, FieldType, InnerList, ListEntry};

use super::{ALGORITHM, CONDITIONS, CONTENT_DIGEST, REQUIRED, TAG, codes, field};
use crate::error::{Error, Result};
use crate::limits;

const INPUT: &str = "signature-input";
const SIGNATURE: &str = "signature";

/// The signature with our tag, before its parameters are parsed.
#[derive(Debug)]
pub(crate) struct TaggedSignature {
    list: InnerList,
    signature: Vec<u8>,
}

/// The parameters of the signature. They are not verified.
#[derive(Debug)]
pub(crate) struct Presented {
    pub(crate) proof: Proof,
    /// The creation time, in seconds since 1970.
    pub(crate) created: i64,
    pub(crate) expires: Option<i64>,
    pub(crate) nonce: String,
    pub(crate) principal_id: String,
    pub(crate) kid: String,
}

/// The part that is verified with the key.
#[derive(Debug)]
pub(crate) struct Proof {
    /// The covered components, in order.
    pub(crate) components: Vec<String>,
    /// The list of components with its parameters, as it is signed.
    pub(crate) parameters: String,
    pub(crate) signature: [u8; 64],
}

/// Finds the one signature with our tag.
pub(crate) fn find(headers: &HeaderMap) -> Result<TaggedSignature> {
    find_by(headers, |list| text(list, "tag") == Some(TAG))
}

/// Finds the one signature that the predicate selects.
pub(super) fn find_by(headers: &HeaderMap, is_ours: impl Fn(&InnerList) -> bool) -> Result<TaggedSignature> {
    if !headers.contains_key(INPUT) || !headers.contains_key(SIGNATURE) {
        return Err(codes::missing());
    }
    if [INPUT, SIGNATURE].iter().any(|name| field::is_too_long(headers, name)) {
        let most = limits::SIGNATURE_FIELD_MAX;
        return Err(codes::malformed(&format!("Signature-Input and Signature have at most {most} bytes each")));
    }
    let read = |name, rule| {
        field::dictionary(headers, name).ok_or_else(|| codes::malformed(&format!("{rule} that names each thing once")))
    };
    let inputs = read(INPUT, "Signature-Input is no dictionary of lists")?;
    let signatures = read(SIGNATURE, "Signature is no dictionary of byte sequences")?;
    let mut ours = inputs.into_iter().filter_map(|(label, entry)| match entry {
        ListEntry::InnerList(list) if is_ours(&list) => Some((label, list)),
        _ => None,
    });
    let (label, list) = ours.next().ok_or_else(codes::tag)?;
    if ours.next().is_some() {
        return Err(codes::ambiguous());
    }
    match signatures.get(&label) {
        Some(ListEntry::Item(sfv::Item { bare_item: BareItem::ByteSequence(bytes), .. })) => {
            Ok(TaggedSignature { list, signature: bytes.clone() })
        }
        _ => Err(codes::malformed("Signature has no byte sequence under the label of Signature-Input")),
    }
}

impl TaggedSignature {
    /// The claimed signer: `<principal_id>/<kid>`.
    pub(crate) fn claimed(&self) -> Option<(&str, &str)> {
        let keyid = text(&self.list, "keyid").filter(|keyid| keyid.len() <= limits::SIGNATURE_KEYID_MAX)?;
        let (principal_id, kid) = keyid.split_once('/')?;
        let sane = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/');
        (sane(principal_id) && sane(kid)).then_some((principal_id, kid))
    }

    /// Parses the parameters, and checks that all required components are covered: in addition to the general
    /// ones, the digest of a body and the conditional headers of the request.
    pub(crate) fn read(self, headers: &HeaderMap, has_body: bool) -> Result<Presented> {
        let components = self.components()?;
        let body = has_body.then_some(CONTENT_DIGEST);
        let conditions = CONDITIONS.into_iter().filter(|name| headers.contains_key(*name));
        let mut needed = REQUIRED.into_iter().chain(body).chain(conditions);
        if let Some(name) = needed.find(|name| !components.iter().any(|own| own == name)) {
            return Err(codes::component_missing(name));
        }
        let (created, expires) = (self.seconds("created")?, self.seconds("expires")?);
        let created = created.ok_or_else(|| codes::parameter_missing("created"))?;
        let nonce = self.string("nonce")?.to_owned();
        if !limits::SIGNATURE_NONCE.contains(&nonce.len()) || !nonce.bytes().all(|byte| byte.is_ascii_graphic()) {
            let (least, most) = (limits::SIGNATURE_NONCE.start(), limits::SIGNATURE_NONCE.end());
            return Err(codes::malformed(&format!("nonce has to be {least} to {most} visible ASCII characters")));
        }
        self.string("keyid")?;
        let (principal_id, kid) =
            self.claimed().ok_or_else(|| codes::malformed("keyid has to be <principal_id>/<kid>"))?;
        let (principal_id, kid) = (principal_id.to_owned(), kid.to_owned());
        if self.string("alg")? != ALGORITHM {
            return Err(codes::algorithm());
        }
        Ok(Presented { proof: self.proof(components)?, created, expires, nonce, principal_id, kid })
    }

    /// The part that is verified with the key; `components` are the covered ones.
    pub(super) fn proof(self, components: Vec<String>) -> Result<Proof> {
        let signature = <[u8; 64]>::try_from(self.signature.as_slice())
            .map_err(|_| codes::malformed("a signature by Ed25519 has 64 bytes"))?;
        let parameters = vec![ListEntry::InnerList(self.list)].serialize();
        let parameters = parameters.ok_or_else(|| codes::malformed("it covers nothing"))?;
        Ok(Proof { components, parameters, signature })
    }

    /// The covered components, without repetition.
    pub(super) fn components(&self) -> Result<Vec<String>> {
        if self.list.items.len() > limits::SIGNATURE_COMPONENTS_MAX {
            let most = limits::SIGNATURE_COMPONENTS_MAX;
            return Err(codes::malformed(&format!("it covers more than {most} components")));
        }
        let components = self.list.items.iter().map(component).collect::<Result<Vec<_>>>()?;
        let mut seen = HashSet::new();
        match components.iter().find(|name| !seen.insert(name.as_str())) {
            Some(name) => Err(codes::malformed(&format!("it covers {name} twice"))),
            None => Ok(components),
        }
    }

    fn string(&self, name: &str) -> Result<&str> {
        match self.list.params.get(name) {
            None => Err(codes::parameter_missing(name)),
            Some(_) => text(&self.list, name).ok_or_else(|| codes::malformed(&format!("{name} is not a string"))),
        }
    }

    fn seconds(&self, name: &str) -> Result<Option<i64>> {
        match self.list.params.get(name) {
            None => Ok(None),
            Some(BareItem::Integer(seconds)) => Ok(Some(i64::from(*seconds))),
            Some(_) => Err(codes::malformed(&format!("{name} is not a whole number of seconds"))),
        }
    }
}

/// A parameter that is a string.
fn text<'l>(list: &'l InnerList, name: &str) -> Option<&'l str> {
    match list.params.get(name)? {
        BareItem::String(text) => Some(text.as_str()),
        _ => None,
    }
}

/// The name of a supported component.
fn component(item: &sfv::Item) -> Result<String> {
    let refuse = |what: &str| -> Error { codes::malformed(what) };
    let BareItem::String(name) = &item.bare_item else { return Err(refuse("it covers a value that is not a string")) };
    let name = name.as_str();
    if !item.params.is_empty() {
        return Err(refuse("it covers a component with parameters, which are not supported here"));
    }
    let known = if name.starts_with('@') {
        REQUIRED.contains(&name)
    } else {
        // Characters that could end the name within its line do not occur in field names.
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
        !name.is_empty() && name.bytes().all(is_plain)
    };
    if known { Ok(name.to_owned()) } else { Err(refuse("it covers an unknown component")) }
}
