//# title = "errors while disposing are suppressed errors"
//# [expect]
//# result = '["SuppressedError","dispose","body"]'
try {
  using a = { [Symbol.dispose]() { throw new Error("dispose"); } };
  throw new Error("body");
} catch (error: any) {
  return [error.name, error.error.message, error.suppressed.message];
}
