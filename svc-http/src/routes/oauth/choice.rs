//! The human at a form: their identity, and the agent that they chose.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{Request, Response};
use svc_core::agents::{AgentFilter, AgentName, AgentSettings, NewAgent};
use svc_core::auth::Credential;
use svc_core::{Caller, Error, ErrorKind, Hub, Page, limits};

use super::form::Form;
use crate::error::Problem;
use crate::identity;
use crate::pages::{self, AgentChoice};
use crate::state::AppState;

/// A human with a login session, not with a key or a token.
pub(super) fn human(request: &Request) -> Option<Caller> {
    identity::caller(request).filter(|caller| matches!(caller.credential(), Credential::Session(_)))
}

/// All agents that a human can choose from.
pub(super) async fn agents(hub: &Hub, caller: &Caller) -> Result<Vec<AgentChoice>, Error> {
    let mut choices = Vec::new();
    loop {
        let offset = i64::try_from(choices.len()).unwrap_or(i64::MAX);
        let page = Page::new(Some(limits::PAGE_MAX.into()), Some(offset))?;
        let found = hub.agents().list(caller, AgentFilter { owner: None, page }).await?;
        if found.agents.is_empty() {
            return Ok(choices);
        }
        let named = |agent: svc_core::agents::Agent| AgentChoice { name: agent.name, display_name: agent.display_name };
        choices.extend(found.agents.into_iter().map(named));
        if i64::try_from(choices.len()).is_ok_and(|count| count >= found.total) {
            return Ok(choices);
        }
    }
}

/// The agent in a form: an existing one, or one to create.
#[derive(Debug, Default)]
pub(super) struct Choice {
    agent: Option<String>,
    pub(super) new_agent: Option<String>,
}

impl Choice {
    pub(super) fn of(form: &mut Form) -> Self {
        Self { agent: form.take("agent"), new_agent: form.take("new_agent") }
    }
}

/// Resolves the chosen agent. A new one is created now.
pub(super) async fn chosen(hub: &Hub, caller: &Caller, choice: &Choice) -> Result<String, Error> {
    if let Some(agent) = &choice.agent {
        return Ok(agent.clone());
    }
    let Some(name) = &choice.new_agent else {
        return Err(Error::invalid("agent", "must be selected"));
    };
    let own = agents(hub, caller).await?;
    // A form that was submitted twice finds the agent already created.
    if own.iter().any(|agent| agent.name == *name) {
        return Ok(name.clone());
    }
    if !own.is_empty() {
        return Err(Error::invalid("agent", "must be one of your agents"));
    }
    let new = NewAgent { name: AgentName::parse("new_agent", name)?, owner: None, settings: AgentSettings::default() };
    Ok(hub.agents().create(caller, new).await?.agent.name)
}

/// The error page for a human whose request was rejected.
pub(super) fn refuse(state: &AppState, error: Error) -> Response {
    let (title, text) = match error.kind() {
        ErrorKind::Internal => {
            ("Something went wrong", "An unexpected error occurred on the server. Try again.".to_owned())
        }
        ErrorKind::Unavailable | ErrorKind::TooMany => ("Try again later", error.message().to_owned()),
        _ => ("Request failed", sentence(&error)),
    };
    let problem = Problem::from(error);
    problem.log();
    pages::message(state.brand(), shown_status(problem.status()), title, &text)
}

/// Replaces error texts for developers with texts for the user of a form.
pub(super) fn sentence(error: &Error) -> String {
    match error.code() {
        "invalid_client" => {
            "The client that sent you here is not registered with this hub. Start again from the client; if that \
             fails, remove this server from the client and add it again."
                .to_owned()
        }
        "cross_origin" => "The form was submitted from another site. Answer on this page.".to_owned(),
        _ => match error.fields() {
            [fault] => format!("The {} {}.", fault.field.replace('_', " "), fault.message),
            _ => error.message().to_owned(),
        },
    }
}

/// Whether only the client that redirected here can fix this error.
pub(super) fn is_of_client(error: &Error) -> bool {
    error.kind() == ErrorKind::Invalid && error.fields().is_empty()
}

/// The error of the client's request, for the human who sees it.
pub(super) fn about_client(error: &Error) -> String {
    format!("The client that sent you here made an invalid request: {}", error.message())
}

/// A browser that gets 401 may show its own password dialog; the human did nothing wrong.
pub(super) fn shown_status(status: StatusCode) -> StatusCode {
    if status == StatusCode::UNAUTHORIZED { StatusCode::BAD_REQUEST } else { status }
}

/// Redirects the browser with a GET.
pub(super) fn see_other(address: &str) -> Response {
    let location = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    Response::builder().status(StatusCode::SEE_OTHER).header(header::LOCATION, location).finish()
}
