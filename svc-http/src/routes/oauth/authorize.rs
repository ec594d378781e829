//! `/oauth/authorize`: the page on which a human authorizes a client to act as one of their agents.
//!
//! Invariants: nothing is shown, and no document is fetched, before the human is logged in; nobody is redirected with
//! an error to a client that they have not authorized before; the posted form is validated as if the page had never
//! been shown; it must come from a page of this server, and name an agent of the human.

use poem::http::StatusCode;
use poem::{Request, Response, Result};
use svc_core::oauth::{AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, shown_host};
use svc_core::{Caller, Error, ErrorKind};

use super::choice::{self, Choice, agents, chosen, human, refuse, see_other};
use super::form::{self, Form};
use crate::error::Problem;
use crate::identity;
use crate::pages::{self, AuthorizePage};
use crate::routes::login::{Switch, path_to};
use crate::state::AppState;

/// Shows the form.
pub(super) async fn show(request: Request) -> Result<Response> {
    let state = AppState::of(&request).clone();
    let Some(caller) = human(&request) else {
        let here = request.uri().path_and_query().map_or("/oauth/authorize", |path| path.as_str());
        return Ok(see_other(&path_to(here, Switch::No)));
    };
    let parameters = match Form::in_query(&request) {
        Ok(mut form) => form.take_authorization(),
        Err(error) => return Ok(refuse(&state, error)),
    };
    let issuer = identity::issuer(&request);
    Ok(match state.hub().oauth().authorize(&caller, &issuer, &parameters).await {
        Ok(asked) => draw(&state, &caller, &parameters, &asked, None).await,
        Err(refusal) => refused(&state, refusal),
    })
}

/// Handles the decision.
pub(super) async fn submit(mut request: Request) -> Result<Response> {
    let state = AppState::of(&request).clone();
    let read = match identity::require_same_origin(&request) {
        Ok(()) => Form::of(&mut request).await,
        Err(error) => Err(error),
    };
    let mut form = match read {
        Ok(form) => form,
        Err(error) => return Ok(refuse(&state, error)),
    };
    let parameters = form.take_authorization();
    let Some(caller) = human(&request) else {
        return Ok(see_other(&path_to(&address(&parameters), Switch::No)));
    };
    let issuer = identity::issuer(&request);
    Ok(match state.hub().oauth().authorize(&caller, &issuer, &parameters).await {
        Ok(asked) => decide(&state, &caller, &parameters, &asked, form).await,
        Err(refusal) => refused(&state, refusal),
    })
}

async fn decide(
    state: &AppState,
    caller: &Caller,
    parameters: &AuthorizeParameters,
    asked: &AuthorizationRequest,
    mut form: Form,
) -> Response {
    match form.take("decision").as_deref() {
        Some("allow") => {}
        Some("deny") => return see_other(&asked.answer_denied()),
        _ => {
            let error = Error::invalid("decision", "must be allow or deny");
            return draw(state, caller, parameters, asked, Some((error, None))).await;
        }
    }
    let hub = state.hub();
    let choice = Choice::of(&mut form);
    let outcome = match chosen(hub, caller, &choice).await {
        Ok(agent) => hub.oauth().approve(caller, asked, &agent).await,
        Err(error) => Err(error),
    };
    match outcome {
        Ok(code) => see_other(&asked.answer_with(&code)),
        // The human can correct these errors, so the form is shown again; the rest is reported to the client.
        Err(error) if matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Internal) => {
            let address = asked.answer_refused(&error);
            Problem::from(error).log();
            see_other(&address)
        }
        Err(error) => draw(state, caller, parameters, asked, Some((error, choice.new_agent))).await,
    }
}

/// Renders the page, with the error of the last attempt and the name that was entered then.
async fn draw(
    state: &AppState,
    caller: &Caller,
    parameters: &AuthorizeParameters,
    asked: &AuthorizationRequest,
    wrong: Option<(Error, Option<String>)>,
) -> Response {
    let agents = match agents(state.hub(), caller).await {
        Ok(agents) => agents,
        Err(error) => return refuse(state, error),
    };
    let (error, selected) = wrong.map_or((None, None), |(error, typed)| (Some(error), typed));
    let page = AuthorizePage {
        client_name: asked.client.name.clone(),
        client_host: asked.client.host(),
        redirect_host: shown_host(&asked.redirect_uri),
        username: caller.owner_name().unwrap_or_default().to_owned(),
        agents,
        selected,
        hidden: form::fields(parameters),
        switch: Some(path_to(&address(parameters), Switch::Yes)),
        error: error.as_ref().map(choice::sentence),
    };
    let status = error.map_or(StatusCode::OK, |error| choice::shown_status(Problem::from(error).status()));
    pages::authorize(state.brand(), status, &page)
}

fn refused(state: &AppState, refusal: AuthorizeRefusal) -> Response {
    match refusal {
        AuthorizeRefusal::Show(error) if choice::is_of_client(&error) => {
            refuse(state, Error::new(error.kind(), error.code(), choice::about_client(&error)))
        }
        AuthorizeRefusal::Show(error) => refuse(state, error),
        AuthorizeRefusal::SendBack { address, .. } => see_other(&address),
    }
}

/// The URL of the page for these parameters.
fn address(parameters: &AuthorizeParameters) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(form::fields(parameters));
    format!("/oauth/authorize?{}", query.finish())
}
