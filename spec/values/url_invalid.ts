//# title = "an address that is none is a TypeError"
//# [expect]
//# result = '[true,false,true]'
try {
  new URL("not an address");
} catch (error) {
  return [error instanceof TypeError, URL.canParse("/x"), URL.canParse("/x", "https://a.b")];
}
