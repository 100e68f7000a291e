// Punycode: RFC 3492 with its parameters for domain names.

const PUNYCODE_BASE = 36;
const PUNYCODE_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";

function encodePunycode(label) {
  const codes = Array.from(label, (character) => character.codePointAt(0));
  let text = codes.filter((code) => code < 0x80).map((code) => fromCodePoint(code)).join("");
  const basic = text.length;
  if (basic > 0) text += "-";
  let delta = 0;
  let bias = 72;
  let done = basic;
  for (let next = 0x80; done < codes.length; next++) {
    const code = codes.reduce((least, one) => (one >= next && one < least ? one : least), 0x110000);
    delta += (code - next) * (done + 1);
    next = code;
    for (const one of codes) {
      if (one < next) delta++;
      if (one !== next) continue;
      text += punycodeNumber(delta, bias);
      bias = adaptBias(delta, done + 1, done === basic);
      delta = 0;
      done++;
    }
    delta++;
  }
  return text;
}

/** The label, or undefined when the text is no Punycode. */
function decodePunycode(text) {
  const split = text.lastIndexOf("-");
  const codes = Array.from(text.slice(0, Math.max(split, 0)), (character) => character.codePointAt(0));
  if (codes.some((one) => one >= 0x80)) return undefined;
  let code = 0x80;
  let at = 0;
  let bias = 72;
  for (let read = split + 1; read < text.length;) {
    const before = at;
    let weight = 1;
    for (let position = PUNYCODE_BASE; ; position += PUNYCODE_BASE) {
      const digit = read < text.length ? PUNYCODE_DIGITS.indexOf(text[read++].toLowerCase()) : -1;
      if (digit < 0) return undefined;
      at += digit * weight;
      if (at > 0x7fffffff) return undefined;
      const threshold = punycodeThreshold(position, bias);
      if (digit < threshold) break;
      weight *= PUNYCODE_BASE - threshold;
    }
    bias = adaptBias(at - before, codes.length + 1, before === 0);
    code += Math.floor(at / (codes.length + 1));
    at %= codes.length + 1;
    if (code > 0x10ffff) return undefined;
    codes.splice(at++, 0, code);
  }
  return codes.map((one) => fromCodePoint(one)).join("");
}

function punycodeNumber(value, bias) {
  let text = "";
  for (let position = PUNYCODE_BASE; ; position += PUNYCODE_BASE) {
    const threshold = punycodeThreshold(position, bias);
    if (value < threshold) return text + PUNYCODE_DIGITS[value];
    text += PUNYCODE_DIGITS[threshold + (value - threshold) % (PUNYCODE_BASE - threshold)];
    value = Math.floor((value - threshold) / (PUNYCODE_BASE - threshold));
  }
}

function punycodeThreshold(position, bias) {
  return Math.min(Math.max(position - bias, 1), 26);
}

function adaptBias(delta, count, isFirst) {
  delta = Math.floor(delta / (isFirst ? 700 : 2));
  delta += Math.floor(delta / count);
  let steps = 0;
  for (; delta > 455; steps += PUNYCODE_BASE) delta = Math.floor(delta / 35);
  return steps + Math.floor(36 * delta / (delta + 38));
}
