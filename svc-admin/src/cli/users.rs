//! `svc-admin users`.

use std::time::Duration;

use clap::Subcommand;
use svc_core::sessions::Session;
use svc_core::users::{Role, User, UserPage};

use super::ask;
use super::context::{Context, PageArguments};
use super::outcome::{Failure, Outcome};
use super::output::{Output, Tone};
use super::table::{self, Cell};
use super::{names, when, words};
use crate::duration;
use crate::methods::users::{
    Create, CreateParams, Delete, Disable, Enable, Invite, InviteParams, List, Passwd, PasswdParams, Sessions,
    SessionsAnswer, SessionsParams, SetRole, SetRoleParams, WithPassword,
};
use crate::methods::{Method, Named};

#[derive(Debug, Subcommand)]
pub(super) enum UsersCommand {
    /// Create an account. Without --password-stdin a password is generated and printed once.
    #[command(after_help = "Examples:\n  svc-admin users create ann --display-name \"Ann Lee\"\n  \
                            svc-admin users create bob --role admin --password-stdin < password.txt")]
    Create {
        #[arg(value_name = "USERNAME", help = names::NEW_USERNAME)]
        name: String,
        /// Display name.
        #[arg(long, value_name = "TEXT")]
        display_name: Option<String>,
        /// Role.
        #[arg(long, value_name = "ROLE", value_parser = words::role(), default_value = "user")]
        role: Role,
        /// Read the password from standard input; on a terminal, prompt for it.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Create an invitation for one account, and print it once.
    #[command(after_help = "Examples:\n  svc-admin users invite --expires-in 7d\n  \
                            svc-admin users invite --role admin --note \"Ann Lee\"")]
    Invite {
        /// Role of the invited account.
        #[arg(long, value_name = "ROLE", value_parser = words::role(), default_value = "user")]
        role: Role,
        /// Validity: 90s, 15m, 24h, 30d.
        #[arg(long, value_name = "DURATION", value_parser = duration::parse, default_value = "7d")]
        expires_in: Duration,
        /// Note for `invites list`, such as a name or an address.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// List accounts by name.
    #[command(after_help = "Example:\n  svc-admin users list -o json")]
    List {
        #[command(flatten)]
        page: PageArguments,
    },
    /// Set a password and end every login session of the account. Without --password-stdin one is generated and
    /// printed once.
    #[command(after_help = "Examples:\n  svc-admin users passwd ann\n  \
                            svc-admin users passwd ann --password-stdin < password.txt")]
    Passwd {
        #[arg(value_name = "USERNAME", help = names::USERNAME)]
        name: String,
        /// Read the password from standard input; on a terminal, prompt for it.
        #[arg(long)]
        password_stdin: bool,
    },
    /// Change the role of an account.
    #[command(after_help = "Example:\n  svc-admin users set-role ann admin")]
    SetRole {
        #[arg(value_name = "USERNAME", help = names::USERNAME)]
        name: String,
        /// Its new role.
        #[arg(value_name = "ROLE", value_parser = words::role())]
        role: Role,
    },
    /// Disable an account: it and its agents can do nothing until it is enabled.
    #[command(after_help = "Example:\n  svc-admin users disable ann")]
    Disable {
        #[arg(value_name = "USERNAME", help = names::USERNAME)]
        name: String,
    },
    /// Enable a disabled account.
    #[command(after_help = "Example:\n  svc-admin users enable ann")]
    Enable {
        #[arg(value_name = "USERNAME", help = names::USERNAME)]
        name: String,
    },
    /// Delete an account permanently, with its agents, keys and secrets. Its messages are kept.
    #[command(after_help = "Example:\n  svc-admin users delete ann --yes")]
    Delete {
        #[arg(value_name = "USERNAME", help = names::USERNAME)]
        name: String,
        /// Skip the confirmation.
        #[arg(long, short)]
        yes: bool,
    },
    /// List the login sessions of an account, or end them.
    #[command(after_help = "Examples:\n  svc-admin users sessions ann\n  svc-admin users sessions ann --end")]
    Sessions {
        #[arg(value_name = "USERNAME", help = names::USERNAME)]
        name: String,
        /// End all of them.
        #[arg(long)]
        end: bool,
    },
}

pub(super) async fn run(command: &UsersCommand, context: &mut Context) -> Result<Outcome, Failure> {
    match command {
        UsersCommand::Create { name, display_name, role, password_stdin } => {
            let params = CreateParams {
                name: name.clone(),
                display_name: display_name.clone(),
                role: Some(*role),
                password: password_stdin.then(ask::new_password).transpose()?,
            };
            let created = context.call::<Create>(&params).await?;
            let made = format!("Created the {} {}.", role_noun(*role), created.user.username);
            Ok(with_password(&context.output, &created, &made))
        }
        UsersCommand::Invite { role, expires_in, note } => invite(context, *role, *expires_in, note.clone()).await,
        UsersCommand::List { page } => {
            let users = context.call::<List>(&page.paged()).await?;
            let outcome = Outcome::new(context.output.render(&users, draw));
            Ok(page.remark(outcome, &context.output, (users.users.len(), users.total), "There are no users."))
        }
        UsersCommand::Passwd { name, password_stdin } => {
            let password = password_stdin.then(ask::new_password).transpose()?;
            let changed = context.call::<Passwd>(&PasswdParams { name: name.clone(), password }).await?;
            let done = format!("Changed the password of {}; every login session has ended.", changed.user.username);
            Ok(with_password(&context.output, &changed, &done))
        }
        UsersCommand::SetRole { name, role } => {
            let user = context.call::<SetRole>(&SetRoleParams { name: name.clone(), role: *role }).await?;
            let sentence = format!("{} has the role {} now.", user.username, user.role);
            Ok(Outcome::sentence(&context.output, &user, &sentence))
        }
        UsersCommand::Disable { name } => {
            let sentence = |user: &User| format!("{} is disabled; its login sessions have ended.", user.username);
            change::<Disable>(context, name, sentence).await
        }
        UsersCommand::Enable { name } => {
            change::<Enable>(context, name, |user| format!("{} is enabled.", user.username)).await
        }
        UsersCommand::Delete { name, yes } => {
            ask::confirm(&format!("This deletes the account {name} permanently, with its agents and keys."), *yes)?;
            let deleted = context.call::<Delete>(&Named { name: name.clone() }).await?;
            Ok(Outcome::sentence(&context.output, &deleted, &format!("{name} is deleted.")))
        }
        UsersCommand::Sessions { name, end } => sessions(context, name, *end).await,
    }
}

async fn invite(context: &mut Context, role: Role, lasts: Duration, note: Option<String>) -> Result<Outcome, Failure> {
    let params = InviteParams { role: Some(role), expires_in_seconds: Some(lasts.as_secs()), note };
    let invite = context.call::<Invite>(&params).await?;
    let sentence = format!(
        "This invitation is valid for one account with the role {role}, until {} UTC, on the page /join of the hub. It \
         is shown only once:",
        when::short(invite.expires_at)
    );
    Ok(Outcome::shown_once(&context.output, &invite, &sentence, &invite.invite))
}

async fn change<M: Method<Params = Named, Answer = User>>(
    context: &mut Context,
    name: &str,
    sentence: impl FnOnce(&User) -> String,
) -> Result<Outcome, Failure> {
    let user = context.call::<M>(&Named { name: name.to_owned() }).await?;
    Ok(Outcome::sentence(&context.output, &user, &sentence(&user)))
}

fn with_password(output: &Output, changed: &WithPassword, done: &str) -> Outcome {
    match &changed.password {
        None => Outcome::sentence(output, changed, done),
        Some(password) => {
            let sentence = format!("{done} The password is shown only once:");
            Outcome::shown_once(output, changed, &sentence, password)
        }
    }
}

fn role_noun(role: Role) -> &'static str {
    match role {
        Role::Admin => "admin",
        Role::User => "user",
    }
}

fn draw(output: &Output, page: &UserPage) -> String {
    let now = when::now();
    let row = |user: &User| {
        let role = if user.role == Role::Admin { Tone::Warning } else { Tone::Plain };
        let state = match user.disabled_at {
            None => Cell::toned("active", Tone::Good),
            Some(since) => Cell::toned(format!("disabled {}", when::relative(since, now)), Tone::Bad),
        };
        vec![
            Cell::new(&user.username),
            Cell::new(&user.display_name),
            Cell::toned(user.role.as_str(), role),
            state,
            Cell::whole(when::relative(user.created_at, now)),
        ]
    };
    let rows: Vec<_> = page.users.iter().map(row).collect();
    table::draw(output, &["NAME", "DISPLAY NAME", "ROLE", "STATE", "CREATED"], &rows)
}

async fn sessions(context: &mut Context, name: &str, end: bool) -> Result<Outcome, Failure> {
    let answer = context.call::<Sessions>(&SessionsParams { name: name.to_owned(), end }).await?;
    if let Some(ended) = answer.ended {
        let sentence = match ended {
            0 => format!("{name} was not logged in."),
            1 => format!("Ended 1 login session of {name}."),
            ended => format!("Ended {ended} login sessions of {name}."),
        };
        return Ok(Outcome::sentence(&context.output, &answer, &sentence));
    }
    let outcome = Outcome::new(context.output.render(&answer, draw_sessions));
    let empty = answer.sessions.is_empty();
    Ok(if empty { outcome.remark(&context.output, &format!("{name} is not logged in.")) } else { outcome })
}

fn draw_sessions(output: &Output, answer: &SessionsAnswer) -> String {
    let now = when::now();
    let row = |session: &Session| {
        vec![
            Cell::whole(session.id.to_string()),
            Cell::whole(when::relative(session.created_at, now)),
            Cell::whole(when::relative(session.seen_at, now)),
            Cell::whole(when::relative(session.expires_at, now)),
            Cell::new(session.remote_ip.as_deref().unwrap_or("-")),
            Cell::new(session.user_agent.as_deref().unwrap_or("-")),
        ]
    };
    let rows: Vec<_> = answer.sessions.iter().map(row).collect();
    table::draw(output, &["ID", "BEGAN", "USED", "ENDS", "FROM", "BROWSER"], &rows)
}
