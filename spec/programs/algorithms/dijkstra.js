const edges = [['BER', 'NYC', 9.5], ['BER', 'TYO', 13], ['NYC', 'SFO', 6], ['TYO', 'SFO', 9.2], ['NYC', 'TYO', 14.1], ['SFO', 'SYD', 15.3], ['TYO', 'SYD', 9.8]];
const graph = edges.reduce((g, [a, b, w]) => { (g[a] ??= {})[b] = w; (g[b] ??= {})[a] = w; return g; }, {});
function dijkstra(from) {
  const dist = Object.fromEntries(Object.keys(graph).map((k) => [k, Infinity]));
  const prev = {}, todo = new Set(Object.keys(graph));
  dist[from] = 0;
  while (todo.size) {
    const u = [...todo].reduce((a, b) => dist[a] <= dist[b] ? a : b);
    todo.delete(u);
    for (const [v, w] of Object.entries(graph[u])) if (dist[u] + w < dist[v]) { dist[v] = Math.round((dist[u] + w) * 10) / 10; prev[v] = u; }
  }
  const path = (to) => to === from ? [from] : [...path(prev[to]), to];
  return Object.fromEntries(Object.keys(dist).sort().map((k) => [k, { hours: dist[k], via: path(k).join('>') }]));
}
const { stock } = await tools.inventory.products.get({ sku: 'KB-100' });
const source = Object.entries(stock).sort((a, b) => b[1] - a[1])[0][0];
return { source, routes: dijkstra(source) };
