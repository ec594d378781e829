//! `svc://wiki/{slug}`: articles of the wiki, as Markdown with a head.

use serde_json::Value;
use svc_core::wiki::ArticleSlug;
use svc_core::{Caller, Hub, Result};

/// Fields of the head, in order.
const HEAD: [&str; 10] =
    ["title", "slug", "revision", "updated_by", "from_kind", "owner", "trust", "updated_at", "protected", "is_stale"];

/// The slug of the article that this slug leads to.
pub(super) async fn current(hub: &Hub, caller: &Caller, slug: &str) -> Result<String> {
    let slug = ArticleSlug::parse("slug", slug)?;
    Ok(hub.wiki().get(caller, &slug).await?.slug)
}

/// The answer of `get_article` as Markdown: a head in YAML, then the text.
pub(super) fn markdown(article: &Value) -> String {
    let mut text = String::from("---\n");
    // JSON is YAML, and it has quotes around texts of others.
    let mut line = |name: &str, value: &Value| {
        for part in [name, ": ", &value.to_string(), "\n"] {
            text.push_str(part);
        }
    };
    for name in HEAD {
        if let Some(value) = article.get(name) {
            line(name, value);
        }
    }
    if let (Some(omitted), Some(from)) = (article.get("body_omitted"), article.get("from_char")) {
        let slug = article.get("slug").and_then(Value::as_str).unwrap_or_default();
        line("omitted_characters", omitted);
        line("read_on", &format!("get_article {{\"slug\": \"{slug}\", \"from_char\": {from}}}").into());
    }
    text.push_str("---\n\n");
    text.push_str(article.get("body").and_then(Value::as_str).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_article_has_a_head_that_its_title_cannot_leave() {
        let short = json!({ "slug": "deploy", "title": "A: \"b\"\n---", "revision": 3, "body": "# Deploy\n" });
        let head = "---\ntitle: \"A: \\\"b\\\"\\n---\"\nslug: \"deploy\"\nrevision: 3\n";
        assert_eq!(markdown(&short), format!("{head}---\n\n# Deploy\n"));
        let mut long = short;
        long["body_omitted"] = 12.into();
        long["from_char"] = 9.into();
        let rest =
            "omitted_characters: 12\nread_on: \"get_article {\\\"slug\\\": \\\"deploy\\\", \\\"from_char\\\": 9}\"\n";
        assert_eq!(markdown(&long), format!("{head}{rest}---\n\n# Deploy\n"));
    }
}
