//# title = "URLPattern matches addresses and names their parts"
//# [expect]
//# result = '["42",false]'
const pattern = new URLPattern({ pathname: "/books/:id(\\d+)" });
return [pattern.exec("https://example.com/books/42")?.pathname.groups.id, pattern.test("https://example.com/books/x")];
