//# title = "URL takes addresses apart and puts them together"
//# [expect]
//# result = '["https://user:pw@example.com:8080/a/b/d%20e?x=1&y=+&z=%C3%A4+b#h", "https://example.com:8080", "example.com:8080", "8080", "user", "?x=1&y=+&z=%C3%A4+b", "#h", "http://example.com/%7Ea/b", "{\"u\":\"https://user:pw@example.com:8080/a/b/d%20e?x=1&y=+&z=%C3%A4+b#h\"}"]'
const u = new URL("../b?x=1&y=%20#h", "https://user:pw@example.com:8080/a/c/");
u.searchParams.append("z", "ä b");
u.pathname += "/d e";
return [u.href, u.origin, u.host, u.port, u.username, u.search, u.hash, String(new URL("HTTP://EXAMPLE.com:80/%7Ea/./b")), JSON.stringify({ u })];
