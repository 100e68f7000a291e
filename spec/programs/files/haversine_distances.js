const { content } = await tools.files.read({ path: 'data/points.json' });
const { features } = JSON.parse(content);
const rad = (deg) => (deg * Math.PI) / 180;
const distance = ([lon1, lat1], [lon2, lat2]) => {
  const dLat = rad(lat2 - lat1), dLon = rad(lon2 - lon1);
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(rad(lat1)) * Math.cos(rad(lat2)) * Math.sin(dLon / 2) ** 2;
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(h)));
};
const pairs = features.flatMap((a, i) => features.slice(i + 1).map((b) => ({ from: a.id, to: b.id, km: Math.round(distance(a.xy, b.xy)) })));
return { pairs, centroid: features.map((f) => f.xy).reduce(([x, y], [a, b]) => [x + a / 3, y + b / 3], [0, 0]).map((v) => +v.toFixed(4)) };
