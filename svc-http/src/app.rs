//! All routes and all middleware.

use std::collections::BTreeSet;
use std::sync::Arc;

use poem::endpoint::{BoxEndpoint, make};
use poem::http::Method;
use poem::{Endpoint, EndpointExt, IntoEndpoint, Response, Route};
use poem_openapi::{ContactObject, LicenseObject, OpenApi, OpenApiService};
use svc_core::{Error, Result};

use crate::allowed_methods::AllowedMethods;
use crate::config::{BaseUrl, Mount, ServerConfig};
use crate::middleware::body_limit::{self, Bodies, BodyLimits};
use crate::middleware::rate_limit::{self, Budgets};
use crate::middleware::record::{self, Recorder};
use crate::middleware::security_headers::{self, Transport};
use crate::middleware::span::{self, Spans};
use crate::middleware::{access_log, client_address, compression, head, host, measure, panics, problems, request_id};
use crate::operations::Operations;
use crate::routes::accounts::AccountRoutes;
use crate::routes::admin::AdminRoutes;
use crate::routes::agents::AgentRoutes;
use crate::routes::analytics::AnalyticsRoutes;
use crate::routes::attachments::AttachmentRoutes;
use crate::routes::audit::AuditRoutes;
use crate::routes::auth::AuthRoutes;
use crate::routes::channels::ChannelRoutes;
use crate::routes::claims::ClaimRoutes;
use crate::routes::cluster::ClusterRoutes;
use crate::routes::dead_letters::DeadLetterRoutes;
use crate::routes::dm::DirectRoutes;
use crate::routes::emoji::EmojiRoutes;
use crate::routes::events::EventRoutes;
use crate::routes::goal_decisions::GoalDecisionRoutes;
use crate::routes::goals::GoalRoutes;
use crate::routes::governance::GovernanceRoutes;
use crate::routes::health::HealthRoutes;
use crate::routes::keys::KeyRoutes;
use crate::routes::machine::MachineRoutes;
use crate::routes::machines::MachinesRoutes;
use crate::routes::mcp::McpEndpoint;
use crate::routes::messages::MessageRoutes;
use crate::routes::metrics::MetricsRoutes;
use crate::routes::notifications::NotificationRoutes;
use crate::routes::onboarding::OnboardingRoutes;
use crate::routes::pins::PinRoutes;
use crate::routes::profiles::ProfileRoutes;
use crate::routes::push::PushRoutes;
use crate::routes::reactions::ReactionRoutes;
use crate::routes::runs::RunRoutes;
use crate::routes::saved::SavedRoutes;
use crate::routes::scheduled::ScheduledRoutes;
use crate::routes::search::SearchRoutes;
use crate::routes::secret_requests::SecretRequestRoutes;
use crate::routes::tasks::TaskRoutes;
use crate::routes::templates::TemplateRoutes;
use crate::routes::traces::TraceRoutes;
use crate::routes::trust::TrustRoutes;
use crate::routes::usage::UsageRoutes;
use crate::routes::webhooks::WebhookRoutes;
use crate::routes::wiki::WikiRoutes;
use crate::routes::wiki::history::WikiHistoryRoutes;
use crate::routes::{contracts, join, login, oauth, openapi, pages, web};
use crate::state::AppState;
use crate::{description, identity};

const DESCRIPTION: &str = "\
A message hub for people and AI agents.

Errors are problems of RFC 9457 (`application/problem+json`) with a stable `code`. Every answer
has the header `X-Request-Id`; send one of your own to find a request in the log.";

/// Combines a list of route types into nested pairs of the first and the rest.
macro_rules! documented {
    ($($routes:ident,)+) => {
        type Api = documented!(@type $($routes,)+);

        fn all(state: &AppState) -> Api {
            documented!(@value state $($routes,)+)
        }
    };
    (@type $last:ident,) => { $last };
    (@type $first:ident, $($rest:ident,)+) => { ($first, documented!(@type $($rest,)+)) };
    (@value $state:ident $last:ident,) => { $last { state: $state.clone() } };
    (@value $state:ident $first:ident, $($rest:ident,)+) => {
        ($first { state: $state.clone() }, documented!(@value $state $($rest,)+))
    };
}

// Documented routes, in the order of the OpenAPI document.
documented! {
    AuthRoutes,
    AgentRoutes,
    OnboardingRoutes,
    KeyRoutes,
    MessageRoutes,
    PinRoutes,
    SavedRoutes,
    ScheduledRoutes,
    TemplateRoutes,
    ClaimRoutes,
    DeadLetterRoutes,
    EventRoutes,
    AttachmentRoutes,
    SearchRoutes,
    ReactionRoutes,
    EmojiRoutes,
    TrustRoutes,
    TaskRoutes,
    WebhookRoutes,
    RunRoutes,
    ClusterRoutes,
    GoalRoutes,
    GoalDecisionRoutes,
    SecretRequestRoutes,
    WikiRoutes,
    WikiHistoryRoutes,
    GovernanceRoutes,
    ChannelRoutes,
    DirectRoutes,
    ProfileRoutes,
    NotificationRoutes,
    PushRoutes,
    TraceRoutes,
    AnalyticsRoutes,
    UsageRoutes,
    MachineRoutes,
    MachinesRoutes,
    AdminRoutes,
    AccountRoutes,
    AuditRoutes,
    HealthRoutes,
    MetricsRoutes,
}

fn api(state: &AppState) -> OpenApiService<Api, ()> {
    describe(OpenApiService::new(all(state), "svc", env!("CARGO_PKG_VERSION")))
}

fn describe<T>(service: OpenApiService<T, ()>) -> OpenApiService<T, ()> {
    service
        .description(DESCRIPTION)
        .contact(ContactObject::new().name("The svc authors"))
        .license(LicenseObject::new("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0"))
}

/// The router of the server.
fn routes(state: &AppState, mounts: Vec<Mount>) -> Result<Route> {
    let api = api(state);
    let document = description::complete(&api.spec(), state.base_url().map(BaseUrl::as_str));
    let api = Arc::new(api.into_endpoint());
    let mut routes = Route::new()
        .at("/openapi.json", poem::get(openapi::endpoint(&document)))
        .at(contracts::REGISTRY_PATH, poem::get(contracts::registry()))
        .at("/pages/style.css", poem::get(pages::style()))
        .at("/pages/brand.css", poem::get(pages::brand(state.brand())))
        .at("/pages/logo", poem::get(pages::logo(state.brand())))
        .at("/pages/link.js", poem::get(pages::link_script()))
        .at("/join", poem::get(make(join::show_join)).post(make(join::submit_join)))
        .at("/reset", poem::get(make(join::show_reset)).post(make(join::submit_reset)))
        .at("/login", poem::get(make(login::show)).post(make(login::submit)));
    routes = oauth::mount(routes).at("/mcp", McpEndpoint::new(state));
    for path in documented_paths::<Api>() {
        routes = routes.at(path, api.clone());
    }
    for Mount { path, endpoint, .. } in mounts {
        routes = nest(routes, &path, endpoint)?;
    }
    // Every other path: the web UI, or 404 below the paths of programs.
    let web = Arc::new(web::endpoint());
    Ok(routes.at("/", web.clone()).at("/*path", web))
}

/// Each documented path once, in the notation of the router.
fn documented_paths<T: OpenApi>() -> BTreeSet<String> {
    T::meta().into_iter().flat_map(|api| api.paths).map(|path| path.path.replace('{', ":").replace('}', "")).collect()
}

fn nest(routes: Route, path: &str, endpoint: impl Endpoint + 'static) -> Result<Route> {
    let plain = path.len() > 1 && path.starts_with('/') && !path.contains(['*', ':', '<', '?', '#']);
    let refuse = || Error::invalid("mount", format!("must be a plain path that no other route uses, not {path:?}"));
    if !plain {
        return Err(refuse());
    }
    routes.try_nest(path, endpoint).map_err(|_| refuse())
}

/// The routes wrapped in their middleware, from the innermost to the outermost.
pub(crate) fn app(state: &AppState, config: ServerConfig) -> Result<BoxEndpoint<'static, Response>> {
    let ServerConfig { base_url, trusted_proxies, rate_limits, mounts, .. } = config;
    let body_limits =
        mounts.iter().fold(BodyLimits::default(), |limits, mount| limits.except(&mount.path, mount.body_max));
    let bodies = Arc::new(Bodies { limits: body_limits, patience: state.patience(), traffic: state.traffic().clone() });
    let allowed = AllowedMethods::of::<Api>()
        .and("/openapi.json", &[Method::GET])
        .and(contracts::REGISTRY_PATH, &[Method::GET])
        .and("/mcp", &[Method::GET, Method::POST, Method::DELETE, Method::OPTIONS])
        .and("/login", &[Method::GET, Method::POST])
        .and("/join", &[Method::GET, Method::POST])
        .and("/reset", &[Method::GET, Method::POST])
        .and("/pages/:file", &[Method::GET]);
    let allowed = Arc::new(oauth::PATHS.iter().fold(allowed, |allowed, (path, methods)| allowed.and(path, methods)));
    let operations = oauth::CHANGES
        .iter()
        .fold(Operations::of::<Api>(), |operations, (path, id)| operations.and(Method::POST, path, id));
    let tracer = state.hub().tracer();
    let spans = tracer.is_on().then(|| Arc::new(Spans { tracer: tracer.clone(), routes: allowed.clone() }));
    let recorder = Arc::new(Recorder { state: state.clone(), operations });
    let budgets = Arc::new(Budgets::new(rate_limits));
    let proxies = Arc::new(trusted_proxies);
    let transport = if base_url.as_ref().is_some_and(BaseUrl::is_https) { Transport::Tls } else { Transport::Plain };
    let (measured, identified, known) = (state.clone(), state.clone(), state.clone());

    Ok(routes(state, mounts)?
        .data(state.clone())
        .around(move |next, request| body_limit::limit(bodies.clone(), next, request))
        .around(panics::catch)
        .around(move |next, request| problems::answer(allowed.clone(), next, request))
        .around(move |next, request| record::record(recorder.clone(), next, request))
        .around(move |next, request| rate_limit::limit(budgets.clone(), next, request))
        .around(oauth::speak)
        .around(move |next, request| identity::note(known.clone(), next, request))
        // Each layer is a type around the previous one; boxing keeps compile times bounded.
        .boxed()
        .around(compression::compress)
        .around(head::answer)
        .around(host::check)
        .around(move |next, request| security_headers::add(transport, next, request))
        .around(move |next, request| measure::count(measured.clone(), next, request))
        .boxed()
        .around(access_log::write)
        .around(move |next, request| client_address::note(proxies.clone(), next, request))
        .around(move |next, request| span::trace(spans.clone(), next, request))
        .around(move |next, request| request_id::identify(identified.clone(), next, request))
        .boxed())
}
