const routes: [URLPattern, (params: Record<string, string | undefined>) => string][] = [
  [new URLPattern({ pathname: "/customers/:id" }), ({ id }) => `customer ${id}`],
  [new URLPattern({ pathname: "/orders/:id(\\d+)/items/:sku?" }), ({ id, sku }) => `order ${id} item ${sku ?? "all"}`],
  [new URLPattern({ pathname: "/files/*" }), (groups) => `file ${groups[0]}`],
];
const route = (url: string) => {
  for (const [pattern, handler] of routes) {
    const match = pattern.exec(url);
    if (match) return handler(match.pathname.groups);
  }
  return "404";
};
return ["/customers/cus_001", "/orders/5001/items/KB-100", "/orders/5001/items", "/orders/abc/items/x", "/files/a/b.txt", "/"].map((p) => route(`https://app.example${p}`));
