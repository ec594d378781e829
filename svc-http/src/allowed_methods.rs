//! The methods of each path, for the `Allow` header of a 405 response, and its pattern, for spans.

use poem::http::Method;
use poem_openapi::OpenApi;

/// The documented paths and their methods.
pub(crate) struct AllowedMethods(Vec<(String, String)>);

impl AllowedMethods {
    /// The paths and methods of an API.
    pub(crate) fn of<T: OpenApi>() -> Self {
        let paths = T::meta().into_iter().flat_map(|api| api.paths);
        Self(
            paths
                .map(|path| {
                    let methods = path.operations.iter().map(|operation| operation.method.clone()).collect();
                    (path.path, listed(methods))
                })
                .collect(),
        )
    }

    /// Adds a path that is not documented.
    pub(crate) fn and(mut self, path: &str, methods: &[Method]) -> Self {
        self.0.push((path.to_owned(), listed(methods.to_vec())));
        self
    }

    /// Value of the `Allow` header for a path; `None` for a path that is not listed. Like in the router, a literal
    /// segment takes precedence over a parameter: `/api/messages/claim` is not a message id.
    pub(crate) fn at(&self, path: &str) -> Option<String> {
        self.find(path).map(|(_, methods)| methods.clone())
    }

    /// The pattern of a path; `None` for a path that is not listed.
    pub(crate) fn pattern(&self, path: &str) -> Option<&str> {
        self.find(path).map(|(pattern, _)| pattern.as_str())
    }

    fn find(&self, path: &str) -> Option<&(String, String)> {
        let found = self.0.iter().filter(|(pattern, _)| matches(pattern, path));
        found.min_by_key(|(pattern, _)| parameters(pattern))
    }
}

/// HEAD is allowed wherever GET is.
fn listed(mut methods: Vec<Method>) -> String {
    if methods.contains(&Method::GET) {
        methods.push(Method::HEAD);
    }
    methods.iter().map(Method::as_str).collect::<Vec<_>>().join(", ")
}

/// `{name}` and `:name` in a pattern match any one segment.
fn matches(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || is_parameter(wanted) => {}
            _ => return false,
        }
    }
}

fn parameters(pattern: &str) -> usize {
    pattern.split('/').filter(|segment| is_parameter(segment)).count()
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with(['{', ':'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_stand_for_one_segment() {
        assert!(matches("/api/agents/{name}", "/api/agents/ann"));
        assert!(matches("/api/agents/:name/keys", "/api/agents/ann/keys"));
        assert!(!matches("/api/agents/{name}", "/api/agents/ann/keys"));
        assert!(!matches("/api/agents/{name}", "/api/agents"));
    }

    #[test]
    fn a_literal_takes_precedence_over_a_parameter() {
        let allowed = AllowedMethods(Vec::new())
            .and("/api/messages/{id}", &[Method::GET])
            .and("/api/messages/claim", &[Method::POST]);
        assert_eq!(allowed.at("/api/messages/claim").as_deref(), Some("POST"));
        assert_eq!(allowed.at("/api/messages/7").as_deref(), Some("GET, HEAD"));
        assert_eq!(allowed.at("/api/messages"), None);
    }

    #[test]
    fn head_comes_with_get() {
        assert_eq!(listed(vec![Method::GET, Method::POST]), "GET, POST, HEAD");
        assert_eq!(listed(vec![Method::POST]), "POST");
    }
}
