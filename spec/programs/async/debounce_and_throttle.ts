function debounce<A extends unknown[]>(fn: (...args: A) => void, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: A) => {
    clearTimeout(timer);
    timer = setTimeout(fn, ms, ...args);
  };
}
const seen: string[] = [];
const search = debounce((q: string, n: number) => seen.push(`${q}/${n}`), 15);
for (const [i, q] of ["a", "ac", "acm", "acme"].entries()) search(q, i);
await new Promise((resolve) => setTimeout(resolve, 60));
search("second", 0);
await new Promise((resolve) => setTimeout(resolve, 60));
const hits = await tools.crm.customers.search({ query: seen[0].split("/")[0] });
return { seen, hits: hits.map((h) => h.id) };
