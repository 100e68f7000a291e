const endpoint = new URL("/v2/search/", "https://api.example.com:8443/ignored?x=1");
endpoint.searchParams.append("q", "naïve café & more");
endpoint.searchParams.append("tag", "a b");
endpoint.searchParams.append("tag", "c/d");
endpoint.searchParams.sort();
endpoint.hash = "section 2";
const params = new URLSearchParams({ page: "1", filter: "status:open" });
params.delete("page");
const products = await tools.inventory.products.list({ category: "cables" });
return {
  href: endpoint.href,
  tags: endpoint.searchParams.getAll("tag"),
  params: params.toString(),
  entries: [...new URLSearchParams("a=1&b=%20x&a=2+3")],
  encoded: products.map((p) => encodeURIComponent(p.name)),
  uri: encodeURI("https://x.example/ü?q=1&r=a b"),
  canParse: [URL.canParse("nope"), URL.canParse("../x", "https://a.example/b/c")],
  relative: new URL("../img/a.png", "https://site.example/blog/post/").href,
};
