// DeepSeek 风格: 语义化版本排序
const changelog = (await tools.files.read({ path: "docs/changelog.md" })).content;
const found = [...changelog.matchAll(/^## \[(\d+)\.(\d+)\.(\d+)\] - (\d{4}-\d{2}-\d{2})$/gm)].map(
  ([, major, minor, patch, date]) => ({ major: +major, minor: +minor, patch: +patch, date }),
);
const extra = ["1.10.0", "1.9.3", "1.2.0", "2.0.0-beta.2", "2.0.0-beta.11", "2.0.0"];

function compare(a: string, b: string): number {
  const [coreA, preA] = a.split("-");
  const [coreB, preB] = b.split("-");
  const x = coreA.split(".").map(Number);
  const y = coreB.split(".").map(Number);
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] - y[i];
  if (!preA && !preB) return 0;
  if (!preA) return 1; // 正式版大于预发布版
  if (!preB) return -1;
  return preA.localeCompare(preB, undefined, { numeric: true });
}
return { found, sorted: extra.sort(compare) };
