//! `/oauth/authorize`: the page on which a human lets a client act as one of their agents.
//!
//! What always holds: nobody is asked, and no document is fetched, before they are logged in; nobody is
//! sent away with an error by a client that they have not let in before; what comes back from the page
//! is checked as if it had never been shown; it must come from our own page, and name an agent of the
//! human's own.

use poem::http::StatusCode;
use poem::{Request, Response, Result};
use svc_core::{AuthorizationRequest, AuthorizeParameters, AuthorizeRefusal, Caller, Error, ErrorKind, shown_host};

use super::choice::{self, Choice, agents, chosen, human, refuse, see_other};
use super::form::{self, Form};
use crate::error::Problem;
use crate::identity;
use crate::pages::{self, AuthorizePage};
use crate::routes::login::{Switch, path_to};
use crate::state::AppState;

/// Asks the human.
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

/// Takes the human's answer.
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
        // The human can do better, so they are asked again; the rest is for the client to hear.
        Err(error) if matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::Internal) => {
            let address = asked.answer_refused(&error);
            Problem::from(error).log();
            see_other(&address)
        }
        Err(error) => draw(state, caller, parameters, asked, Some((error, choice.new_agent))).await,
    }
}

/// The page, with what was wrong with the last answer and the name that was typed then.
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

/// The address of the page for these parameters.
fn address(parameters: &AuthorizeParameters) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(form::fields(parameters));
    format!("/oauth/authorize?{}", query.finish())
}
