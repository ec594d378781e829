//! The signature base: the lines that are signed (RFC 9421, section 2.5).

use std::fmt::Write;

use http::HeaderMap;

/// The parts of a request that a signature can cover.
#[derive(Debug, Clone, Copy)]
pub struct Covered<'a> {
    /// The method.
    pub method: &'a str,
    /// The host and its port, by [`normal_authority`](super::normal_authority).
    pub authority: &'a str,
    /// The path.
    pub path: &'a str,
    /// The part after the question mark.
    pub query: Option<&'a str>,
    /// The header fields.
    pub headers: &'a HeaderMap,
}

/// A covered component that is missing in the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent<'c>(pub &'c str);

impl Covered<'_> {
    fn value(&self, component: &str) -> Option<String> {
        match component {
            "@method" => Some(self.method.to_owned()),
            "@authority" => Some(self.authority.to_owned()),
            "@path" => Some(if self.path.is_empty() { "/" } else { self.path }.to_owned()),
            "@query" => Some(format!("?{}", self.query.unwrap_or_default())),
            field => field_value(self.headers, field),
        }
    }
}

/// Builds the signature base: one line per component, and a last line with their list and its parameters.
pub fn signature_base<'c>(
    covered: &Covered<'_>,
    components: &'c [String],
    parameters: &str,
) -> Result<String, Absent<'c>> {
    let mut base = String::new();
    for component in components {
        let value = covered.value(component).ok_or(Absent(component))?;
        writeln!(base, "\"{component}\": {value}").expect("a string takes whatever is written");
    }
    write!(base, "\"@signature-params\": {parameters}").expect("a string takes whatever is written");
    Ok(base)
}

/// The value of a header field: its lines, trimmed and joined by a comma (RFC 9421, section 2.1). `None` if
/// the field is missing or not ASCII.
pub fn field_value(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut lines = headers.get_all(name).iter().map(|line| line.to_str().ok().map(str::trim)).peekable();
    lines.peek()?;
    Some(lines.collect::<Option<Vec<_>>>()?.join(", "))
}
