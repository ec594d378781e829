//! Errors for unknown names, with the most similar existing ones.
//!
//! Callers on the admin socket may see every name, so nothing leaks here.

use svc_core::agents::AgentFilter;
use svc_core::channels::ChannelFilter;
use svc_core::users::User;
use svc_core::{Error, ErrorKind, Page, Result, limits};

use super::{Server, root};
use crate::nearest::nearest;

/// The user with this name, or an error with the most similar one.
pub(super) async fn existing_user(server: &Server, name: &str) -> Result<User> {
    match server.hub.users().get(&root(), name).await {
        Ok(user) => Ok(user),
        Err(error) => Err(user(server, name, error).await),
    }
}

/// Adds the most similar user to a not-found error; other errors are unchanged.
pub(super) async fn user(server: &Server, name: &str, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let page = match first_names() {
        Ok(page) => server.hub.users().list(&root(), page).await,
        Err(error) => Err(error),
    };
    let names: Vec<_> = page.map(|page| page.users).unwrap_or_default();
    sentence("user", name, names.iter().map(|user| user.username.as_str()))
}

/// Adds the most similar agent to a not-found error; other errors are unchanged.
pub(super) async fn agent(server: &Server, name: &str, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let page = match first_names() {
        Ok(page) => server.hub.agents().list(&root(), AgentFilter { owner: None, page }).await,
        Err(error) => Err(error),
    };
    let names: Vec<_> = page.map(|page| page.agents).unwrap_or_default();
    sentence("agent", name, names.iter().map(|agent| agent.name.as_str()))
}

/// Adds the most similar channel to a not-found error; other errors are unchanged.
pub(super) async fn channel(server: &Server, name: &str, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let page = match first_names() {
        Ok(page) => server.hub.channels().list(&root(), ChannelFilter { page, ..ChannelFilter::default() }).await,
        Err(error) => Err(error),
    };
    let names: Vec<_> = page.map(|page| page.channels).unwrap_or_default();
    sentence("channel", name, names.iter().map(|channel| channel.name.as_str()))
}

/// Enough for a suggestion, with one query.
fn first_names() -> Result<Page> {
    Page::new(Some(limits::PAGE_MAX.into()), None)
}

fn sentence<'a>(noun: &str, name: &str, names: impl Iterator<Item = &'a str>) -> Error {
    // The name is input of the caller, so it is truncated.
    let shown: String = name.chars().take(64).collect();
    let nearest = nearest(name, names);
    let remedy = if nearest.is_empty() {
        format!("`svc-admin {noun}s list` shows them all.")
    } else {
        format!("did you mean {}?", nearest.join(" or "))
    };
    Error::new(ErrorKind::NotFound, "not_found", format!("There is no {noun} {shown:?}: {remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_is_suggested() {
        let error = sentence("user", "anm", ["ann", "bob"].into_iter());
        assert_eq!(error.message(), "There is no user \"anm\": did you mean ann?");
        assert_eq!((error.kind(), error.code()), (ErrorKind::NotFound, "not_found"));
        let error = sentence("agent", "zzz\n", ["ann"].into_iter());
        assert_eq!(error.message(), "There is no agent \"zzz\\n\": `svc-admin agents list` shows them all.");
    }
}
