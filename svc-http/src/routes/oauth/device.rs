//! Devices without a browser: `/oauth/device_authorization` for them, and the page `/device` for the human who enters
//! their code.
//!
//! Invariants: a code is only looked up when a logged-in human posts it from a page of this server, which is charged
//! to the auth budget, so codes cannot be guessed.

use poem::http::StatusCode;
use poem::{Request, Response, Result};
use serde_json::{Value, json};
use svc_core::oauth::DeviceRequest;
use svc_core::{Caller, Error, ErrorKind, limits};

use super::choice::{self, Choice, agents, chosen, human, refuse, see_other};
use super::client::{self, Introduction};
use super::form::Form;
use super::refusal::json_response;
use crate::error::Problem;
use crate::identity;
use crate::pages::{self, DeviceConfirmPage, DevicePage};
use crate::routes::login::{Switch, path_to};
use crate::state::AppState;

/// Issues a code for a device.
pub(super) async fn begin(mut request: Request) -> Result<Response> {
    let introduction = Introduction::of(&request);
    Ok(match attempt(&mut request).await {
        Ok(begun) => json_response(StatusCode::OK, &begun),
        Err(error) => introduction.refuse(error),
    })
}

async fn attempt(request: &mut Request) -> Result<Value, Error> {
    let mut form = Form::of(request).await?;
    let claim = client::claim(request, &mut form)?;
    let (scope, resource) = (form.take("scope"), form.take("resource"));
    let issuer = identity::issuer(request);
    let oauth = AppState::of(request).hub().oauth();
    let visit = identity::visit(request);
    let begun = oauth.device_authorization(&issuer, &claim, scope.as_deref(), resource.as_deref(), &visit).await?;
    Ok(json!({
        "device_code": begun.device_code.reveal(),
        "user_code": begun.user_code,
        "verification_uri": format!("{issuer}/device"),
        "verification_uri_complete": format!("{issuer}/device?user_code={}", begun.user_code),
        "expires_in": limits::OAUTH_DEVICE_TTL.as_secs(),
        "interval": limits::OAUTH_DEVICE_INTERVAL_SECONDS,
    }))
}

/// Asks for the code. A code in the URL is prefilled, for the human to compare.
pub(super) async fn show(request: Request) -> Result<Response> {
    let state = AppState::of(&request);
    if human(&request).is_none() {
        let here = request.uri().path_and_query().map_or("/device", |path| path.as_str());
        return Ok(see_other(&path_to(here, Switch::No)));
    }
    Ok(match Form::in_query(&request) {
        Ok(mut form) => {
            let code = shortened(form.take("user_code").as_deref());
            pages::device(state.brand(), StatusCode::OK, &DevicePage { code, error: None })
        }
        Err(error) => refuse(state, error),
    })
}

/// Handles the code, then the decision.
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
    let Some(caller) = human(&request) else {
        return Ok(see_other(&path_to("/device", Switch::No)));
    };
    let typed = form.take("user_code").unwrap_or_default();
    Ok(match state.hub().oauth().device_request(&caller, &typed).await {
        Ok(asked) => decide(&state, &caller, &asked, form).await,
        Err(error) => ask_again(&state, &typed, error),
    })
}

async fn decide(state: &AppState, caller: &Caller, asked: &DeviceRequest, mut form: Form) -> Response {
    let (hub, code) = (state.hub(), asked.user_code.as_str());
    let choice = Choice::of(&mut form);
    let brand = state.brand();
    let outcome = match form.take("decision").as_deref() {
        Some("allow") => match chosen(hub, caller, &choice).await {
            Ok(agent) => hub.oauth().approve_device(caller, code, &agent).await.map(|()| {
                pages::done(brand, "Connected", "The device can now act as your agent. You can close this page.")
            }),
            Err(error) => Err(error),
        },
        Some("deny") => hub.oauth().deny_device(caller, code).await.map(|()| {
            let text = "The device was not connected. You can close this page.";
            pages::message(brand, StatusCode::OK, "Denied", text)
        }),
        Some(_) => Err(Error::invalid("decision", "must be allow or deny")),
        None => return confirm(state, caller, asked, None).await,
    };
    match outcome {
        Ok(page) => page,
        Err(error) if error.kind() == ErrorKind::NotFound => ask_again(state, code, error),
        Err(error) => confirm(state, caller, asked, Some((error, choice.new_agent))).await,
    }
}

async fn confirm(
    state: &AppState,
    caller: &Caller,
    asked: &DeviceRequest,
    wrong: Option<(Error, Option<String>)>,
) -> Response {
    let agents = match agents(state.hub(), caller).await {
        Ok(agents) => agents,
        Err(error) => return refuse(state, error),
    };
    let (error, selected) = wrong.map_or((None, None), |(error, typed)| (Some(error), typed));
    let page = DeviceConfirmPage {
        client_name: asked.client.name.clone(),
        user_code: asked.user_code.clone(),
        username: caller.owner_name().unwrap_or_default().to_owned(),
        agents,
        selected,
        hidden: vec![("user_code".to_owned(), asked.user_code.clone())],
        switch: Some(path_to(&format!("/device?user_code={}", asked.user_code), Switch::Yes)),
        error: error.as_ref().map(choice::sentence),
    };
    let status = error.map_or(StatusCode::OK, answered);
    pages::device_confirm(state.brand(), status, &page)
}

fn ask_again(state: &AppState, typed: &str, error: Error) -> Response {
    let page = DevicePage { code: shortened(Some(typed)), error: Some(choice::sentence(&error)) };
    pages::device(state.brand(), answered(error), &page)
}

fn answered(error: Error) -> StatusCode {
    let problem = Problem::from(error);
    problem.log();
    choice::shown_status(problem.status())
}

/// The entered code is shown again, within a length limit.
fn shortened(typed: Option<&str>) -> String {
    typed.unwrap_or_default().chars().filter(|letter| !letter.is_control()).take(32).collect()
}
