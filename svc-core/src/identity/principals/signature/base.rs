//! The signature base: the lines that are signed (RFC 9421, section 2.5).

use std::fmt::Write;

use http::HeaderMap;

use super::field;

/// What the lines are made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Covered<'a> {
    pub(crate) method: &'a str,
    pub(crate) authority: &'a str,
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) headers: &'a HeaderMap,
}

/// A component that the request does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Absent<'c>(pub(crate) &'c str);

impl Covered<'_> {
    fn value(&self, component: &str) -> Option<String> {
        match component {
            "@method" => Some(self.method.to_owned()),
            "@authority" => Some(self.authority.to_owned()),
            "@path" => Some(if self.path.is_empty() { "/" } else { self.path }.to_owned()),
            "@query" => Some(format!("?{}", self.query.unwrap_or_default())),
            field => field::value(self.headers, field),
        }
    }
}

/// A line for each component, and a last one for the list of them with its parameters.
pub(crate) fn signature_base<'c>(
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
