//! The pages that the server draws itself: logging in, letting a client act as an agent, devices.
//!
//! A page is a struct of plain values and a function that makes a response of it; what is true and
//! who may is decided by whoever calls. What always holds: the pages work without script; every
//! text is escaped, and texts of strangers are shown without characters that hide or reorder; no
//! page has a script or a style of its own, as the content policy demands.

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

/// An agent that a person can choose.
#[derive(Debug, Clone)]
pub(crate) struct AgentChoice {
    pub(crate) name: String,
    pub(crate) display_name: String,
}

/// Asks for a name and a password. Posts `next`, `username` and `password` to `/login`.
#[derive(Debug, Default)]
pub(crate) struct LoginPage {
    /// Where to go afterwards; the handler judges it when it comes back.
    pub(crate) next: String,
    pub(crate) username: String,
    pub(crate) error: Option<String>,
    /// The end of the sentence that begins with "Log in", such as "to connect Example Client".
    pub(crate) purpose: Option<String>,
}

/// Asks whether a client may act as an agent. Posts the hidden fields, `agent` or, when there is
/// none to choose, `new_agent`, and `decision` (`allow` or `deny`) to `/oauth/authorize`.
#[derive(Debug, Default)]
pub(crate) struct AuthorizePage {
    pub(crate) client_name: String,
    /// Where the client describes itself, if it does.
    pub(crate) client_host: Option<String>,
    /// Where the answer goes, perhaps with a port.
    pub(crate) redirect_host: String,
    pub(crate) username: String,
    pub(crate) agents: Vec<AgentChoice>,
    /// The agent that is chosen already; without agents, the name that was typed for a new one.
    pub(crate) selected: Option<String>,
    pub(crate) hidden: Vec<(String, String)>,
    /// The path to log in as somebody else.
    pub(crate) switch: Option<String>,
    pub(crate) error: Option<String>,
}

/// Asks for the code that a device shows. Posts `user_code` to `/device`.
#[derive(Debug, Default)]
pub(crate) struct DevicePage {
    pub(crate) code: String,
    pub(crate) error: Option<String>,
}

/// Asks whether the device with this code may act as an agent. Posts the same as
/// [`AuthorizePage`] to `/device`.
#[derive(Debug, Default)]
pub(crate) struct DeviceConfirmPage {
    pub(crate) client_name: String,
    pub(crate) user_code: String,
    pub(crate) username: String,
    pub(crate) agents: Vec<AgentChoice>,
    /// As in [`AuthorizePage`].
    pub(crate) selected: Option<String>,
    pub(crate) hidden: Vec<(String, String)>,
    /// The path to log in as somebody else.
    pub(crate) switch: Option<String>,
    pub(crate) error: Option<String>,
}

/// The page that asks for a name and a password.
pub(crate) fn login(brand: &Brand, status: StatusCode, page: &LoginPage) -> Response {
    let response = view::respond(status, &view::Login::of(brand, page));
    // A request that cannot be met is told to the client as soon as somebody is logged in.
    if Area::of(&page.next) == Area::Authorize { view::may_lead_elsewhere(response) } else { response }
}

/// The page that asks whether a client may act as an agent.
pub(crate) fn authorize(brand: &Brand, status: StatusCode, page: &AuthorizePage) -> Response {
    view::may_lead_elsewhere(view::respond(status, &view::Authorize::of(brand, page)))
}

/// The page that asks for a device's code.
pub(crate) fn device(brand: &Brand, status: StatusCode, page: &DevicePage) -> Response {
    view::respond(status, &view::Device::of(brand, page))
}

/// The page that asks whether a device may act as an agent.
pub(crate) fn device_confirm(brand: &Brand, status: StatusCode, page: &DeviceConfirmPage) -> Response {
    view::respond(status, &view::DeviceConfirm::of(brand, page))
}

/// A page that only says something, such as what went wrong.
pub(crate) fn message(brand: &Brand, status: StatusCode, title: &str, text: &str) -> Response {
    view::respond(status, &view::Message::of(brand, Mark::None, title, text))
}

/// A page that says that what was wanted is done.
pub(crate) fn done(brand: &Brand, title: &str, text: &str) -> Response {
    view::respond(StatusCode::OK, &view::Message::of(brand, Mark::Done, title, text))
}

/// What stands above a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Done,
}
