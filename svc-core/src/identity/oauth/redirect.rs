//! Redirect URIs: which ones may be registered, and how they are compared.
//!
//! Invariants: a code is only ever sent to https, to the user's own machine, or to an app with a custom
//! scheme; URIs are compared character by character, except that a program on the user's machine may listen
//! on any port and `localhost` means `127.0.0.1`.

use url::{Host, Url};

use crate::error::Result;
use crate::identity::oauth::fault::invalid_redirect_uri;
use crate::limits;

/// Schemes that a browser or an operating system handles itself, instead of an app that the user installed
/// for the purpose: following one shows foreign text as a page, discloses the machine's credentials, calls or
/// pays somebody, or starts a program with the given arguments. Apps of users (editors, chat programs,
/// assistants) are not in the list: codes are meant for them. The words of a line are separated by spaces.
const SYSTEM_SCHEMES: &[&str] = &[
    // Schemes that a browser shows or runs by itself.
    "about blob brave chrome chrome-extension chrome-search chrome-untrusted cid content data devtools edge",
    "extension feed filesystem jar javascript jscript livescript mhtml mid mocha moz-extension opera resource",
    "safari-extension safari-web-extension vbscript view-source vivaldi wyciwyg",
    // Files and other machines: opening one may run a program there, or log in to it as the current user.
    "afp cifs dav davs file ftp ftps git gopher ldap ldapi ldaps nfs rdp rlogin rsh rsync rtsp scp sftp sip sips",
    "smb ssh svn telnet telnets tftp tn3270 vnc webdav ws wss",
    // Schemes that an operating system starts or changes.
    "android-app app-prefs app-settings applescript help hcp intent itms itms-apps itms-appss itms-services its",
    "jnlp jnlps knownfolder local macappstore macappstores market mk odopen onecmd package prefs res shell",
    "shortcuts steam windowsdefender wmplayer workflow x-help-action x-man-page xcode",
    // Mail, calls, payments: done in the name of the current user.
    "bitcoin callto ethereum facetime facetime-audio geo im imessage imap irc ircs lightning magnet mailto mms",
    "mmsto news nntp pop sms smsto snews tel upi webcal webcals xmpp",
];

/// Prefixes of schemes that belong to an operating system as a whole: `ms-msdt`, `ms-settings` and similar
/// ones, `search` and `search-ms`, `x-apple.systempreferences`.
const SYSTEM_SCHEME_PREFIXES: &[&str] = &["com.apple.", "microsoft", "ms-", "search", "x-apple"];

/// Rejects URIs to which codes must not be sent.
pub(crate) fn check(address: &str) -> Result<()> {
    if address.len() > limits::OAUTH_URI_MAX {
        return Err(invalid_redirect_uri(format!("A redirect URI must be at most {} bytes.", limits::OAUTH_URI_MAX)));
    }
    // The parser accepts spaces, tabs and backslashes; a browser may interpret them differently.
    if !address.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return Err(invalid_redirect_uri("A redirect URI must have visible ASCII characters only."));
    }
    // URIs are compared character by character, so a star has no effect; a client that sends one expects a
    // wildcard.
    if address.contains('*') {
        return Err(invalid_redirect_uri("A redirect URI must not contain a wildcard (*)."));
    }
    let url = Url::parse(address).map_err(|_| invalid_redirect_uri("A redirect URI must be absolute."))?;
    if address.contains('#') {
        return Err(invalid_redirect_uri("A redirect URI must not have a fragment."));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid_redirect_uri("A redirect URI must not contain a user."));
    }
    match url.scheme() {
        // A browser would treat a URI without slashes as a relative path.
        "https" if address.strip_prefix("https://").is_some_and(|rest| !rest.starts_with(['/', '?'])) => Ok(()),
        "https" => Err(invalid_redirect_uri("A redirect URI must begin with https:// and a host.")),
        "http" if loopback(address).is_some() => Ok(()),
        "http" => Err(invalid_redirect_uri("http is allowed for 127.0.0.1, [::1] and localhost only: use https.")),
        scheme if is_system_scheme(scheme) => Err(invalid_redirect_uri(format!(
            "The scheme {scheme} is not allowed: a browser or an operating system handles it, not an app."
        ))),
        scheme if scheme.contains('.') => Ok(()),
        // Apps should use a reversed domain name, and many do not. With PKCE another app cannot use an
        // intercepted code.
        scheme if address[scheme.len()..].starts_with("://") => Ok(()),
        _ => Err(invalid_redirect_uri(
            "An app's redirect URI must have a custom scheme, such as com.example.app:/callback.",
        )),
    }
}

/// Whether a browser or an operating system acts on such a scheme by itself.
fn is_system_scheme(scheme: &str) -> bool {
    SYSTEM_SCHEMES.iter().any(|group| group.split(' ').any(|known| known == scheme))
        || SYSTEM_SCHEME_PREFIXES.iter().any(|beginning| scheme.starts_with(beginning))
}

/// Whether a requested URI matches a registered one.
pub(crate) fn matches(registered: &str, asked: &str) -> bool {
    registered == asked
        || match (loopback(registered), loopback(asked)) {
            (Some(registered), Some(asked)) => registered.host == asked.host && registered.rest == asked.rest,
            _ => false,
        }
}

/// Whether the URI in the token request is the one to which the code was sent.
pub(crate) fn is_same(sent_to: &str, presented: &str) -> bool {
    sent_to == presented || loopback(sent_to).is_some_and(|sent_to| loopback(presented) == Some(sent_to))
}

/// The host of a URI for display, or its scheme for an app's own.
pub(crate) fn shown_host(address: &str) -> String {
    let Ok(url) = Url::parse(address) else { return String::new() };
    match url.host() {
        // The text after an app's own scheme looks like a host and is none.
        _ if !matches!(url.scheme(), "http" | "https") => format!("{}:", url.scheme()),
        Some(Host::Domain(name)) => name.to_owned(),
        Some(host) => host.to_string(),
        None => format!("{}:", url.scheme()),
    }
}

/// The URI with parameters added to its query.
pub(crate) fn with_parameters(address: &str, parameters: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in parameters {
        query.append_pair(name, value);
    }
    let joint = match address.find('?') {
        None => "?",
        Some(_) if address.ends_with(['?', '&']) => "",
        Some(_) => "&",
    };
    format!("{address}{joint}{}", query.finish())
}

/// An http URI on the user's own machine.
#[derive(Debug, PartialEq, Eq)]
struct Loopback<'a> {
    host: &'static str,
    port: u16,
    /// Path and query, as they were written.
    rest: &'a str,
}

fn loopback(address: &str) -> Option<Loopback<'_>> {
    let after_scheme = address.strip_prefix("http://")?;
    let end = after_scheme.find(['/', '?']).unwrap_or(after_scheme.len());
    let (authority, rest) = after_scheme.split_at(end);
    let (host, port) = match authority.rsplit_once(':') {
        // A colon inside the brackets belongs to the address.
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok().filter(|_| is_digits(port))?),
        _ => (authority, 80),
    };
    let host = match host {
        "127.0.0.1" => "127.0.0.1",
        "[::1]" => "[::1]",
        name if name.eq_ignore_ascii_case("localhost") => "127.0.0.1",
        _ => return None,
    };
    Some(Loopback { host, port, rest: if rest.is_empty() { "/" } else { rest } })
}

/// Whether all characters are digits; `parse` would accept a sign as well.
fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn https_loopback_and_app_uris_are_accepted() {
        for good in [
            "https://app.example/cb",
            "https://app.example:8443/cb?tenant=1",
            "http://127.0.0.1/cb",
            "http://127.0.0.1:33418/cb",
            "http://[::1]:8080/cb",
            "http://localhost:3000/cb",
            "http://localhost",
            "com.example.app:/cb",
            "com.example.app://host/cb",
            "cursor://anysphere.cursor-mcp/oauth/callback",
            "vscode://vscode.github-authentication/did-authenticate",
            "vscode-insiders://example.mcp/callback",
            "claude://claude.ai/oauth/callback",
            "windsurf://codeium.windsurf/callback",
            "zed://oauth/callback",
            "jetbrains://idea/oauth/callback",
            "raycast://oauth?package_name=mcp",
            "msauth.com.example.app://auth",
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn only_a_real_host_is_displayed() {
        for (address, shown) in [
            ("https://app.example:8443/cb", "app.example"),
            ("http://127.0.0.1:33418/cb", "127.0.0.1"),
            ("com.example.app://bank.example/cb", "com.example.app:"),
            ("myapp://localhost/cb", "myapp:"),
            ("com.example.app:/cb", "com.example.app:"),
        ] {
            assert_eq!(shown_host(address), shown, "{address}");
        }
    }

    #[test]
    fn other_uris_are_rejected() {
        for bad in [
            "",
            "/cb",
            "app.example/cb",
            "http://app.example/cb",
            "http://127.0.0.1.evil.example/cb",
            "http://localhost.evil.example/cb",
            "http://localhost@evil.example/cb",
            "http://127.0.0.1:80@evil.example/cb",
            "http://127.0.0.2/cb",
            "http://0.0.0.0/cb",
            "http://2130706433/cb",
            "https://user:password@app.example/cb",
            "https://app.example/cb#fragment",
            "https://app.example/cb#",
            "https://app.example\\@evil.example/cb",
            "https://app.example/c b",
            "https://app.example/cb\n",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "vbscript:x",
            "blob:https://app.example/x",
            "myapp:/cb",
            "myapp:cb",
            "intent://cb",
            "ws://app.example/cb",
            "https://",
            "https:app.example/cb",
            "https:/app.example/cb",
            "https:///app.example/cb",
            "HTTPS://app.example/cb",
            "http:localhost/cb",
            "https://*.app.example/cb",
            "https://app.example/*",
            "https://app.example/cb?tenant=*",
            "http://127.0.0.1:*/cb",
            "myapp://*/cb",
            "ms-msdt://id/PCWDiagnostic",
            "ms-settings:network",
            "MS-MSDT://id",
            "search://query=x",
            "search-ms://query=x&crumb=location:evil.example",
            "smb://evil.example/share",
            "file://evil.example/share",
            "shell://startup",
            "ssh://evil.example",
            "telnet://evil.example",
            "ldap://evil.example/x",
            "tel://0",
            "sms://0",
            "mailto://ann@app.example",
            "jar:https://evil.example/x!/y",
            "view-source://app.example",
            "x-apple.systempreferences:com.apple.preference.security",
            "itms-services://?action=download-manifest",
            "steam://run/1",
            "microsoft-edge:https://evil.example",
        ] {
            assert_eq!(check(bad).unwrap_err().code(), "invalid_redirect_uri", "{bad}");
        }
        let long = format!("https://app.example/{}", "x".repeat(limits::OAUTH_URI_MAX));
        assert!(check(&long).is_err());
    }

    #[test]
    fn loopback_uris_match_any_port_and_localhost() {
        for (registered, asked, same) in [
            ("http://127.0.0.1/cb", "http://127.0.0.1:4000/cb", true),
            ("http://localhost:1/cb", "http://127.0.0.1:4000/cb", true),
            ("http://127.0.0.1:1/cb", "http://localhost/cb", true),
            ("http://LOCALHOST/cb", "http://127.0.0.1/cb", true),
            ("http://[::1]/cb", "http://[::1]:9/cb", true),
            ("http://localhost", "http://localhost:5/", true),
            ("http://[::1]/cb", "http://127.0.0.1/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1/cb/", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1/cb?x", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1/x/../cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:+80/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:99999/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:/cb", false),
            ("http://127.0.0.1/cb", "https://127.0.0.1/cb", false),
            ("https://app.example/cb", "https://app.example:8443/cb", false),
            ("https://app.example/cb", "https://APP.example/cb", false),
        ] {
            assert_eq!(matches(registered, asked), same, "{registered} {asked}");
        }
    }

    #[test]
    fn the_port_must_match_in_the_token_request() {
        assert!(is_same("http://localhost:3000/cb", "http://127.0.0.1:3000/cb"));
        assert!(!is_same("http://localhost:3000/cb", "http://127.0.0.1:3001/cb"));
        assert!(!is_same("https://app.example/cb", "https://app.example/cb2"));
    }

    #[test]
    fn parameters_are_added_to_an_existing_query() {
        let pairs = [("code", "a b"), ("state", "x&y=z")];
        for (address, whole) in [
            ("https://a.example/cb", "https://a.example/cb?code=a+b&state=x%26y%3Dz"),
            ("https://a.example/cb?t=1", "https://a.example/cb?t=1&code=a+b&state=x%26y%3Dz"),
            ("https://a.example/cb?", "https://a.example/cb?code=a+b&state=x%26y%3Dz"),
            ("com.example.app:/cb", "com.example.app:/cb?code=a+b&state=x%26y%3Dz"),
        ] {
            assert_eq!(with_parameters(address, &pairs), whole);
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_not_panic(text in "\\PC{0,80}", other in "\\PC{0,80}") {
            let _ = check(&text);
            prop_assert!(matches(&text, &text));
            prop_assert_eq!(matches(&text, &other), matches(&other, &text));
        }

        #[test]
        fn http_is_accepted_for_loopback_hosts_only(host in "[a-z0-9.\\-]{1,30}") {
            let own = ["127.0.0.1", "localhost"].contains(&host.as_str());
            prop_assert_eq!(check(&format!("http://{host}/cb")).is_ok(), own);
        }

        #[test]
        fn a_loopback_match_never_leaves_the_machine(asked in "http://[a-z0-9.:@\\[\\]\\-]{1,30}/cb") {
            if matches("http://127.0.0.1/cb", &asked) {
                let host = Url::parse(&asked).unwrap().host().unwrap().to_string();
                prop_assert!(["127.0.0.1", "localhost"].contains(&host.as_str()), "{}", asked);
            }
        }
    }
}
