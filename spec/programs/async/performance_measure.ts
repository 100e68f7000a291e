const start = performance.now();
await new Promise((resolve) => setTimeout(resolve, 25));
const elapsed = performance.now() - start;
console.time("lookup");
await tools.flags.get({ key: "dark-mode" });
console.timeEnd("lookup");
return { waited: elapsed >= 20, finite: Number.isFinite(elapsed), origin: typeof performance.timeOrigin === "number", type: typeof start };
