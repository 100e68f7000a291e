// node:path, for paths with slashes.

function requirePath(path, name = "path") {
  if (typeof path !== "string") throw wrongType(name, "of type string", path);
}

/** Resolves `.` and `..` in the parts of a path; those that lead out of a relative path stay. */
function resolveDots(parts, isAbsolutePath) {
  const result = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") result.push(part);
    else if (result.length > 0 && result.at(-1) !== "..") result.pop();
    else if (!isAbsolutePath) result.push("..");
  }
  return result.join("/");
}

const path = {
  sep: "/",
  delimiter: ":",

  isAbsolute(path) {
    requirePath(path);
    return path.startsWith("/");
  },

  normalize(path) {
    requirePath(path);
    if (path === "") return ".";
    const isAbsolutePath = path.startsWith("/");
    let normal = resolveDots(path.split("/"), isAbsolutePath);
    if (normal === "" && !isAbsolutePath) normal = ".";
    if (normal !== "" && path.endsWith("/")) normal += "/";
    return isAbsolutePath ? `/${normal}` : normal;
  },

  join(...parts) {
    for (const part of parts) requirePath(part);
    const joined = parts.filter((part) => part !== "").join("/");
    return joined === "" ? "." : path.normalize(joined);
  },

  resolve(...parts) {
    let resolved = "";
    for (let at = parts.length - 1; at >= 0 && !resolved.startsWith("/"); at--) {
      requirePath(parts[at], `paths[${at}]`);
      if (parts[at] !== "") resolved = `${parts[at]}/${resolved}`;
    }
    if (!resolved.startsWith("/")) resolved = `${process.cwd()}/${resolved}`;
    return `/${resolveDots(resolved.split("/"), true)}`;
  },

  relative(from, to) {
    requirePath(from, "from");
    requirePath(to, "to");
    const partsOf = (one) => path.resolve(one).split("/").filter((part) => part !== "");
    const [start, end] = [partsOf(from), partsOf(to)];
    let common = 0;
    while (common < start.length && common < end.length && start[common] === end[common]) common++;
    return [...start.slice(common).map(() => ".."), ...end.slice(common)].join("/");
  },

  dirname(path) {
    requirePath(path);
    if (path === "") return ".";
    const trimmed = path.replace(/(?<=.)\/+$/, "");
    const at = trimmed.lastIndexOf("/");
    if (at < 0) return ".";
    if (at === 0) return "/";
    return at === 1 && path.startsWith("/") ? "//" : trimmed.slice(0, at);
  },

  basename(path, suffix = "") {
    requirePath(path);
    if (typeof suffix !== "string") throw wrongType("suffix", "of type string", suffix);
    if (suffix !== "" && path === suffix) return "";
    const name = path.replace(/\/+$/, "").split("/").at(-1);
    return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  },

  extname(path) {
    requirePath(path);
    const name = path.replace(/\/+$/, "").split("/").at(-1);
    const at = name.lastIndexOf(".");
    return at <= 0 || name === ".." ? "" : name.slice(at);
  },

  parse(text) {
    requirePath(text);
    const root = text.startsWith("/") ? "/" : "";
    const base = path.basename(text);
    const ext = path.extname(text);
    const at = text.replace(/\/+$/, "").lastIndexOf("/");
    const dir = at > 0 ? text.slice(0, at) : at === 0 || (base === "" && root !== "") ? "/" : "";
    return { root, dir, base, ext, name: ext === "" ? base : base.slice(0, -ext.length) };
  },

  format(parts) {
    if (!isObject(parts)) throw wrongType("pathObject", "of type object", parts);
    const ext = parts.ext ? (parts.ext.startsWith(".") ? parts.ext : `.${parts.ext}`) : "";
    const base = parts.base || `${parts.name ?? ""}${ext}`;
    const dir = parts.dir || parts.root;
    if (!dir) return base;
    return dir === parts.root ? dir + base : `${dir}/${base}`;
  },

  toNamespacedPath: (path) => path,
};
path.posix = path;
path.win32 = new Proxy({}, {
  get(_, name) {
    if (typeof name === "string") unavailable("path.win32", "paths have forward slashes here, as in `path.posix`")();
  },
});
