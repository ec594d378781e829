//! `/join` and `/reset`: the pages that redeem an invitation and that choose a new password. They work without script.
//!
//! Invariants: the code of a link is behind the `#`, so that no request line contains it; a form that was sent from
//! another site is rejected; an entered password is never shown again.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, Response, Result};
use svc_core::auth::Password;
use svc_core::sessions::NewSession;
use svc_core::users::{NewAccount, Registration, Username};
use svc_core::{Error, ErrorKind};

use crate::error::Problem;
use crate::identity;
use crate::pages::{self, JoinPage, ResetPage};
use crate::state::AppState;

/// Fields of the forms.
#[derive(Default)]
struct Fields {
    invite: String,
    reset: String,
    username: String,
    display_name: String,
    password: String,
}

impl Fields {
    fn parse(encoded: &[u8]) -> Self {
        let mut fields = Self::default();
        for (name, value) in url::form_urlencoded::parse(encoded) {
            match name.as_ref() {
                "invite" => value.trim().clone_into(&mut fields.invite),
                "reset" => value.trim().clone_into(&mut fields.reset),
                "username" => value.trim().clone_into(&mut fields.username),
                "display_name" => value.trim().clone_into(&mut fields.display_name),
                "password" => fields.password = value.into_owned(),
                _ => {}
            }
        }
        fields
    }
}

/// Shows the form for a new account.
pub(crate) async fn show_join(request: Request) -> Result<Response> {
    Ok(pages::join(AppState::of(&request).brand(), StatusCode::OK, &JoinPage::default()))
}

/// Shows the form for a new password.
pub(crate) async fn show_reset(request: Request) -> Result<Response> {
    Ok(pages::reset(AppState::of(&request).brand(), StatusCode::OK, &ResetPage::default()))
}

/// Creates the account and logs in, or shows the form again with the error.
pub(crate) async fn submit_join(mut request: Request) -> Result<Response> {
    let fields = Fields::parse(&request.take_body().into_vec().await?);
    match join(&request, &fields).await {
        Ok(begun) => Ok(welcome(&request, &begun)),
        Err(error) => {
            let page = JoinPage {
                keeps_code: keeps_code(&error),
                invite: shown(&fields.invite),
                username: shown(&fields.username),
                display_name: shown(&fields.display_name),
                error: Some(sentence(&error)),
            };
            Ok(refuse(error, |status| pages::join(AppState::of(&request).brand(), status, &page)))
        }
    }
}

async fn join(request: &Request, fields: &Fields) -> Result<NewSession, Error> {
    identity::refuse_foreign_origin(request)?;
    let hub = AppState::of(request).hub();
    hub.users().check_invite(&fields.invite).await?;
    let display_name = Some(fields.display_name.clone()).filter(|name| !name.is_empty());
    let account = NewAccount {
        username: Username::parse("username", &fields.username)?,
        display_name,
        password: Password::parse("password", &fields.password)?,
    };
    let registration = Registration { invite: fields.invite.clone(), account };
    hub.sessions().join(registration, &identity::visit(request)).await
}

/// Stores the new password and logs in, or shows the form again with the error.
pub(crate) async fn submit_reset(mut request: Request) -> Result<Response> {
    let fields = Fields::parse(&request.take_body().into_vec().await?);
    match choose_password(&request, &fields).await {
        Ok(begun) => Ok(welcome(&request, &begun)),
        Err(error) => {
            let page = ResetPage {
                keeps_code: keeps_code(&error),
                reset: shown(&fields.reset),
                error: Some(sentence(&error)),
            };
            Ok(refuse(error, |status| pages::reset(AppState::of(&request).brand(), status, &page)))
        }
    }
}

async fn choose_password(request: &Request, fields: &Fields) -> Result<NewSession, Error> {
    identity::refuse_foreign_origin(request)?;
    let hub = AppState::of(request).hub();
    hub.users().check_reset(&fields.reset).await?;
    let new = Password::parse("password", &fields.password)?;
    hub.sessions().choose_password(&fields.reset, &new, &identity::visit(request)).await
}

/// The first page, with the cookies of the session.
fn welcome(request: &Request, begun: &NewSession) -> Response {
    let lasts = AppState::of(request).hub().config().session_ttl;
    let mut response = Response::builder()
        .status(StatusCode::SEE_OTHER)
        .header(header::LOCATION, HeaderValue::from_static("/"))
        .finish();
    response.headers_mut().append(header::SET_COOKIE, identity::session_cookie(request, &begun.token, lasts));
    response.headers_mut().append(header::SET_COOKIE, identity::device_cookie(request, &begun.browser));
    response
}

/// The form again, with the status of the error.
fn refuse(error: Error, form: impl FnOnce(StatusCode) -> Response) -> Response {
    let problem = Problem::from(error);
    problem.log();
    let mut response = form(problem.status());
    if let Some(after) = problem.into_response().headers_mut().remove(header::RETRY_AFTER) {
        response.headers_mut().insert(header::RETRY_AFTER, after);
    }
    response
}

/// Whether the code was accepted, so that the person need not see it.
fn keeps_code(error: &Error) -> bool {
    !matches!(error.code(), "invite_required" | "reset_required" | "cross_origin")
}

/// Replaces error texts for developers with texts for the user of a form.
fn sentence(error: &Error) -> String {
    if let Some(fault) = error.fields().first() {
        return format!("The {} {}.", fault.field.replace('_', " "), fault.message.trim_end_matches('.'));
    }
    match (error.kind(), error.code()) {
        (_, "cross_origin") => "The form was submitted from another site. Open your link again.".to_owned(),
        (_, "invite_required") => {
            "This invitation was used, was revoked or has expired. Ask whoever invited you for another.".to_owned()
        }
        (ErrorKind::Internal, _) => "Something went wrong on the server. Try again.".to_owned(),
        _ => error.message().to_owned(),
    }
}

/// An entered text is shown again, within a length limit.
fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(128).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_without_surrounding_space_but_passwords_as_they_are() {
        let fields = Fields::parse(b"invite=+svci_x%0A&username=ann+&password=+a+b+&other=1");
        assert_eq!((fields.invite.as_str(), fields.username.as_str()), ("svci_x", "ann"));
        assert_eq!(fields.password, " a b ");
    }

    #[test]
    fn a_fault_names_its_field_as_the_form_does() {
        let fault = Error::invalid("display_name", "must not be empty");
        assert_eq!(sentence(&fault), "The display name must not be empty.");
    }

    #[test]
    fn a_code_that_was_refused_is_shown_again() {
        assert!(!keeps_code(&Error::new(ErrorKind::Forbidden, "invite_required", "x")));
        assert!(keeps_code(&Error::conflict("handle_taken", "x")));
    }
}
