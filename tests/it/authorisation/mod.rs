//! The authorisation table (`table.rs`, `kept.rs`): every documented route, asked by everybody who could ask.
//!
//! A route that is not in the table fails the test, so that none can be forgotten; so does a row
//! whose route is gone.

mod fixture;
mod kept;
mod people;
mod table;

use std::collections::BTreeSet;

use fixture::{Fixture, with_body};
use serde_json::Value;
use svc_test_macros::both_engines;
use table::{ASKERS, EXCEPTIONS, Needs, TABLE, expected, reason};

use crate::support::server::TestServer;

#[both_engines]
async fn every_route_answers_everybody_as_the_table_says(test: TestServer) {
    let document = test.get_json("/openapi.json").await;
    let mut documented = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            documented.insert((method.to_uppercase(), path.clone()));
        }
    }
    let rows = || TABLE.iter().chain(people::TABLE).chain(kept::TABLE);
    let listed: BTreeSet<_> = rows().map(|row| (row.0.to_owned(), row.1.to_owned())).collect();
    assert_eq!(documented, listed, "every documented route stands in the table, and no other");
    let mut wrong = Vec::new();
    // Rows that only read share theirs.
    let mut shared: [Option<Fixture>; 2] = [None, None];
    for (number, &(method, path, needs, names, right)) in rows().enumerate() {
        let admin = needs == Needs::Admin;
        let mut own = None;
        let place = if method == "GET" { &mut shared[usize::from(admin)] } else { &mut own };
        if place.is_none() {
            *place = Some(Fixture::new(&test, number, admin).await);
        }
        let fixture = place.as_ref().unwrap();
        for asker in ASKERS {
            let request = fixture.request(&test, asker, needs, method.parse().unwrap(), path);
            let request =
                if method == "GET" { request } else { with_body(request, path, &fixture.owner.username, asker) };
            let answer = request.send().await.unwrap();
            let status = answer.status().as_u16();
            let mut exceptions = EXCEPTIONS.iter().chain(people::EXCEPTIONS).chain(kept::EXCEPTIONS);
            let exception = exceptions.find(|row| (row.0, row.1, row.2) == (method, path, asker));
            let expected = exception.map_or_else(|| expected(asker, method, needs, names, right), |row| row.3);
            // A live stream goes on for ever.
            let body = if answer.headers().get("content-type").is_some_and(|kind| kind == "text/event-stream") {
                Value::Null
            } else {
                answer.json::<Value>().await.unwrap_or_default()
            };
            let code = body["code"].as_str().map(ToOwned::to_owned);
            let reason = exception
                .map_or_else(|| reason(asker, needs, expected), |row| Some(row.4).filter(|code| !code.is_empty()));
            if status != expected || reason.is_some() && code.as_deref() != reason {
                wrong.push(format!("{method} {path} by {asker:?}: {status} {code:?}, expected {expected} {reason:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    test.stop().await;
}
