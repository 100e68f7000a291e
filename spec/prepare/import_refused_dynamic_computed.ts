//# title = "import() of a name that is only known when it runs throws"
//# differsFromNode = "Node has the module fs"
//# [expect]
//# result = "[\"TypeError\",\"cannot import 'fs': there is no file system here; call a tool, or keep data in variables and return it\"]"
const name = ["f", "s"].join("");
try {
  await import(name);
} catch (error) {
  return [error.name, error.message];
}
