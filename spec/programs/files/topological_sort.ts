const { content } = await tools.files.read({ path: "deps/graph.txt" });
const graph = new Map<string, string[]>(content.trim().split("\n").map((line) => {
  const [name, rest] = line.split(":");
  return [name, rest.trim() ? rest.trim().split(" ") : []];
}));

class CycleError extends Error {
  override name = "CycleError";
  constructor(readonly path: string[]) { super(path.join(" → ")); }
}

function toposort(graph: Map<string, string[]>): string[] {
  const state = new Map<string, "visiting" | "done">();
  const order: string[] = [];
  const visit = (node: string, path: string[]) => {
    if (state.get(node) === "done") return;
    if (state.get(node) === "visiting") throw new CycleError([...path.slice(path.indexOf(node)), node]);
    state.set(node, "visiting");
    for (const dep of graph.get(node) ?? []) visit(dep, [...path, node]);
    state.set(node, "done");
    order.push(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return order;
}

const order = toposort(graph);
graph.get("log")!.push("app");
try {
  toposort(graph);
  return "no cycle?";
} catch (e) {
  return { order, cycle: e instanceof CycleError ? e.path : null, text: String(e) };
}
