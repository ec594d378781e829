//! `/login`: the login page, which works without script.
//!
//! Invariants: it redirects only to paths of this server; a form that was sent from another site is rejected; an
//! entered password is never shown again.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, Response, Result};
use svc_core::{Error, ErrorKind};

use crate::area::Area;
use crate::error::Problem;
use crate::identity;
use crate::pages::{self, LoginPage};
use crate::state::AppState;

/// Fields of the form and of the query.
#[derive(Default)]
struct Fields {
    next: String,
    username: String,
    password: String,
    switch: bool,
}

impl Fields {
    fn parse(encoded: &[u8]) -> Self {
        let mut fields = Self::default();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            match name.as_ref() {
                "next" => fields.next = value.into_owned(),
                "username" => fields.username = value.into_owned(),
                "password" => fields.password = value.into_owned(),
                "switch" => fields.switch = true,
                _ => {}
            }
        }
        fields
    }
}

/// Shows the form; a logged-in user is redirected unless they want to switch accounts.
pub(crate) async fn show(request: Request) -> Result<Response> {
    let fields = Fields::parse(request.uri().query().unwrap_or_default().as_bytes());
    let next = own_path(&fields.next);
    if identity::caller(&request).is_some() && !fields.switch {
        return Ok(redirect_to(&next));
    }
    let page = LoginPage { purpose: purpose(&next), next, ..LoginPage::default() };
    Ok(pages::login(state(&request).brand(), StatusCode::OK, &page))
}

/// Logs in and redirects, or shows the form again with the error.
pub(crate) async fn submit(mut request: Request) -> Result<Response> {
    let body = request.take_body().into_vec().await?;
    let state = state(&request).clone();
    let fields = Fields::parse(&body);
    let next = own_path(&fields.next);
    let outcome = match identity::refuse_foreign_origin(&request) {
        Ok(()) => {
            let visit = identity::visit(&request);
            let browser = identity::known_browser(&request);
            let sessions = state.hub().sessions();
            sessions.login_from(&fields.username, &fields.password, browser.as_deref(), &visit).await
        }
        Err(error) => Err(error),
    };
    match outcome {
        Ok(login) => {
            let cookie = identity::session_cookie(&request, &login.token, state.hub().config().session_ttl);
            let mut response = redirect_to(&next);
            response.headers_mut().append(header::SET_COOKIE, cookie);
            response.headers_mut().append(header::SET_COOKIE, identity::device_cookie(&request, &login.browser));
            Ok(response)
        }
        Err(error) => {
            let page = LoginPage {
                purpose: purpose(&next),
                next,
                username: shown(&fields.username),
                error: Some(sentence(&error)),
            };
            let problem = Problem::from(error);
            problem.log();
            let mut response = pages::login(state.brand(), problem.status(), &page);
            if let Some(after) = problem.into_response().headers_mut().remove(header::RETRY_AFTER) {
                response.headers_mut().insert(header::RETRY_AFTER, after);
            }
            Ok(response)
        }
    }
}

fn state(request: &Request) -> &AppState {
    request.data::<AppState>().expect("every route is served with the state")
}

/// Replaces error texts for developers with texts for the user of a form.
fn sentence(error: &Error) -> String {
    match (error.kind(), error.code()) {
        (_, "cross_origin") => "The form was submitted from another site. Log in on this page.".to_owned(),
        (ErrorKind::Internal, _) => "Something went wrong on the server. Try again.".to_owned(),
        _ => error.message().to_owned(),
    }
}

/// The entered name is shown again, within a length limit.
fn shown(username: &str) -> String {
    username.chars().filter(|letter| !letter.is_control()).take(64).collect()
}

/// A path of this server, or `/`. Browsers read `//` and `/\` as other servers.
fn own_path(next: &str) -> String {
    let own = next.starts_with('/')
        && !next.starts_with("//")
        && !next.contains('\\')
        && next.bytes().all(|byte| byte.is_ascii_graphic())
        // Redirecting back to the form would be a loop.
        && Area::of(next) != Area::Login;
    if own { next.to_owned() } else { "/".to_owned() }
}

/// The reason for a login that another page requires.
fn purpose(next: &str) -> Option<String> {
    let what = match Area::of(next) {
        Area::Authorize => "to connect a client",
        Area::Device => "to connect a device",
        _ => return None,
    };
    Some(what.to_owned())
}

/// A redirect that turns a form's POST into a GET.
fn redirect_to(path: &str) -> Response {
    let location = HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static("/"));
    Response::builder().status(StatusCode::SEE_OTHER).header(header::LOCATION, location).finish()
}

/// The path of the form that redirects to `next`; with `switch` it is shown even to logged-in users.
pub(crate) fn path_to(next: &str, switch: Switch) -> String {
    let form = match switch {
        Switch::No => "/login?next=",
        Switch::Yes => "/login?switch=1&next=",
    };
    let encoded: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{form}{encoded}")
}

/// Whether the form is shown to logged-in users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Switch {
    No,
    Yes,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_stay_on_this_server() {
        assert_eq!(own_path("/oauth/authorize?a=b&c=%20d"), "/oauth/authorize?a=b&c=%20d");
        assert_eq!(own_path("/"), "/");
        for foreign in [
            "",
            "c",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a\nSet-Cookie: x",
            " /a",
            "/login",
            "/login?next=/login",
        ] {
            assert_eq!(own_path(foreign), "/", "{foreign:?}");
        }
    }

    #[test]
    fn the_form_states_its_purpose() {
        assert_eq!(purpose("/oauth/authorize?client_id=x").as_deref(), Some("to connect a client"));
        assert_eq!(purpose("/device?user_code=ABCD-EFGH").as_deref(), Some("to connect a device"));
        assert_eq!(purpose("/devices"), None);
    }

    #[test]
    fn the_path_to_the_form_contains_the_next_path() {
        let path = path_to("/oauth/authorize?a=b&c=d", Switch::No);
        let fields = Fields::parse(path.split_once('?').unwrap().1.as_bytes());
        assert_eq!((fields.next.as_str(), fields.switch), ("/oauth/authorize?a=b&c=d", false));
        assert!(Fields::parse(path_to("/", Switch::Yes).split_once('?').unwrap().1.as_bytes()).switch);
    }
}
