//! The signature base: the lines that are signed (RFC 9421, section 2.5).

use std::fmt::Write;

use http::HeaderMap;

/// What the lines are made of.
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

/// A component that the request does not have.
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

/// A line for each component, and a last one for the list of them with its parameters.
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

/// The value of a field: its lines without the space around them, joined by a comma (RFC 9421, section 2.1).
/// `None` if there is no such field, or one that is not ASCII.
pub fn field_value(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut lines = headers.get_all(name).iter().map(|line| line.to_str().ok().map(str::trim)).peekable();
    lines.peek()?;
    Some(lines.collect::<Option<Vec<_>>>()?.join(", "))
}
