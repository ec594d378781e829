//! Writes every page to a folder, to be looked at in a browser:
//! `SVC_PREVIEW=/some/folder cargo test -p svc-http preview -- --ignored`, then serve that folder
//! beside the files of `web/dist`, since the pages name their files from the root.

use std::path::PathBuf;

use super::*;

fn agents(count: usize) -> Vec<AgentChoice> {
    let known = [("builder", "Builder"), ("reviewer", "Reviewer of pull requests"), ("night-shift", "night-shift")];
    let agent =
        |(name, display_name): (&str, &str)| AgentChoice { name: name.into(), display_name: display_name.into() };
    known.into_iter().take(count).map(agent).collect()
}

fn authorize_page(agents: Vec<AgentChoice>, error: Option<&str>) -> AuthorizePage {
    AuthorizePage {
        client_name: "Example Client".into(),
        redirect_host: "127.0.0.1:33418".into(),
        username: "ann".into(),
        agents,
        switch: Some("/login?switch=1&next=%2Foauth%2Fauthorize".into()),
        error: error.map(str::to_owned),
        ..AuthorizePage::default()
    }
}

fn device_page(agents: Vec<AgentChoice>) -> DeviceConfirmPage {
    DeviceConfirmPage {
        client_name: "Example Client".into(),
        user_code: "WDJB-MJHT".into(),
        username: "ann".into(),
        agents,
        switch: Some("/login?switch=1&next=%2Fdevice".into()),
        ..DeviceConfirmPage::default()
    }
}

/// The pages by their file names.
fn pages(brand: &Brand) -> Vec<(&'static str, Response)> {
    let ok = StatusCode::OK;
    let wrong = Some("That user name and password do not belong together.".to_owned());
    let long = AuthorizePage {
        client_name: "The Extraordinarily Comprehensive Client for Everything ".repeat(2),
        client_host: Some("accounts.bank.example.this-is-really-somebody-else.example".into()),
        redirect_host: "callback.this-is-really-somebody-else.example".into(),
        selected: Some("reviewer".into()),
        ..authorize_page(agents(3), None)
    };
    let purpose = Some("to connect Example Client".to_owned());
    vec![
        ("login", login(brand, ok, &LoginPage { purpose, ..LoginPage::default() })),
        ("login-error", login(brand, ok, &LoginPage { username: "ann".into(), error: wrong, ..LoginPage::default() })),
        ("authorize", authorize(brand, ok, &authorize_page(agents(3), None))),
        ("authorize-long", authorize(brand, ok, &long)),
        ("authorize-new", authorize(brand, ok, &authorize_page(Vec::new(), None))),
        ("authorize-error", authorize(brand, ok, &authorize_page(agents(2), Some("Choose one of your agents.")))),
        ("device", device(brand, ok, &DevicePage::default())),
        (
            "device-error",
            device(
                brand,
                ok,
                &DevicePage { code: "WDJB".into(), error: Some("No device waits with this code.".into()) },
            ),
        ),
        ("device-confirm", device_confirm(brand, ok, &device_page(agents(1)))),
        ("done", done(brand, "Connected", "Example Client now acts as builder. You can close this page.")),
        (
            "failed",
            message(brand, StatusCode::BAD_REQUEST, "This link does not work", "The client is not known to this hub."),
        ),
    ]
}

#[tokio::test]
#[ignore = "writes files for people to look at"]
async fn preview() {
    let folder = PathBuf::from(std::env::var("SVC_PREVIEW").expect("SVC_PREVIEW names a folder"));
    let logo = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'><circle cx='10' cy='10' r='9' fill='#c2410c'/>\
                <circle cx='28' cy='10' r='9' fill='#c2410c' opacity='.6'/></svg>";
    let brands = [
        ("plain", Brand::load(&BrandConfig::default()).await.unwrap()),
        ("branded", Brand::named("Harbour", "#e8a317", Some(logo))),
    ];
    for (name, brand) in brands {
        let folder = folder.join(name);
        tokio::fs::create_dir_all(folder.join("pages")).await.unwrap();
        let style = format!("{}\n{STYLE}", crate::routes::web::font_faces());
        tokio::fs::write(folder.join("pages/style.css"), style).await.unwrap();
        tokio::fs::write(folder.join("pages/brand.css"), brand.style()).await.unwrap();
        tokio::fs::write(folder.join("pages/logo"), logo).await.unwrap();
        for (page, response) in pages(&brand) {
            let html = response.into_body().into_string().await.unwrap();
            tokio::fs::write(folder.join(page).with_extension("html"), html).await.unwrap();
        }
    }
}
