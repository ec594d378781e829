//! Documented operations by method and path.

use poem::http::Method;
use poem_openapi::OpenApi;

/// A named operation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    /// Its `operationId`.
    pub(crate) id: &'static str,
    /// Its path pattern, with `{name}` for parameters.
    pub(crate) path: String,
    method: Method,
}

/// The named operations, those with more literal segments first.
pub(crate) struct Operations(Vec<Operation>);

impl Operations {
    /// The operations of an API.
    pub(crate) fn of<T: OpenApi>() -> Self {
        let mut operations = Vec::new();
        for path in T::meta().into_iter().flat_map(|api| api.paths) {
            for operation in path.operations {
                if let Some(id) = operation.operation_id {
                    operations.push(Operation { id, path: path.path.clone(), method: operation.method });
                }
            }
        }
        Self::new(operations)
    }

    /// Adds an operation that is not documented.
    pub(crate) fn and(mut self, method: Method, path: &str, id: &'static str) -> Self {
        self.0.push(Operation { id, path: path.to_owned(), method });
        Self::new(self.0)
    }

    /// As in the router, a literal segment takes precedence over a parameter.
    fn new(mut operations: Vec<Operation>) -> Self {
        let by_words = |operation: &Operation| operation.path.replace('{', "\u{ff}");
        operations.sort_by_cached_key(by_words);
        Self(operations)
    }

    pub(crate) fn find(&self, method: &Method, path: &str) -> Option<&Operation> {
        self.0.iter().find(|operation| operation.method == *method && matches(&operation.path, path))
    }
}

/// `{name}` in a pattern matches any one segment.
fn matches(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted == given || wanted.starts_with('{') && !given.is_empty() => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_takes_precedence_over_a_parameter() {
        let operation = |id, path: &str| Operation { id, path: path.to_owned(), method: Method::GET };
        let operations = Operations::new(vec![
            operation("get_trace", "/api/traces/{id}"),
            operation("trace_stats", "/api/traces/stats"),
            operation("get_member", "/api/{noun}/{id}/members"),
        ])
        .and(Method::POST, "/device", "authorize_device");
        let found = |method: &Method, path| operations.find(method, path).map(|operation| operation.id);
        assert_eq!(found(&Method::GET, "/api/traces/stats"), Some("trace_stats"));
        assert_eq!(found(&Method::GET, "/api/traces/7"), Some("get_trace"));
        assert_eq!(found(&Method::GET, "/api/traces/stats/members"), Some("get_member"));
        assert_eq!(found(&Method::POST, "/device"), Some("authorize_device"));
        for path in ["/api/traces", "/api/traces/", "/api/traces/7/8", "/", ""] {
            assert_eq!(found(&Method::GET, path), None, "{path}");
        }
        assert_eq!(found(&Method::POST, "/api/traces/stats"), None);
    }
}
