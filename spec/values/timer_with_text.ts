//# title = "setTimeout with text is refused"
//# [expect]
//# result = '"TypeError"'
try {
  setTimeout("globalThis.x = 1" as any, 0);
} catch (error) {
  return error.name;
}
