const { content } = await tools.files.read({ path: "data/points.json" });
const seeds: [number, number][] = JSON.parse(content).features.map((f: any) => f.xy);
const points = seeds.flatMap(([x, y]) => [[x, y], [x + 1, y - 1], [x - 1.5, y + 0.5]] as [number, number][]);
const distance = (a: number[], b: number[]) => Math.hypot(...a.map((v, i) => v - b[i]));
let centers = [points[0], points[4], points[8]];
let labels: number[] = [];
for (let round = 0; round < 10; round++) {
  const next = points.map((p) => centers.reduce((best, c, i) => (distance(p, c) < distance(p, centers[best]) ? i : best), 0));
  if (next.join() === labels.join()) break;
  labels = next;
  centers = centers.map((c, k) => {
    const members = points.filter((_, i) => labels[i] === k);
    return members.length ? ([0, 1].map((d) => members.reduce((s, m) => s + m[d], 0) / members.length) as [number, number]) : c;
  });
}
return { labels, centers: centers.map((c) => c.map((v) => v.toFixed(3))) };
