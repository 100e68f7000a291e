const text = '{"id":7,"created":"2025-01-05T10:00:00.000Z","tags":["a","b"],"big":"9007199254740993n","nested":{"at":"2024-02-29T00:00:00.000Z","__v":3}}';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const revived = JSON.parse(text, function (key, value) {
  if (key.startsWith("__")) return undefined;
  if (typeof value === "string" && ISO.test(value)) return new Date(value);
  if (typeof value === "string" && /^\d+n$/.test(value)) return BigInt(value.slice(0, -1));
  return value;
});
const back = JSON.stringify(revived, (key, value) => (typeof value === "bigint" ? `${value}n` : value), 2);
const { content } = await tools.files.read({ path: "data/points.json" });
return { year: revived.created.getFullYear(), next: String(revived.big + 1n), hasVersion: "__v" in revived.nested, back, picked: JSON.stringify(JSON.parse(content), ["features", "id"]) };
