const files = await tools.files.list({});
const human = (bytes: number, si = false) => {
  const base = si ? 1000 : 1024;
  if (bytes < base) return `${bytes} B`;
  const exponent = Math.floor(Math.log(bytes) / Math.log(base));
  return `${(bytes / base ** exponent).toFixed(1)} ${"KMGTP"[exponent - 1]}${si ? "B" : "iB"}`;
};
const biggest = files.reduce((a, b) => (b.size > a.size ? b : a));
return { total: human(files.reduce((s, f) => s + f.size, 0)), biggest: biggest.path, samples: [999, 1024, 123456789, 5e12].map((n) => [human(n), human(n, true)]), byExtension: Object.entries(Object.groupBy(files, (f) => f.path.split(".").pop())).map(([e, fs]) => `${e}:${fs.length}`).sort() };
