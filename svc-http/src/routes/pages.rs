//! `/pages/…`: stylesheets, script and logo of the server-rendered pages.
//!
//! Invariants: the four files are built at start and do not change while the server runs.

use std::sync::Arc;

use poem::endpoint::make;
use poem::http::{HeaderValue, header};
use poem::{Endpoint, IntoResponse, Request, Response};

use super::cached::Cached;
use super::web;
use crate::error::Problem;
use crate::pages::{Brand, LINK_SCRIPT, Logo, STYLE};

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const ASK_AGAIN: &str = "no-cache";

/// An SVG may contain styles of its own; nothing else in it is active when it is opened by itself.
const LOGO_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// The stylesheet of all pages, with the fonts of the web UI.
pub(crate) fn style() -> impl Endpoint<Output = Response> + 'static {
    file(Cached::new(format!("{}\n{STYLE}", web::font_faces()), CSS, ASK_AGAIN))
}

/// The script of the pages that take the code of a link.
pub(crate) fn link_script() -> impl Endpoint<Output = Response> + 'static {
    file(Cached::new(LINK_SCRIPT, SCRIPT, ASK_AGAIN))
}

/// The rules that depend on the brand.
pub(crate) fn brand(brand: &Brand) -> impl Endpoint<Output = Response> + 'static {
    file(Cached::new(brand.style(), CSS, ASK_AGAIN))
}

/// The logo, or 404 where there is none.
pub(crate) fn logo(brand: &Brand) -> impl Endpoint<Output = Response> + 'static {
    let logo = brand.logo().map(|Logo { body, content_type }| Cached::new(body.clone(), content_type, ASK_AGAIN));
    let logo = Arc::new(logo);
    make(move |request: Request| {
        let logo = logo.clone();
        async move {
            let Some(logo) = &*logo else {
                return Ok::<_, poem::Error>(Problem::no_such_path().into_response());
            };
            let mut response = logo.answer(request.headers()).await;
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(LOGO_POLICY));
            Ok(response)
        }
    })
}

fn file(file: Cached) -> impl Endpoint<Output = Response> + 'static {
    let file = Arc::new(file);
    make(move |request: Request| {
        let file = file.clone();
        async move { Ok::<_, poem::Error>(file.answer(request.headers()).await) }
    })
}

#[cfg(test)]
mod tests {
    use poem::EndpointExt;

    use super::*;
    use crate::pages::BrandConfig;

    async fn get(endpoint: &impl Endpoint, tag: Option<&HeaderValue>) -> Response {
        let mut request = Request::builder();
        if let Some(tag) = tag {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        endpoint.call(request.finish()).await.unwrap().into_response()
    }

    #[tokio::test]
    async fn the_styles_are_cached_until_they_change() {
        let ours = Brand::load(&BrandConfig::default()).await.unwrap();
        for endpoint in [style().boxed(), brand(&ours).boxed()] {
            let response = get(&endpoint, None).await;
            assert_eq!(response.content_type(), Some(CSS));
            let tag = response.headers()[header::ETAG].clone();
            assert_eq!(get(&endpoint, Some(&tag)).await.status(), 304);
        }
        let text = get(&style(), None).await.into_body().into_string().await.unwrap();
        assert!(text.starts_with("@font-face") && text.ends_with(STYLE));
    }

    #[tokio::test]
    async fn a_logo_is_an_inactive_image() {
        let theirs = Brand::named("Hub", "#000000", Some("<svg><script>alert(1)</script></svg>"));
        let response = get(&logo(&theirs), None).await;
        assert_eq!(response.content_type(), Some("image/svg+xml"));
        assert_eq!(response.headers()[header::CONTENT_SECURITY_POLICY], LOGO_POLICY);
        let ours = Brand::load(&BrandConfig::default()).await.unwrap();
        assert_eq!(get(&logo(&ours), None).await.status(), 404);
    }
}
