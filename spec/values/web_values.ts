//# title = "Response, Headers, Blob and FormData are values that can be made and read"
//# [expect]
//# result = '[{"a":1},201,true,"application/json","ab",2,"b"]'
const response = Response.json({ a: 1 }, { status: 201 });
const form = new FormData();
form.append("a", "b");
const blob = new Blob(["a", "b"]);
return [await response.clone().json(), response.status, response.ok, response.headers.get("Content-Type"), await blob.text(), blob.size, form.get("a")];
