import { check, compare, generator, outcome } from "./check.mjs";
import { POLLUTE } from "./load.mjs";

const SNIPPETS = [
  [0x61], [0xc3, 0xa9], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0xef, 0xbb, 0xbf], [0xff], [0xc0, 0x80], [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0xaf], [0x80], [0xf8], [0x00], [0xfe,
  0xff], [0xff, 0xfe],
  [0x3d, 0xd8, 0x00, 0xde], [0x00, 0xdc], [0x3d, 0xd8], [0x81, 0x9f], [0xf1, 0x80],
];
const TEXTS = ["", "abc", "é€😀", "\ud800", "a\udc00b", "\ufeffx", "\0", "a".repeat(300) + "é", undefined, 5];
const LABELS = [
  "utf-8", "UTF8", " utf-8\n", "unicode-1-1-utf-8", "utf-16le", "utf-16", "ucs-2", "latin1", "iso-8859-1", "ascii",
  "windows-1252", "cp1252",
  "nope", "", "utf-7", "utf-8\0", "\u00a0utf-8",
];

export function testEncoding({ context, run }, known) {
  const { TextEncoder: Encoder, TextDecoder: Decoder } = context;
  for (const text of TEXTS) {
    check(`encode ${JSON.stringify(text)}`, [...new Encoder().encode(text)], [...new TextEncoder().encode(text)]);
    for (let size = 0; size < 12; size++) {
      const into = (encoder, bytes) => ({ ...encoder.encodeInto(String(text), bytes), bytes: [...bytes] });
      check(`encodeInto ${JSON.stringify(text)} ${size}`, into(new Encoder(), new Uint8Array(size)),
        into(new TextEncoder(), new Uint8Array(size)));
    }
  }
  for (const label of LABELS) {
    compare(`label ${JSON.stringify(label)}`, () => new Decoder(label).encoding, () => new TextDecoder(label).encoding);
  }
  check("other encodings are refused", outcome(() => new Decoder("shift_jis")), { thrown: "RangeError" });

  const { next, pick } = generator(7);
  for (let round = 0; round < 4000; round++) {
    const bytes = Uint8Array.from(Array.from({ length: next(6) }, () => pick(SNIPPETS)).flat());
    const cuts = Array.from({ length: next(3) }, () => next(bytes.length + 1)).sort((a, b) => a - b);
    const label = pick(["utf-8", "utf-8", "utf-16le", "latin1"]);
    const options = { fatal: next(3) === 0, ignoreBOM: next(2) === 0 };
    const decode = (constructor) => () => {
      const decoder = new constructor(label, options);
      const texts = [];
      let from = 0;
      for (const cut of cuts) {
        texts.push(decoder.decode(bytes.subarray(from, cut), { stream: true }));
        from = cut;
      }
      texts.push(decoder.decode(bytes.subarray(from)), decoder.decode(bytes.slice().buffer), decoder.decode());
      return texts;
    };
    compare(`decode ${label} ${JSON.stringify(options)} ${[...bytes]} at ${cuts}`, decode(Decoder),
      decode(TextDecoder), known);
  }
  const decoder = new Decoder();
  check("a byte order mark after an incomplete sequence stays",
    decoder.decode(Uint8Array.of(0xf1), { stream: true }) + decoder.decode(Uint8Array.of(0x80, 0xef, 0xbb, 0xbf)),
    "\ufffd\ufeff");
  check("decodes a DataView", new Decoder().decode(new DataView(Uint8Array.of(1, 97, 98, 2).buffer, 1, 2)), "ab");
  check("decode takes bytes only", outcome(() => new Decoder().decode("abc")), { thrown: "TypeError" });
  const all = Uint8Array.from({ length: 256 }, (_, at) => at);
  check("all of windows-1252", new Decoder("latin1").decode(all), new TextDecoder("latin1").decode(all));
  check("encoding works with polluted prototypes", run(`
    ${POLLUTE}
    new TextDecoder("utf-8").decode(new TextEncoder().encode("é€")) + new TextDecoder("latin1").decode(Uint8Array.of(128))`), "é€€");
}
