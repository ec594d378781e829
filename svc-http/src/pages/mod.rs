//! Server-rendered pages: login, invitations, new passwords, authorization of clients, devices.
//!
//! A page is a struct of plain values and a function that renders it to a response; data and permissions are the
//! responsibility of the caller. Invariants: the pages work without script; every text is escaped, and text by others
//! is shown without characters that hide or reorder; no page has an inline script or style, as the content security
//! policy demands.

mod brand;
mod colour;
mod text;
mod view;

#[cfg(test)]
mod tests;

use poem::Response;
use poem::http::StatusCode;

pub(crate) use brand::{Brand, Logo};
pub use brand::{BrandConfig, BrandName};
pub use colour::BrandAccent;

use crate::area::Area;

/// The stylesheet of all pages.
pub(crate) const STYLE: &str = include_str!("../../templates/style.css");

/// The script that takes the code of a link from behind the `#`.
pub(crate) const LINK_SCRIPT: &str = include_str!("../../templates/link.js");

/// An agent that a person can choose.
#[derive(Debug, Clone)]
pub(crate) struct AgentChoice {
    pub(crate) name: String,
    pub(crate) display_name: String,
}

/// Login form. Posts `next`, `username` and `password` to `/login`.
#[derive(Debug, Default)]
pub(crate) struct LoginPage {
    /// Destination after the login; the handler validates it when the form is posted.
    pub(crate) next: String,
    pub(crate) username: String,
    pub(crate) error: Option<String>,
    /// The end of the sentence that begins with "Log in", such as "to connect Example Client".
    pub(crate) purpose: Option<String>,
}

/// Form for a new account. Posts `invite`, `username`, `display_name` and `password` to `/join`.
#[derive(Debug, Default)]
pub(crate) struct JoinPage {
    pub(crate) invite: String,
    /// Whether the invitation is valid and need not be shown.
    pub(crate) keeps_code: bool,
    pub(crate) username: String,
    pub(crate) display_name: String,
    pub(crate) error: Option<String>,
}

/// Form for a new password. Posts `reset` and `password` to `/reset`.
#[derive(Debug, Default)]
pub(crate) struct ResetPage {
    pub(crate) reset: String,
    /// Whether the code is valid and need not be shown.
    pub(crate) keeps_code: bool,
    pub(crate) error: Option<String>,
}

/// Asks whether a client may act as an agent. Posts the hidden fields, `agent` or, when there is none to choose,
/// `new_agent`, and `decision` (`allow` or `deny`) to `/oauth/authorize`.
#[derive(Debug, Default)]
pub(crate) struct AuthorizePage {
    pub(crate) client_name: String,
    /// Host of the client's metadata document, if it has one.
    pub(crate) client_host: Option<String>,
    /// Host of the redirect URI, with its port if it has one.
    pub(crate) redirect_host: String,
    pub(crate) username: String,
    pub(crate) agents: Vec<AgentChoice>,
    /// The preselected agent; without agents, the entered name of a new one.
    pub(crate) selected: Option<String>,
    pub(crate) hidden: Vec<(String, String)>,
    /// Path of the login form for another account.
    pub(crate) switch: Option<String>,
    pub(crate) error: Option<String>,
}

/// Asks for the code of a device. Posts `user_code` to `/device`.
#[derive(Debug, Default)]
pub(crate) struct DevicePage {
    pub(crate) code: String,
    pub(crate) error: Option<String>,
}

/// Asks whether the device with this code may act as an agent. Posts the fields of [`AuthorizePage`] to `/device`.
#[derive(Debug, Default)]
pub(crate) struct DeviceConfirmPage {
    pub(crate) client_name: String,
    pub(crate) user_code: String,
    pub(crate) username: String,
    pub(crate) agents: Vec<AgentChoice>,
    /// As in [`AuthorizePage`].
    pub(crate) selected: Option<String>,
    pub(crate) hidden: Vec<(String, String)>,
    /// Path of the login form for another account.
    pub(crate) switch: Option<String>,
    pub(crate) error: Option<String>,
}

/// Renders the login page.
pub(crate) fn login(brand: &Brand, status: StatusCode, page: &LoginPage) -> Response {
    let response = view::respond(status, &view::Login::of(brand, page));
    // A request that cannot be fulfilled is reported to the client as soon as a human is logged in.
    if Area::of(&page.next) == Area::Authorize { view::allow_redirects(response) } else { response }
}

/// Renders the page that redeems an invitation.
pub(crate) fn join(brand: &Brand, status: StatusCode, page: &JoinPage) -> Response {
    view::respond(status, &view::Join::of(brand, page))
}

/// Renders the page that chooses a new password.
pub(crate) fn reset(brand: &Brand, status: StatusCode, page: &ResetPage) -> Response {
    view::respond(status, &view::Reset::of(brand, page))
}

/// Renders the authorization page of a client.
pub(crate) fn authorize(brand: &Brand, status: StatusCode, page: &AuthorizePage) -> Response {
    view::allow_redirects(view::respond(status, &view::Authorize::of(brand, page)))
}

/// Renders the page that asks for a device code.
pub(crate) fn device(brand: &Brand, status: StatusCode, page: &DevicePage) -> Response {
    view::respond(status, &view::Device::of(brand, page))
}

/// Renders the authorization page of a device.
pub(crate) fn device_confirm(brand: &Brand, status: StatusCode, page: &DeviceConfirmPage) -> Response {
    view::respond(status, &view::DeviceConfirm::of(brand, page))
}

/// Renders a message, such as an error.
pub(crate) fn message(brand: &Brand, status: StatusCode, title: &str, text: &str) -> Response {
    view::respond(status, &view::Message::of(brand, Mark::None, title, text))
}

/// Renders a confirmation of success.
pub(crate) fn done(brand: &Brand, title: &str, text: &str) -> Response {
    view::respond(StatusCode::OK, &view::Message::of(brand, Mark::Done, title, text))
}

/// Icon above a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Done,
}
