//# title = "import() of a name that is only known when it runs throws"
//# differsFromNode = "Node has the module fs"
//# [expect]
//# result = "[\"TypeError\",\"cannot import 'fs': only the program's own files can be imported\"]"
const name = ["f", "s"].join("");
try {
  await import(name);
} catch (error) {
  return [error.name, error.message];
}
