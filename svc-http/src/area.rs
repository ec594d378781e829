//! The area of the server that a path belongs to, and the rules that follow from it.
//!
//! Invariants: every rule that depends on the path alone is a method of [`Area`] with a `match` over all areas, so a
//! new area must define each of them; nothing else in this crate compares paths with literals. Whole segments are
//! compared without decoding, as in the router. A path outside of all areas is [`Area::Page`], where credentials are
//! ignored and only files of the web UI are served; a test fails when a route is there.
//!
//! | area | paths | credentials | budget of reads, of other requests | body | label | page |
//! |---|---|---|---|---|---|---|
//! | `Health` | `/healthz` | ignored | none, none | JSON | `healthz` | no |
//! | `Readiness` | `/readyz` | ignored | none, none | JSON | `readyz` | no |
//! | `Metrics` | `/metrics` | ignored | none, none | JSON | `metrics` | no |
//! | `Description` | `/openapi.json` | ignored | none, none | JSON | `web` | no |
//! | `Contracts` | `/contracts/…` | ignored | none, none | JSON | `contracts` | no |
//! | `WellKnown` | `/.well-known/…` | ignored | none, none | JSON | `web` | no |
//! | `Assets` | `/assets/…` | ignored | none, none | JSON | `assets` | no |
//! | `Styles` | `/pages/…` | ignored | none, none | JSON | `web` | no |
//! | `Login` | `/login` | callers | none, auth | auth | `web` | yes |
//! | `Device` | `/device` | callers | none, auth | auth | `web` | yes |
//! | `Join` | `/join`, `/reset` | callers | none, auth | auth | `web` | yes |
//! | `BelowForms` | below these forms | callers | none, auth | auth | `web` | yes |
//! | `Authorize` | `/oauth/authorize` | logins | read, auth | auth | `oauth` | no |
//! | `Tokens` | `/oauth/token`, `/introspect`, `/revoke` | logins | write, write | auth | `oauth` | no |
//! | `OAuth` | `/oauth/…` | logins | read, auth | auth | `oauth` | no |
//! | `Passwords` | `/auth/login`, `/register`, `/join`, … `/confirm` | callers | auth, auth | auth | `auth` | no |
//! | `Auth` | `/auth/…` | callers | read, write | auth | `auth` | no |
//! | `Api` | `/api/…` | callers | read, write | JSON | `api` | no |
//! | `Attachments` | `/api/attachments/…` | callers | read, write | upload | `api` | no |
//! | `Articles` | `/api/wiki/articles/…` | callers | read, write | article | `api` | no |
//! | `Machine` | `/api/machine/…` | machines | read, write | JSON | `api` | no |
//! | `MachineEvents` | `/api/machine/events/…` | machines | read, write | batch | `api` | no |
//! | `Mcp` | `/mcp/…` | callers | read, write | MCP | `mcp` | no |
//! | `Mistyped` | `//api/…`, `/API/…`, `/healthz/…` | ignored | read, write | JSON | `web` | no |
//! | `Page` | everything else | ignored | none, none | JSON | `web` | yes |
//!
//! `…` stands for the path itself and everything below it; for machines only for what is below. In addition,
//! [`Area::surface`], [`Area::is_answered_in_reserve`], [`Area::is_opened_by_clients`], [`Area::is_for_any_origin`],
//! [`Area::refuses_as_oauth`] and [`Area::is_kept_by_browsers`] hold for a few areas each.

use poem::http::Method;
use svc_core::auth::Surface;
use svc_core::limits;

use self::Area::{
    Api, Articles, Assets, Attachments, Auth, Authorize, BelowForms, Contracts, Description, Device, Health, Join,
    Login, Machine, MachineEvents, Mcp, Metrics, Mistyped, OAuth, Page, Passwords, Readiness, Styles, Tokens,
    WellKnown,
};
use crate::middleware::rate_limit::Class;

/// The area of the server that a path belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Area {
    /// Liveness of the process.
    Health,
    /// Readiness: the store can be read and written.
    Readiness,
    /// Prometheus metrics.
    Metrics,
    /// The OpenAPI document.
    Description,
    /// JSON Schemas of documents that other programs write.
    Contracts,
    /// Discovery documents for OAuth clients.
    WellKnown,
    /// The built files of the web UI, whose names change with their contents.
    Assets,
    /// Style sheets and images of the server-rendered pages.
    Styles,
    /// The login form.
    Login,
    /// The form for a device code.
    Device,
    /// The forms that redeem an invitation, and that choose a new password.
    Join,
    /// Below the forms, where there are no routes.
    BelowForms,
    /// The authorization form of OAuth.
    Authorize,
    /// Endpoints for OAuth credentials that cannot be guessed. Devices poll them.
    Tokens,
    /// The other endpoints for OAuth clients.
    OAuth,
    /// Endpoints that check passwords and invitations.
    Passwords,
    /// The other account routes.
    Auth,
    /// The REST API.
    Api,
    /// The part of the REST API that accepts files.
    Attachments,
    /// The part of the REST API that accepts articles of the wiki.
    Articles,
    /// The part of the REST API for machines, which sign their requests.
    Machine,
    /// The part of the machine API that accepts batches.
    MachineEvents,
    /// The MCP surface.
    Mcp,
    /// A path for programs with an extra slash, in another case, or below a path that has nothing below it. It is
    /// answered with 404.
    Mistyped,
    /// Everything else: the web UI, and endpoints of embedding programs.
    Page,
}

/// The credentials that are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identity {
    /// Credentials are ignored.
    Nobody,
    /// Keys, tokens and login sessions. A 401 response names the metadata document of this resource.
    Caller {
        /// Path below the server's base URL.
        resource: &'static str,
    },
    /// Login sessions. Other credentials belong to the OAuth client, and the route reports how they should have been
    /// sent.
    Session,
    /// The signature of a machine only.
    Signature,
}

impl Area {
    /// The area of a path; a query string is ignored.
    pub fn of(path: &str) -> Self {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let Some(path) = path.strip_prefix('/') else { return Page };
        let mut segments = path.split('/');
        let first = segments.next().unwrap_or_default();
        let area = Self::at(first, segments.next(), segments.next());
        if area != Page {
            return area;
        }
        // A typing mistake in a path for programs results in 404, not in the web UI.
        let first = path.split('/').find(|segment| !segment.is_empty()).unwrap_or_default();
        if Self::at(&first.to_ascii_lowercase(), None, None).has_page() { Page } else { Mistyped }
    }

    /// The only list of first segments.
    fn at(first: &str, second: Option<&str>, third: Option<&str>) -> Self {
        match (first, second, third) {
            ("healthz", None, _) => Health,
            ("readyz", None, _) => Readiness,
            ("metrics", None, _) => Metrics,
            ("openapi.json", None, _) => Description,
            ("healthz" | "readyz" | "metrics" | "openapi.json", Some(_), _) => Mistyped,
            ("contracts", ..) => Contracts,
            (".well-known", ..) => WellKnown,
            ("assets", ..) => Assets,
            ("pages", ..) => Styles,
            ("login", None, _) => Login,
            ("device", None, _) => Device,
            ("join" | "reset", None, _) => Join,
            ("login" | "device" | "join" | "reset", Some(_), _) => BelowForms,
            ("oauth", Some("authorize"), None) => Authorize,
            ("oauth", Some("token" | "introspect" | "revoke"), None) => Tokens,
            ("oauth", ..) => OAuth,
            ("auth", Some("login" | "register" | "join" | "reset" | "password" | "confirm"), None) => Passwords,
            ("auth", ..) => Auth,
            ("api", Some("attachments"), _) => Attachments,
            ("api", Some("wiki"), Some("articles")) => Articles,
            ("api", Some("machine"), Some("events")) => MachineEvents,
            ("api", Some("machine"), Some(_)) => Machine,
            ("api", ..) => Api,
            ("mcp", ..) => Mcp,
            _ => Page,
        }
    }

    /// The credentials that are accepted.
    pub(crate) fn identity(self) -> Identity {
        match self {
            Login | Device | Join | BelowForms | Passwords | Auth | Api | Attachments | Articles => {
                Identity::Caller { resource: "" }
            }
            Mcp => Identity::Caller { resource: "/mcp" },
            Authorize | Tokens | OAuth => Identity::Session,
            Machine | MachineEvents => Identity::Signature,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Mistyped | Page => {
                Identity::Nobody
            }
        }
    }

    /// The rate limit budget of a request; `None` if it is not limited.
    pub(crate) fn class(self, method: &Method) -> Option<Class> {
        let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
        match self {
            Tokens => Some(Class::Write),
            Passwords => Some(Class::Auth),
            Authorize | OAuth => Some(if reads { Class::Read } else { Class::Auth }),
            Login | Device | Join | BelowForms => (!reads).then_some(Class::Auth),
            Auth | Api | Attachments | Articles | Machine | MachineEvents | Mcp | Mistyped => {
                Some(if reads { Class::Read } else { Class::Write })
            }
            // Requests that are answered from memory, and those that operators need however busy the server is.
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Page => None,
        }
    }

    /// Largest body, in bytes.
    pub(crate) fn body_max(self) -> usize {
        match self {
            Login | Device | Join | BelowForms | Authorize | Tokens | OAuth | Passwords | Auth => limits::AUTH_BODY_MAX,
            Attachments => {
                usize::try_from(limits::ATTACHMENT_MAX).unwrap_or(usize::MAX).saturating_add(limits::UPLOAD_FORM_MAX)
            }
            Articles => limits::ARTICLE_REQUEST_MAX,
            MachineEvents => limits::MACHINE_EVENTS_BODY_MAX,
            Mcp => limits::MCP_BODY_MAX,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Api | Machine
            | Mistyped | Page => limits::JSON_BODY_MAX,
        }
    }

    /// Label of its routes in `/metrics`.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Health => "healthz",
            Readiness => "readyz",
            Metrics => "metrics",
            Contracts => "contracts",
            Assets => "assets",
            Authorize | Tokens | OAuth => "oauth",
            Passwords | Auth => "auth",
            Api | Attachments | Articles | Machine | MachineEvents => "api",
            Mcp => "mcp",
            Description | WellKnown | Styles | Login | Device | Join | BelowForms | Mistyped | Page => "web",
        }
    }

    /// Whether the web UI answers a path without a route. Other areas are for programs, and return 404.
    pub(crate) fn has_page(self) -> bool {
        match self {
            Login | Device | Join | BelowForms | Page => true,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Authorize
            | Tokens | OAuth | Passwords | Auth | Api | Attachments | Articles | Machine | MachineEvents | Mcp
            | Mistyped => false,
        }
    }

    /// The surface that audit entries and traces name.
    pub(crate) fn surface(self) -> Surface {
        match self {
            Mcp => Surface::Mcp,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Login | Device
            | Join | BelowForms | Authorize | Tokens | OAuth | Passwords | Auth | Api | Attachments | Articles
            | Machine | MachineEvents | Mistyped | Page => Surface::Rest,
        }
    }

    /// Whether it is answered beyond the connection limit.
    pub(crate) fn is_answered_in_reserve(self) -> bool {
        match self {
            Health | Readiness => true,
            Metrics | Description | Contracts | WellKnown | Assets | Styles | Login | Device | Join | BelowForms
            | Authorize | Tokens | OAuth | Passwords | Auth | Api | Attachments | Articles | Machine
            | MachineEvents | Mcp | Mistyped | Page => false,
        }
    }

    /// Whether pages of OAuth clients open it in a window of its own. Isolated from its opener, that window could not
    /// report the result to the client.
    pub(crate) fn is_opened_by_clients(self) -> bool {
        match self {
            Login | Authorize => true,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Device | Join
            | BelowForms | Tokens | OAuth | Passwords | Auth | Api | Attachments | Articles | Machine
            | MachineEvents | Mcp | Mistyped | Page => false,
        }
    }

    /// Whether web pages of any origin may use its endpoints, because they ignore cookies.
    pub(crate) fn is_for_any_origin(self) -> bool {
        match self {
            WellKnown | Tokens | OAuth => true,
            Health | Readiness | Metrics | Description | Contracts | Assets | Styles | Login | Device | Join
            | BelowForms | Authorize | Passwords | Auth | Api | Attachments | Articles | Machine | MachineEvents
            | Mcp | Mistyped | Page => false,
        }
    }

    /// Whether its endpoints report errors in the form of RFC 6749.
    pub(crate) fn refuses_as_oauth(self) -> bool {
        match self {
            Tokens | OAuth => true,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Assets | Styles | Login | Device
            | Join | BelowForms | Authorize | Passwords | Auth | Api | Attachments | Articles | Machine
            | MachineEvents | Mcp | Mistyped | Page => false,
        }
    }

    /// Whether browsers cache its files without revalidation, because a file with another content has another name.
    pub(crate) fn is_kept_by_browsers(self) -> bool {
        match self {
            Assets => true,
            Health | Readiness | Metrics | Description | Contracts | WellKnown | Styles | Login | Device | Join
            | BelowForms | Authorize | Tokens | OAuth | Passwords | Auth | Api | Attachments | Articles | Machine
            | MachineEvents | Mcp | Mistyped | Page => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_segments_decide() {
        for (path, area) in [
            ("/api", Area::Api),
            ("/api/", Area::Api),
            ("/api/agents/ann", Area::Api),
            ("/api//machine/events", Area::Api),
            ("/api/attachments", Area::Attachments),
            ("/api/attachments/7", Area::Attachments),
            ("/api/attachmentsx", Area::Api),
            ("/api/wiki/articles", Area::Articles),
            ("/api/wiki/articles/deploy/rename", Area::Articles),
            ("/api/wiki/map", Area::Api),
            ("/api/machine", Area::Api),
            ("/api/machines", Area::Api),
            ("/api/machine/", Area::Machine),
            ("/api/machine/eventsx", Area::Machine),
            ("/api/machine/events", Area::MachineEvents),
            ("/api/machine/events/7", Area::MachineEvents),
            ("/auth", Area::Auth),
            ("/auth/me", Area::Auth),
            ("/auth/login", Area::Passwords),
            ("/auth/login/", Area::Auth),
            ("/oauth", Area::OAuth),
            ("/oauth/token", Area::Tokens),
            ("/oauth/token/", Area::OAuth),
            ("/oauth/authorize", Area::Authorize),
            ("/oauth/authorizex", Area::OAuth),
            ("/login", Area::Login),
            ("/login/", Area::BelowForms),
            ("/device", Area::Device),
            ("/device/x", Area::BelowForms),
            ("/join", Area::Join),
            ("/reset", Area::Join),
            ("/join/x", Area::BelowForms),
            ("/auth/join", Area::Passwords),
            ("/auth/reset", Area::Passwords),
            ("/mcp", Area::Mcp),
            ("/mcp/x", Area::Mcp),
            ("/.well-known/oauth-authorization-server", Area::WellKnown),
            ("/.well-known", Area::WellKnown),
            ("/contracts/v1/x", Area::Contracts),
            ("/assets/index.js", Area::Assets),
            ("/pages/style.css", Area::Styles),
            ("/healthz", Area::Health),
            ("/readyz", Area::Readiness),
            ("/metrics", Area::Metrics),
            ("/openapi.json", Area::Description),
        ] {
            assert_eq!(Area::of(path), area, "{path}");
            assert_eq!(Area::of(&format!("{path}?next=/login#/api")), area, "{path} with a query");
        }
    }

    #[test]
    fn similar_paths_belong_to_the_page() {
        for path in [
            "",
            "/",
            "*",
            "api/agents",
            "/apix",
            "/mcpx",
            "/loginx",
            "/devices",
            "/joined",
            "/oauth2/token",
            "/healthzz",
            "/well-known/x",
            "/..well-known",
            "/../api",
            "/./api",
            "/%61pi/agents",
            "/api%2Fagents",
            "/API%2Fagents",
            "/ api",
            "/docs",
            "/c/api",
            "//c/api",
            "/Login",
            "//login",
            "/theme.js",
            "?/api",
        ] {
            assert_eq!(Area::of(path), Area::Page, "{path}");
        }
    }

    #[test]
    fn mistyped_paths_of_programs_are_not_found() {
        for path in [
            "//api",
            "//api/x",
            "///api/machine/events",
            "/API/x",
            "/Api",
            "/OAuth/token",
            "/MCP",
            "//.WELL-KNOWN/x",
            "/Assets/x.js",
            "/healthz/",
            "/healthz/x",
            "/HEALTHZ",
            "/metrics/",
            "/openapi.json/",
        ] {
            assert_eq!(Area::of(path), Area::Mistyped, "{path}");
        }
    }

    #[test]
    fn an_unknown_path_ignores_credentials() {
        for area in [Area::Mistyped, Area::Page] {
            assert_eq!(area.identity(), Identity::Nobody);
            assert_eq!(area.body_max(), limits::JSON_BODY_MAX);
            assert!(!area.is_for_any_origin() && !area.is_opened_by_clients() && !area.is_answered_in_reserve());
        }
    }

    #[test]
    fn signatures_are_accepted_below_one_path() {
        let is_for_machines = |path| Area::of(path).identity() == Identity::Signature;
        assert!(is_for_machines("/api/machine/events"));
        assert!(!is_for_machines("/api/machines"));
        assert!(!is_for_machines("/api/machine"));
    }
}
