import path from "node:path";

const files = await tools.files.list({});
return files.slice(0, 5).map((f) => {
  const { dir, name, ext, base } = path.parse(f.path);
  return { dir, name, ext, base, backup: path.join("/backup", dir, `${name}.bak${ext}`), relative: path.relative("docs", f.path), up: path.normalize(`${dir}/../${base}`), abs: path.isAbsolute(f.path) };
});
