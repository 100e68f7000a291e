// Compares the prelude with what Node has of the same: node guest/tests/prelude.mjs

import { finish } from "./check.mjs";
import { loadPrelude } from "./load.mjs";
import { testConsole } from "./console.mjs";
import { testClone } from "./clone.mjs";
import { testEncoding } from "./encoding.mjs";
import { testEvents } from "./events.mjs";
import { testSearchParams, testURL } from "./url.mjs";

// Where the prelude is meant to differ from Node 20. An entry that stops differing is a failure.
const KNOWN = new Set([
  // The path of a URL that is not special keeps its slash when its last segment goes away.
  'URL ".." on "foo:/"', 'URL "../.." on "foo://h:1/a/b?c"', 'URL "../.." on "foo:/a/b"', 'URL "../.." on "foo:/"',
  'URL "TP://us:p:q@a.09xx/..?a?b#"', 'foo://h/p pathname = ".."', 'foo://h/p pathname = "%2e%2e"',
    'foo:/p pathname = ".."',
  'foo:/p pathname = "%2e%2e"', 'foo:///p pathname = ".."', 'foo:///p pathname = "%2e%2e"',
    'foo://u:p@h:1/ pathname = ".."',
  'foo://u:p@h:1/ pathname = "%2e%2e"',
  // Nothing but a fragment is relative to an opaque path.
  'URL "?#" on "data:opaque"', 'URL "?#" on "about:blank"', 'URL "p?x#y" on "data:opaque"',
    'URL "p?x#y" on "about:blank"',
  'URL "//#" on "data:opaque"', 'URL "//#" on "about:blank"',
  // Punycode of nothing but ASCII is not valid.
  'URL "http://xn--a-"', 'URL "FTP://u@xn--bcher-/a/ax?a=1#"',
  // Changes of the standard since: opaque paths never end in a space, and ^ is percent-encoded in paths.
  'URL "foo:a b ?q"', 'URL "foo:a  #f"', 'URL "http://a/^"',
  // A port without a host.
  'foo://h/p host = ":99"', 'foo://u:p@h:1/ host = ":99"',
  // A host that a URL gets where it had none: it may be empty, and may come with a port.
  'foo:/p host = ""', 'foo:/p hostname = ""', 'foo:/p host = "x:99"', 'foo:/p host = "x:99y"',
    'foo:/p host = "[::2]:5"',
  'foo:/p host = "x:\\t9"', 'foo:///p host = "x:99"', 'foo:///p host = "x:99y"', 'foo:///p host = "[::2]:5"',
  'foo:///p host = "x:\\t9"',
  // null is no record, so it is a string.
  "URLSearchParams from null",
  // Refused there; nothing here tells an arguments object from a plain one.
  "clone arguments",
  // All dependent signals are aborted before the first listener runs; a passive listener cannot prevent.
  "events any", "events passive",
]);

testURL(loadPrelude(), KNOWN);
testSearchParams(loadPrelude(), KNOWN);
testEncoding(loadPrelude());
testClone(loadPrelude(), KNOWN);
testEvents(loadPrelude(), KNOWN);
await testConsole(loadPrelude);
finish(KNOWN);
