"""Calls a GraphQL service: graphql.py ISOBOX FOLDER INSTALLED

The service runs on graphql-js, so that schemas, documents and variables are read by the reference implementation."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

from openapi import run, start

HERE = Path(__file__).resolve().parent

PROGRAM = r"""
const tryTo = async (work: () => Promise<unknown>) => { try { return await work(); } catch (error) { return error.message; } };
const send = (query: string, variables?: object, operationName?: string) => tools.shop.query({ query, variables, operationName });
const page = await tools.shop.products({ first: 1, filter: { and: [{ size: "SMALL" }], size: "LARGE" } });
const hostile = 'x") { secret } y: product(id: "1';
const created = await tools.shop.createProduct({ name: hostile, $select: "product { id name size }" });
return {
  page,
  pages: (await tools.shop.products({ after: page.pageInfo.endCursor, $select: "edges { node { name } }" })).edges,
  product: await tools.shop.product({ id: "1" }),
  none: await tools.shop.product({ id: "99" }),
  selected: await tools.shop.product({ id: "1", $select: '{ label: name price(currency: "EUR") ... on Node { id } }' }),
  found: await tools.shop.find({ text: "ea" }),
  node: await tools.shop.node({ id: "b1" }),
  sum: await tools.shop.add({ a: 1, b: 2 }),
  added: await tools.shop.add_mutation({ name: "Bowl", $select: "name" }),
  named: await tools.shop.query_query(),
  echo: JSON.parse(await tools.shop.echo({ filter: { name: hostile }, ids: ["a", "2"], at: { any: [true] } })),
  created,
  schema: await tools.shop.schema({ type: "Country" }),
  raw: await send("query A { secret } query B($id: ID!) { product(id: $id) { ...f } } fragment f on Product { n: name }", { id: 1 }, "B"),
  several: await send("mutation { a: createProduct(name: \"Jug\") { product { id } } b: add(name: \"Can\") { id } }"),
  introspected: (await send("{ __schema { queryType { name } } }")).data,
  partial: await send("{ broken add(a: 1, b: 1) }"),
  broken: await tryTo(() => tools.shop.broken()),
  brokenError: await tools.shop.broken().catch((error: any) => [error.status, error.body.errors[0].path, error.body.data]),
  unauthorisedError: await tools.unauthorised.add({ a: 1, b: 1 }).catch((error: any) => error.status),
  invalid: await tryTo(() => send("{ nothing }")),
  subscription: await tryTo(() => send("subscription { changed { id } }")),
  wrongSelection: await tryTo(() => tools.shop.product({ id: "1", $select: "id } secret product(id: 2) { id" })),
  missing: await tryTo(() => tools.shop.product({ id: "1", $select: "colour" })),
  leading: await tryTo(() => tools.shop.createProduct({ name: "x", $select: "query { secret }" })),
  denied: await Promise.all([
    "{ secret }", "{ a: secret }", "{ sum: add(a: 1, b: 1) ...f } fragment f on Query { ... { secret @skip(if: true) } }",
    "mutation { createProduct(name: \"no\") { query { secret } } }", "mutation { add(name: \"no\") { id } deleteProduct(id: 1) }",
  ].map((query) => tryTo(() => send(query)))),
  busy: await tools.busy.add({ a: 2, b: 2 }),
  busyMutation: await tryTo(() => tools.busy.deleteProduct({ id: "99" })),
  closed: await tools.closed.add({ a: 3, b: 3 }),
  unauthorised: await tryTo(() => tools.unauthorised.add({ a: 1, b: 1 })),
  away: await tryTo(() => tools.away.add({ a: 1, b: 1 })),
  html: await tryTo(() => tools.html.add({ a: 1, b: 1 })),
  gone: await tryTo(() => tools.gone.add({ a: 1, b: 1 })),
};
"""

BRAND = {"id": "b1", "name": "Leaf"}
TEA = {"id": "1", "name": "Tea", "size": "SMALL", "made": "2026-01-01T00:00:00Z", "brand": BRAND}
CUP = {**TEA, "id": "2", "name": "Cup", "size": "LARGE"}
HOSTILE = 'x") { secret } y: product(id: "1'
SECRET = "the policy forbids this call of `shop.secret`: rule 1 (`shop.secret`) denies it"

EXPECTED = {
    "page": {"total": 3, "edges": [{"cursor": "2", "node": CUP}], "pageInfo": {"hasNextPage": True, "endCursor": "2"}},
    "pages": [{"node": {"name": "Pot"}}, {"node": {"name": HOSTILE}}],
    "product": TEA,
    "none": None,
    "selected": {"label": "Tea", "price": 2.5, "id": "1"},
    "found": [{"__typename": "Product", **{key: TEA[key] for key in ("id", "name", "size", "made")}}, {"__typename": "Brand", **BRAND}],
    "node": {"__typename": "Brand", **BRAND},
    "sum": 3,
    "added": {"name": "Bowl"},
    "named": "a query that is called query",
    "echo": {"filter": {"name": HOSTILE}, "ids": ["a", "2"], "at": {"any": [True]}},
    "created": {"product": {"id": "4", "name": HOSTILE, "size": "SMALL"}},
    "schema": "type Country {\n  code: String!\n}\n",
    "raw": {"data": {"product": {"n": "Tea"}}},
    "several": {"data": {"a": {"product": {"id": "6"}}, "b": {"id": "7"}}},
    "introspected": {"__schema": {"queryType": {"name": "Query"}}},
    "broken": "shop: the second one is broken (at `broken.1`)",
    "brokenError": [200, ["broken", 1], {"broken": [1, None, 3]}],
    "unauthorisedError": 401,
    "invalid": "shop: `query` does not fit the schema: line 1, column 3: type `Query` does not have a field `nothing`",
    "subscription": "shop: subscriptions are not supported",
    "leading": "shop: `$select` leads to other functions of the service; call them, or use `query`",
    "denied": [SECRET, SECRET, SECRET, SECRET, "the policy forbids this call of `shop.deleteProduct`: rule 2 (`shop.deleteProduct`) denies it"],
    "busy": 4,
    "closed": 6,
    "unauthorised": "unauthorised: who are you: 401 Unauthorized (the operator sets the credentials under `auth`)",
    "away": "away: the request: 302 Found (redirects are not followed; the operator sets the final address as `url`)",
    "html": "html: the answer is none of GraphQL: it has neither `data` nor `errors` (the operator checks that `url` is the address of a GraphQL service)",
}


def call(isobox: Path, folder: Path, url: str) -> None:
    sdl = re.search(r"buildSchema\(`(.*?)`\);", (HERE / "graphql_shop.mjs").read_text(), re.S).group(1).replace("\\`", "`")
    (folder / "shop.graphql").write_text(sdl)
    (folder / "wrong.graphql").write_text("type Query { a: Missing }")
    auth = {"auth": {"bearer": "token-of-the-host"}}
    at = lambda path, **more: {"url": f"{url}{path}", "schema": "./shop.graphql", **more}  # noqa: E731
    config = {
        "graphql": {
            "shop": {"url": f"{url}/open", **auth},
            "busy": at("/busy", **auth),
            "closed": at("/closed", **auth),
            "unauthorised": at("/open"),
            "away": at("/away"),
            "html": at("/html"),
            "gone": {"url": "http://127.0.0.1:1/graphql", "schema": "./shop.graphql", "retries": 0},
            "secretive": {"url": f"{url}/closed", **auth},
            "dead": {"url": "http://127.0.0.1:1/graphql", "retries": 0},
            "wrong": {"url": f"{url}/open", "schema": "./wrong.graphql"},
            "none": {"url": f"{url}/open", "schema": "./none.graphql"},
        },
        "policy": [{"tools": "shop.secret", "deny": True}, {"tools": "shop.deleteProduct", "deny": True}],
    }
    (folder / "graphql.json").write_text(json.dumps(config))
    (folder / "graphql.ts").write_text(PROGRAM)
    outcome, stderr = run(isobox, folder, "graphql.ts", "graphql.json")
    assert outcome["status"] == "completed", (outcome, stderr)
    result = outcome["result"]
    partial = result.pop("partial")
    assert partial["data"] == {"broken": [1, None, 3], "add": 2} and partial["errors"][0]["path"] == ["broken", 1], partial
    for key, part in {
        "wrongSelection": "`$select` has to be a selection of GraphQL",
        "missing": "type `Product` does not have a field `colour`",
        "gone": "http://127.0.0.1:1 cannot be reached",
        "busyMutation": "503 Service Unavailable",
    }.items():
        assert part in result[key], (key, result[key])
        del result[key]
    differing = {key: (result.get(key), EXPECTED.get(key)) for key in result.keys() | EXPECTED if result.get(key) != EXPECTED.get(key)}
    assert not differing, json.dumps(differing, indent=2, ensure_ascii=False)
    # Services that cannot be used are told, and the others go on.
    for name, part in {
        "secretive": "save the schema of the service as a file and name it as `schema`",
        "dead": "cannot be reached",
        "wrong": "cannot find type `Missing`",
        "none": "there is no such file",
    }.items():
        assert f"`{name}`" in stderr and part in stderr, (name, stderr)
    assert "token-of-the-host" not in stderr + json.dumps(outcome)
    served = json.loads(urllib.request.urlopen(f"{url}/served").read())
    assert not any("secret" in document or "x\\\"" in document for document in served), served
    print(f"checked {len(EXPECTED) + 5} groups of calls against graphql-js")


def commands(isobox: Path, folder: Path) -> None:
    """Uses the command line: types, a call, and a result that is too large."""

    def tools(*arguments: str) -> subprocess.CompletedProcess:
        command = [isobox, "tools", *arguments, "--config", "graphql.json"]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, cwd=folder)

    types = tools("types", "shop").stdout
    for part in ("products(", "$select?: string", "and?: ", '"SMALL" | "LARGE"', "Deprecated: use `products`"):
        assert part in types, (part, types)
    called = tools("call", "shop.add", '{"a": 20, "b": 22}')
    assert called.returncode == 0 and json.loads(called.stdout) == 42, called
    huge = tools("call", "shop.huge", "{}")
    assert huge.returncode != 0 and "the response is larger than " in huge.stderr + huge.stdout, huge
    wrong = tools("call", "shop.add", '{"a": "x"}')
    assert wrong.returncode != 0 and '"b" is a required property' in wrong.stderr + wrong.stdout, wrong


def guide(isobox: Path, folder: Path, url: str) -> None:
    """Runs the example of the guide."""
    page = (HERE.parents[1] / "docs" / "guides" / "graphql.md").read_text()
    blocks = {language: text for language, text in re.findall(r"^```(\w+)\n(.*?)^```$", page, re.M | re.S)}
    here = folder / "guide"
    here.mkdir()
    config = blocks["jsonc"].replace("https://shop.example.com/graphql", f"{url}/open").replace("${SHOP_TOKEN}", "token-of-the-host")
    assert url in config, config
    (here / "isobox.json").write_text(config)
    (here / "program.ts").write_text(blocks["typescript"])
    outcome, stderr = run(isobox, here, "program.ts", "isobox.json")
    assert outcome.get("result") == json.loads(blocks["json"]), (outcome, stderr)
    for code in (
        'return await tools.shop.createProduct({ name: "Tray" });',
        'return await tools.shop.query({ query: "mutation { createProduct(name: \\"Tray\\") { product { id } } }" });',
    ):
        (here / "create.ts").write_text(code)
        outcome, stderr = run(isobox, here, "create.ts", "isobox.json")
        assert outcome["status"] == "paused", (outcome, stderr)


def main() -> None:
    isobox, folder, installed = (Path(argument) for argument in sys.argv[1:4])
    node = json.loads((folder / "isobox.json").read_text())["mcpServers"]["memory"]["command"]
    shop, url = start(node, HERE / "graphql_shop.mjs", installed)
    try:
        # What follows the guide changes the products.
        guide(isobox, folder, url)
        call(isobox, folder, url)
        commands(isobox, folder)
    finally:
        shop.terminate()
        shop.wait()


if __name__ == "__main__":
    main()
