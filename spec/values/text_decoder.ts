//# title = "TextDecoder reads UTF-8, also in pieces and with errors"
//# [expect]
//# result = '[["", "\u20ac"], "a\ufffdb", "a", "TypeError", "a", "\u00e4"]'
const d = new TextDecoder();
const parts = [d.decode(new Uint8Array([226, 130]), { stream: true }), d.decode(new Uint8Array([172]))];
let fatal;
try {
  new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]));
} catch (error) {
  fatal = error.name;
}
return [parts, d.decode(new Uint8Array([97, 255, 98])), d.decode(new Uint8Array([239, 187, 191, 97])), fatal, new TextDecoder("utf-16le").decode(new Uint8Array([97, 0])), new TextDecoder("latin1").decode(new Uint8Array([228]))];
