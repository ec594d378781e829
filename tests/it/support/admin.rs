//! The admin command line as a person or a script uses it, against a running server.

use serde_json::Value;

use super::child::{Ran, TestChild};
use super::server::TestServer;

/// Runs `svc-admin` with nothing on its standard input.
pub(crate) async fn svc_admin(server: &TestServer, arguments: &[&str]) -> Ran {
    svc_admin_with(server, arguments, "").await
}

/// Runs `svc-admin` with this on its standard input.
pub(crate) async fn svc_admin_with(server: &TestServer, arguments: &[&str], input: &str) -> Ran {
    let mut all = vec!["--socket".to_owned(), server.admin_socket().display().to_string()];
    all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    let input = input.to_owned();
    let run = move || {
        let all: Vec<_> = all.iter().map(String::as_str).collect();
        TestChild::run_with("svc-admin", &all, input.as_bytes())
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

impl Ran {
    /// It worked, and this is what it printed on standard output.
    #[track_caller]
    pub(crate) fn worked(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        assert!(!self.stdout.contains('\x1b') && !self.stderr.contains('\x1b'), "a pipe gets no colours: {self:?}");
        self.stdout
    }

    /// It worked, and printed one JSON value and no remark.
    #[track_caller]
    pub(crate) fn json(self) -> Value {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// It worked, and printed one line on standard output, which standard error does not repeat.
    #[track_caller]
    pub(crate) fn shown_once(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        let secret = self.stdout.strip_suffix('\n').expect("a line").to_owned();
        assert!(!secret.contains(char::is_whitespace), "{self:?}");
        assert!(self.stderr.contains("shown only once") && !self.stderr.contains(&secret), "{self:?}");
        secret
    }

    /// It was refused with this code and a sentence that holds these words, and printed no answer.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, words: &str) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (code, ""), "{self:?}");
        assert!(self.stderr.contains(words), "{words:?} is not in {self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self.stderr
    }
}

/// What an export printed, a JSON value in each line.
pub(crate) fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
