// What to use instead of the modules that programs ask for and that are not here. build.py makes INSTEAD of packages.txt.

/** The advice about a module by the first part of its name, without the `@` of a scope. */
function insteadOf(name) {
  const start = name[0] === "@" ? 1 : 0;
  const end = stringIndexOf(name, "/");
  return INSTEAD[stringSlice(name, start, end < 0 ? undefined : end)];
}
