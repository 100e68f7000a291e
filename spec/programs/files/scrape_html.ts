const { content: html } = await tools.files.read({ path: "site/index.html" });
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', mdash: "—", euro: "€" };
const unescape = (s: string) => s.replace(/&(#\d+|\w+);/g, (all, e: string) => (e[0] === "#" ? String.fromCodePoint(+e.slice(1)) : entities[e] ?? all));
const clean = html.replace(/<!--[\s\S]*?-->/g, "").replace(/<script\b[^>]*>[\s\S]*?<\/script>/gi, "");

const title = unescape(/<title>(.*?)<\/title>/s.exec(clean)![1]);
const items = [...clean.matchAll(/<li data-sku="([^"]+)"><a href=(["'])(.*?)\2>(.*?)<\/a> <b>(.*?)<\/b>/g)].map(([, sku, , href, name, price]) => ({
  sku,
  href: new URL(unescape(href), "https://shop.example").href,
  name,
  price: parseFloat(unescape(price).replace("€", "")),
}));
const text = unescape(clean.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ")).trim();
return { title, items, text };
