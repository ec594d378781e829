//! Template contexts, and their rendering to responses.
//!
//! Invariants: text by others reaches a template only through [`text`], except values of fields, which are returned
//! unchanged.

use askama::Template;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use svc_core::Error;

use super::brand::Brand;
use super::{AgentChoice, AuthorizePage, DeviceConfirmPage, DevicePage, JoinPage, LoginPage, Mark, ResetPage, text};
use crate::error::Problem;
use crate::middleware::security_headers;

/// Longest displayed name and sentence, in characters.
const NAME: usize = 80;
const SENTENCE: usize = 400;

type Hidden = [(String, String)];

#[derive(Template)]
#[template(path = "login.html")]
pub(super) struct Login<'a> {
    brand: &'a Brand,
    page: &'a LoginPage,
    purpose: Option<String>,
    error: Option<String>,
}

impl<'a> Login<'a> {
    pub(super) fn of(brand: &'a Brand, page: &'a LoginPage) -> Self {
        Self { brand, page, purpose: sentence(page.purpose.as_deref()), error: sentence(page.error.as_deref()) }
    }
}

#[derive(Template)]
#[template(path = "join.html")]
pub(super) struct Join<'a> {
    brand: &'a Brand,
    page: &'a JoinPage,
    error: Option<String>,
}

impl<'a> Join<'a> {
    pub(super) fn of(brand: &'a Brand, page: &'a JoinPage) -> Self {
        Self { brand, page, error: sentence(page.error.as_deref()) }
    }
}

#[derive(Template)]
#[template(path = "reset.html")]
pub(super) struct Reset<'a> {
    brand: &'a Brand,
    page: &'a ResetPage,
    error: Option<String>,
}

impl<'a> Reset<'a> {
    pub(super) fn of(brand: &'a Brand, page: &'a ResetPage) -> Self {
        Self { brand, page, error: sentence(page.error.as_deref()) }
    }
}

#[derive(Template)]
#[template(path = "authorize.html")]
pub(super) struct Authorize<'a> {
    brand: &'a Brand,
    client: String,
    described_at: Option<String>,
    on_this_computer: bool,
    goes_to: String,
    username: String,
    agents: Agents<'a>,
    hidden: &'a Hidden,
    switch: Option<&'a str>,
    error: Option<String>,
}

impl<'a> Authorize<'a> {
    pub(super) fn of(brand: &'a Brand, page: &'a AuthorizePage) -> Self {
        Self {
            brand,
            client: client(&page.client_name),
            described_at: page.client_host.as_deref().map(text::shown_host).filter(|host| !host.is_empty()),
            on_this_computer: text::is_this_computer(&page.redirect_host),
            goes_to: text::shown_host(&page.redirect_host),
            username: text::shown(&page.username, NAME),
            agents: Agents::of(&page.agents, page.selected.as_deref(), page.error.is_some()),
            hidden: &page.hidden,
            switch: page.switch.as_deref().and_then(text::own_path),
            error: sentence(page.error.as_deref()),
        }
    }
}

#[derive(Template)]
#[template(path = "device.html")]
pub(super) struct Device<'a> {
    brand: &'a Brand,
    page: &'a DevicePage,
    error: Option<String>,
}

impl<'a> Device<'a> {
    pub(super) fn of(brand: &'a Brand, page: &'a DevicePage) -> Self {
        Self { brand, page, error: sentence(page.error.as_deref()) }
    }
}

#[derive(Template)]
#[template(path = "device_confirm.html")]
pub(super) struct DeviceConfirm<'a> {
    brand: &'a Brand,
    client: String,
    code: String,
    username: String,
    agents: Agents<'a>,
    hidden: &'a Hidden,
    switch: Option<&'a str>,
    error: Option<String>,
}

impl<'a> DeviceConfirm<'a> {
    pub(super) fn of(brand: &'a Brand, page: &'a DeviceConfirmPage) -> Self {
        Self {
            brand,
            client: client(&page.client_name),
            code: text::shown(&page.user_code, NAME),
            username: text::shown(&page.username, NAME),
            agents: Agents::of(&page.agents, page.selected.as_deref(), page.error.is_some()),
            hidden: &page.hidden,
            switch: page.switch.as_deref().and_then(text::own_path),
            error: sentence(page.error.as_deref()),
        }
    }
}

#[derive(Template)]
#[template(path = "message.html")]
pub(super) struct Message<'a> {
    brand: &'a Brand,
    title: String,
    text: String,
    mark: Mark,
    error: Option<String>,
}

impl<'a> Message<'a> {
    pub(super) fn of(brand: &'a Brand, mark: Mark, title: &str, text: &str) -> Self {
        Self { brand, title: text::shown(title, NAME), text: text::shown(text, SENTENCE), mark, error: None }
    }
}

/// The agent field of a form: one of these, or the name of a new one.
struct Agents<'a> {
    choices: Vec<Choice<'a>>,
    new_name: &'a str,
    /// Whether the page is shown again because of an error, so that this field gets the focus.
    is_wrong: bool,
}

struct Choice<'a> {
    value: &'a str,
    title: String,
    is_chosen: bool,
    has_focus: bool,
}

impl<'a> Agents<'a> {
    fn of(agents: &'a [AgentChoice], selected: Option<&'a str>, is_wrong: bool) -> Self {
        // With one agent there is nothing to choose.
        let selected = selected.or(if let [only] = agents { Some(&only.name) } else { None });
        let chosen = agents.iter().position(|agent| Some(agent.name.as_str()) == selected);
        let choice = |(at, agent): (usize, &'a AgentChoice)| Choice {
            value: &agent.name,
            title: text::shown(if agent.display_name.is_empty() { &agent.name } else { &agent.display_name }, NAME),
            is_chosen: chosen == Some(at),
            has_focus: is_wrong && at == chosen.unwrap_or(0),
        };
        Self { choices: agents.iter().enumerate().map(choice).collect(), new_name: selected.unwrap_or(""), is_wrong }
    }
}

impl Choice<'_> {
    /// The handle below the name, if it differs.
    fn handle(&self) -> Option<String> {
        let handle = text::shown(self.value, NAME);
        (handle != self.title).then_some(handle)
    }
}

fn client(name: &str) -> String {
    match text::shown(name, NAME) {
        name if name.is_empty() => "Unnamed client".to_owned(),
        name => name,
    }
}

fn sentence(text: Option<&str>) -> Option<String> {
    text.map(|text| text::shown(text, SENTENCE)).filter(|text| !text.is_empty())
}

/// Renders the page to a response.
pub(super) fn respond(status: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => Response::builder()
            .status(status)
            .content_type("text/html; charset=utf-8")
            // With the stricter policy of the other routes a browser would post these forms with `Origin: null`, and
            // the same-origin check would have nothing to go by.
            .header(header::REFERRER_POLICY, "same-origin")
            .body(html),
        Err(error) => Problem::from(Error::internal("a page cannot be drawn").with_source(error)).into_response(),
    }
}

/// Allows the form to redirect to the client, wherever that is: browsers check `form-action` at every step, and a
/// client's own scheme cannot be listed in advance.
pub(super) fn allow_redirects(mut response: Response) -> Response {
    if let Ok(policy) = HeaderValue::from_str(&security_headers::CONTENT_POLICY.replace("; form-action 'self'", "")) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
