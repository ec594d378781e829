//! The OAuth 2.1 server over HTTP: discovery, registration, the two pages for humans, and the endpoints for programs.
//!
//! Invariants: programs get errors in the form of RFC 6749, humans get a page; the endpoints for programs can be used
//! from any web page, because they ignore cookies; the pages for humans can be used from pages of this server only,
//! because they accept cookies.

mod authorize;
mod choice;
mod client;
mod device;
mod discovery;
mod form;
mod refusal;
mod register;
mod token;
mod tokens;
mod wire;

use poem::endpoint::make;
use poem::http::Method;
use poem::{Route, get, post};

pub(crate) use wire::speak;

/// Every path with its methods.
pub(crate) const PATHS: [(&str, &[Method]); 10] = [
    ("/.well-known/oauth-authorization-server", &[Method::GET]),
    ("/.well-known/oauth-protected-resource", &[Method::GET]),
    ("/.well-known/oauth-protected-resource/mcp", &[Method::GET]),
    ("/oauth/register", &[Method::POST]),
    ("/oauth/token", &[Method::POST]),
    ("/oauth/introspect", &[Method::POST]),
    ("/oauth/revoke", &[Method::POST]),
    ("/oauth/device_authorization", &[Method::POST]),
    ("/oauth/authorize", &[Method::GET, Method::POST]),
    ("/device", &[Method::GET, Method::POST]),
];

/// Changes by a logged-in human on the pages, with their names in traces.
pub(crate) const CHANGES: [(&str, &str); 2] =
    [("/oauth/authorize", "authorize_client"), ("/device", "authorize_device")];

/// Adds the routes.
pub(crate) fn mount(routes: Route) -> Route {
    routes
        .at("/.well-known/oauth-authorization-server", get(make(discovery::authorization_server)))
        .at("/.well-known/oauth-protected-resource", get(make(discovery::protected_resource)))
        .at("/.well-known/oauth-protected-resource/mcp", get(make(discovery::protected_mcp)))
        .at("/oauth/register", post(make(register::register)))
        .at("/oauth/token", post(make(token::token)))
        .at("/oauth/introspect", post(make(tokens::introspect)))
        .at("/oauth/revoke", post(make(tokens::revoke)))
        .at("/oauth/device_authorization", post(make(device::begin)))
        .at("/oauth/authorize", get(make(authorize::show)).post(make(authorize::submit)))
        .at("/device", get(make(device::show)).post(make(device::submit)))
}
