//! A value of a path does not make a call the one of another operation, which a rule denies.

use std::net::TcpListener;
use std::sync::Arc;

use isobox::connector::{ConnectorSettings, OpenApiConnector, OpenApiOptions, OpenApiService, Place};
use isobox::policy::{Action, Policy, Rule};
use isobox::{Isobox, json};

const PROGRAM: &str = "
const request = (path: string) => tools.shop.request({ method: 'POST', path });
const calls = [() => tools.shop.update({ id: 'purge' }), () => request('/users/%70urge'), () => request('/users/purge')];
const answers: string[] = [];
for (const call of calls) answers.push(await call().then(() => 'sent', (error) => error.message));
return answers;";

#[tokio::test]
async fn what_a_rule_denies_is_not_reached_through_the_value_of_a_path() {
    let service = TcpListener::bind("127.0.0.1:0").expect("a free port");
    service.set_nonblocking(true).expect("nothing waits for a request");
    let folder = tempfile::tempdir().expect("a folder");
    let document = json!({ "openapi": "3.1.0", "paths": {
        "/users/{id}": { "post": { "operationId": "update" } },
        "/users/purge": { "post": { "operationId": "purge" } },
    } });
    let path = folder.path().join("shop.json");
    std::fs::write(&path, document.to_string()).expect("written");
    let address = format!("http://{}", service.local_addr().expect("it is bound"));
    let described = OpenApiService::new(Place::File(path)).base_url(address);
    let shop = Arc::new(OpenApiConnector::new("shop", described, OpenApiOptions::default()));
    let deny = Rule::new(vec!["shop.purge".parse().expect("a pattern")], Action::Deny(None));
    let builder = Isobox::builder().connector(shop, ConnectorSettings::default()).policy(Policy::new(vec![deny]));
    let ready = builder.build_connected().expect("a runtime").ready().await.expect("it is ready");
    let other = "shop: the values make this the path of another operation, POST /users/purge; call that one";
    let denied = "the policy forbids this call of `shop.purge`: rule 1 (`shop.purge`) denies it";
    assert_eq!(ready.isobox.run(PROGRAM).await.into_result(), Ok(json!([other, other, denied])));
    let connected = service.accept().map(|(_, from)| from);
    assert_eq!(connected.map_err(|error| error.kind()), Err(std::io::ErrorKind::WouldBlock), "nothing is sent");
}
