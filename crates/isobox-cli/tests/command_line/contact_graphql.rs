//! `isobox add` with GraphQL services.

use serde_json::json;

use crate::contact::{empty, read, serve, written};

const TYPE: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 35\r\nconnection: close\r\n\r\n\
                    {\"data\":{\"__typename\":\"RootQuery\"}}";
const REFUSAL: &str = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/graphql-response+json\r\n\
                       content-length: 40\r\nconnection: close\r\n\r\n{\"errors\":[{\"message\":\"who are you?!\"}]}";
const RPC: &str = "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: 56\r\nconnection: close\r\n\r\n\
                   {\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"no\"}}";

#[test]
fn a_graphql_service_is_recognised_by_its_answer() {
    let folder = empty("graphql");
    for (name, answer, what, section) in [
        ("shop", TYPE, "added the GraphQL service `shop`", "graphql"),
        ("closed", REFUSAL, "added the GraphQL service `closed`", "graphql"),
        ("rpc", RPC, "added the MCP server (an address) `rpc`", "mcpServers"),
    ] {
        let url = format!("{}/graphql", serve(answer));
        let done = folder.isobox(&["add", name, &url, "--header", "X-Version: 2"]);
        assert_eq!(done.status, 0, "{done:?}");
        assert!(done.stdout.starts_with(what) && done.stdout.contains("next: isobox tools list"), "{done:?}");
        assert!(written(&folder).contains(&format!("\"url\": \"{url}\"")), "{}", written(&folder));
        assert!(written(&folder).contains(&format!("\"{section}\"")), "{}", written(&folder));
    }
    assert_eq!(read(&folder).graphql.keys().collect::<Vec<_>>(), ["shop", "closed"]);
}

#[test]
fn the_schema_of_a_graphql_service_is_named_beside_its_address() {
    let folder = empty("graphql-schema");
    folder.file("shop.graphql", "type Query { a: Int }");
    folder.file("shop.json", &json!({ "data": { "__schema": { "types": [] } } }).to_string());
    for file in ["./shop.graphql", "shop.json"] {
        let done = folder.isobox(&["add", "shop", file]);
        assert_eq!(done.status, 2, "{done:?}");
        assert!(done.stderr.contains("is the schema of a GraphQL service"), "{done:?}");
        assert!(done.stderr.contains(&format!("isobox add shop https://… --schema {file}")), "{done:?}");
    }
    let done = folder.isobox(&["add", "shop", "https://shop.invalid/api", "--schema", "./shop.graphql"]);
    assert_eq!(done.status, 0, "{done:?}");
    assert!(written(&folder).contains("\"schema\": \"./shop.graphql\""), "{}", written(&folder));
    let elsewhere = folder.isobox(&["add", "told", "--type", "graphql", "https://shop.invalid/api"]);
    assert_eq!(elsewhere.status, 0, "{elsewhere:?}");
    for (arguments, expected) in [
        (&["x", "https://shop.invalid", "--schema", "none.graphql"][..], "there is no file none.graphql"),
        (&["x", "./shop.graphql", "--type", "graphql"], "is added by its address"),
        (&["x", "--type", "mcp", "--schema", "shop.graphql", "https://a.example"], "--schema is for GraphQL services"),
    ] {
        let done = folder.isobox(&[&["add"], arguments].concat());
        assert_eq!(done.status, 2, "{done:?}");
        assert!(done.stderr.contains(expected), "{expected}: {done:?}");
    }
    assert_eq!(read(&folder).graphql.len(), 2);
}
