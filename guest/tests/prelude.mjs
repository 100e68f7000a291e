// Compares the prelude with what Node has of the same: node guest/tests/prelude.mjs

import { finish, requirePinnedNode } from "./check.mjs";
import { loadPrelude } from "./load.mjs";
import { testConsole } from "./console.mjs";
import { testClone } from "./clone.mjs";
import { testEncoding } from "./encoding.mjs";
import { testEvents } from "./events.mjs";
import { testIntl } from "./intl.mjs";
import { testSearchParams, testURL } from "./url.mjs";

requirePinnedNode();

// Where the prelude is meant to differ from Node 24. An entry that stops differing is a failure.
const KNOWN = new Set([
  // Nothing but a fragment is relative to an opaque path; for Node, anything with a fragment is.
  'URL "?#" on "data:opaque"', 'URL "?#" on "about:blank"', 'URL "p?x#y" on "data:opaque"',
    'URL "p?x#y" on "about:blank"',
  'URL "//#" on "data:opaque"', 'URL "//#" on "about:blank"',
  // A host that a URL gets where it had none may be empty.
  'foo:/p host = ""', 'foo:/p hostname = ""',
  // Only the first character of a stream can be a byte order mark. Node decodes the end of a sequence that the chunk
  // before left incomplete on its own, to U+FFFD, and then takes a mark that follows for the first character.
  'decode utf-8 {"fatal":false,"ignoreBOM":false} 241,128,239,187,191,237,160,128,128,128 at 1,5',
  'decode utf-8 {"fatal":false,"ignoreBOM":false} 240,159,152,239,187,191,240,159,152,240,159,152,61,216,0,222 at 2,13',
  'decode utf-8 {"fatal":false,"ignoreBOM":false} 226,130,248,239,187,191,254,255,61,216,0,222 at 1,8',
  // Refused by Node; nothing here tells an arguments object from a plain one.
  "clone arguments",
]);

testURL(loadPrelude(), KNOWN);
testSearchParams(loadPrelude(), KNOWN);
testEncoding(loadPrelude(), KNOWN);
testClone(loadPrelude(), KNOWN);
testEvents(loadPrelude(), KNOWN);
const { run } = loadPrelude();
testIntl((body) => run(`(() => { ${body} })()`), KNOWN);
await testConsole(loadPrelude);
finish(KNOWN);
