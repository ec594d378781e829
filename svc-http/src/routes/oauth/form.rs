//! Parameters of a form or a query: each at most once; an empty one counts as absent.

use std::collections::BTreeMap;

use poem::Request;
use poem::http::header;
use svc_core::Error;
use svc_core::oauth::AuthorizeParameters;

use super::refusal::invalid_request;

const FORM: &str = "application/x-www-form-urlencoded";

/// Parameters by name.
#[derive(Debug, Default)]
pub(super) struct Form(BTreeMap<String, String>);

impl Form {
    /// The form in a request's body.
    pub(super) async fn of(request: &mut Request) -> Result<Self, Error> {
        let content_type = request.header(header::CONTENT_TYPE).unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case(FORM) {
            return Err(invalid_request(format!("Send the parameters as {FORM}.")));
        }
        let body = request.take_body().into_vec().await;
        Self::parse(&body.map_err(|_| invalid_request("The body could not be read."))?)
    }

    /// The parameters in a request's URL.
    pub(super) fn in_query(request: &Request) -> Result<Self, Error> {
        Self::parse(request.uri().query().unwrap_or_default().as_bytes())
    }

    fn parse(encoded: &[u8]) -> Result<Self, Error> {
        let mut form = BTreeMap::new();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            if form.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(invalid_request("A parameter is repeated."));
            }
        }
        form.retain(|_, value| !value.is_empty());
        Ok(Self(form))
    }

    /// An optional parameter.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// A required parameter.
    pub(super) fn require(&mut self, name: &str) -> Result<String, Error> {
        self.take(name).ok_or_else(|| invalid_request(format!("{name} is missing.")))
    }

    /// The parameters of an authorization request.
    pub(super) fn take_authorization(&mut self) -> AuthorizeParameters {
        AuthorizeParameters {
            response_type: self.take("response_type"),
            client_id: self.take("client_id"),
            redirect_uri: self.take("redirect_uri"),
            scope: self.take("scope"),
            state: self.take("state"),
            code_challenge: self.take("code_challenge"),
            code_challenge_method: self.take("code_challenge_method"),
            resource: self.take("resource"),
        }
    }
}

/// The parameters of an authorization request, in the names of the protocol.
pub(super) fn fields(parameters: &AuthorizeParameters) -> Vec<(String, String)> {
    let AuthorizeParameters {
        response_type,
        client_id,
        redirect_uri,
        scope,
        state,
        code_challenge,
        code_challenge_method,
        resource,
    } = parameters;
    [
        ("response_type", response_type),
        ("client_id", client_id),
        ("redirect_uri", redirect_uri),
        ("scope", scope),
        ("state", state),
        ("code_challenge", code_challenge),
        ("code_challenge_method", code_challenge_method),
        ("resource", resource),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_occurs_once() {
        let mut form = Form::parse(b"a=1&b=&c=x%20y&d").unwrap();
        assert_eq!((form.take("a").as_deref(), form.take("b"), form.take("d")), (Some("1"), None, None));
        assert_eq!(form.take("c").as_deref(), Some("x y"));
        assert_eq!(form.require("a").unwrap_err().code(), "invalid_request");
        for twice in ["a=1&a=1", "a=&a=1", "a&b&a"] {
            assert_eq!(Form::parse(twice.as_bytes()).unwrap_err().code(), "invalid_request", "{twice}");
        }
    }

    #[test]
    fn a_request_round_trips_through_the_page() {
        let sent =
            Form::parse(b"response_type=code&client_id=c&state=%26%3D&code_challenge=x").unwrap().take_authorization();
        let posted: Vec<u8> =
            url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields(&sent)).finish().into();
        assert_eq!(Form::parse(&posted).unwrap().take_authorization(), sent);
    }
}
