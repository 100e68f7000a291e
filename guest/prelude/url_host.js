// Hosts of URLs and percent-encoding: sections 1.3 and 3 of the URL Standard.

/** Matches what a percent-encode set contains: everything outside printable ASCII, and these characters. */
function percentEncodeSet(characters) {
  return new RegExp(`[^ -~]|[${characters.replace(/[\\\]^]/g, "\\$&")}]`, "gu");
}

const C0_CONTROL_SET = /[^ -~]/gu;
const FRAGMENT_SET = percentEncodeSet(' "<>`');
const QUERY_SET = percentEncodeSet(' "#<>');
const SPECIAL_QUERY_SET = percentEncodeSet(' "#<>\'');
const PATH_SET = percentEncodeSet(' "#<>?^`{}');
const USERINFO_SET = percentEncodeSet(' "#<>?^`{}/:;=@[\\]|');
const FORM_SET = /[^ *\-.0-9A-Z_a-z]/gu;

const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const FORBIDDEN_DOMAIN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

const IGNORED_IN_DOMAIN = new RegExp(
  "[\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    + "\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0100}-\u{e01ef}]", "gu");
const DISALLOWED_IN_DOMAIN =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Z}\u2ff0-\u2fff\u31ef\ufffc\ufffd]/u;

function percentEncode(text, set) {
  return text.replace(set, (character) => {
    const code = character.codePointAt(0);
    return code > 0x7f ? encodeURIComponent(character) : "%" + code.toString(16).toUpperCase().padStart(2, "0");
  });
}

function percentDecode(text) {
  if (!text.includes("%")) return text;
  const bytes = new Uint8Array(encodeUtf8(text));
  let size = 0;
  for (let at = 0; at < bytes.length; at++, size++) {
    const high = bytes[at] === 0x25 ? hexDigit(bytes[at + 1]) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2]);
    if (low >= 0) at += 2;
    bytes[size] = low >= 0 ? high * 16 + low : bytes[at];
  }
  return decodeLossy(bytes.subarray(0, size));
}

function hexDigit(code) {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The serialised host, or undefined when it is none. */
function parseHost(text, isSpecial) {
  if (text.startsWith("[")) {
    const pieces = text.endsWith("]") ? parseIPv6(text.slice(1, -1)) : undefined;
    return pieces && `[${serializeIPv6(pieces)}]`;
  }
  if (!isSpecial) return FORBIDDEN_HOST.test(text) ? undefined : percentEncode(text, C0_CONTROL_SET);
  const domain = domainToASCII(percentDecode(text));
  if (domain === undefined || domain === "" || FORBIDDEN_DOMAIN.test(domain)) return undefined;
  return endsInNumber(domain) ? parseIPv4(domain) : domain;
}

function endsInNumber(domain) {
  const parts = domain.split(".");
  if (parts.at(-1) === "" && parts.length > 1) parts.pop();
  return /^([0-9]+|0x[0-9a-f]*)$/i.test(parts.at(-1));
}

function parseIPv4(domain) {
  const parts = domain.split(".");
  if (parts.at(-1) === "" && parts.length > 1) parts.pop();
  if (parts.length > 4) return undefined;
  const numbers = parts.map(parseIPv4Number);
  const last = numbers.pop();
  if (!(last < 256 ** (4 - numbers.length)) || !numbers.every((number) => number < 256)) return undefined;
  const address = numbers.reduce((sum, number, at) => sum + number * 256 ** (3 - at), last);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");
}

function parseIPv4Number(text) {
  if (/^0x[0-9a-f]*$/i.test(text)) return text.length === 2 ? 0 : parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return parseInt(text, 8);
  return /^[1-9][0-9]*$/.test(text) ? parseInt(text, 10) : NaN;
}

function parseIPv6(text) {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const before = parsePieces(halves[0], halves.length === 1);
  if (halves.length === 1) return before?.length === 8 ? before : undefined;
  const after = parsePieces(halves[1], true);
  const zeros = before && after ? 8 - before.length - after.length : 0;
  return zeros > 0 ? [...before, ...new Array(zeros).fill(0), ...after] : undefined;
}

function parsePieces(text, mayEndInIPv4) {
  if (text === "") return [];
  const words = text.split(":");
  const pieces = [];
  for (const [at, word] of words.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(word)) {
      pieces.push(parseInt(word, 16));
      continue;
    }
    const bytes = word.split(".");
    const isIPv4 = bytes.length === 4 && bytes.every((byte) => /^(0|[1-9][0-9]{0,2})$/.test(byte) && byte < 256);
    if (!isIPv4 || !mayEndInIPv4 || at !== words.length - 1) return undefined;
    pieces.push(bytes[0] * 256 + +bytes[1], bytes[2] * 256 + +bytes[3]);
  }
  return pieces.length > 8 ? undefined : pieces;
}

function serializeIPv6(pieces) {
  let start = -1;
  let length = 1;
  for (let at = 0; at < 8; at++) {
    let end = at;
    while (end < 8 && pieces[end] === 0) end++;
    if (end - at > length) {
      start = at;
      length = end - at;
    }
    at = Math.max(at, end - 1);
  }
  const hex = (some) => some.map((piece) => piece.toString(16)).join(":");
  return start < 0 ? hex(pieces) : `${hex(pieces.slice(0, start))}::${hex(pieces.slice(start + length))}`;
}

/**
 * Domain to ASCII: NFKC and lower case stand for the mapping of UTS 46, which is that and a table of exceptions; the
 * bidirectional and joiner rules are not checked. Undefined when the domain is not valid.
 */
function domainToASCII(domain) {
  if (/^[\0-\x7f]*$/.test(domain) && !/(^|\.)xn--/i.test(domain)) return domain.toLowerCase();
  if (Array.from(domain).some(isHiddenDot)) return undefined;
  const labels = mapDomain(domain).split(".").map((label) => {
    if (label.startsWith("xn--")) return isValidPunycode(label.slice(4)) ? label : undefined;
    if (/^[\0-\x7f]*$/.test(label)) return label;
    return isValidLabel(label) ? "xn--" + encodePunycode(label) : undefined;
  });
  return labels.includes(undefined) ? undefined : labels.join(".");
}

/** Whether a character that is no dot becomes one when it is normalised. */
function isHiddenDot(character) {
  return !/[.\u3002\uff0e\uff61]/.test(character) && /[.\u3002]/.test(character.normalize("NFKC"));
}

function mapDomain(domain) {
  // Character by character: the lower case of a whole word knows a final sigma.
  const lower = (text) => Array.from(text, (character) => character.toLowerCase()).join("");
  const kept = domain.replace(IGNORED_IN_DOMAIN, "");
  return lower(lower(kept).normalize("NFKC")).normalize("NFKC").replace(/\u3002/g, ".");
}

function isValidLabel(label) {
  return !/^\p{M}/u.test(label) && !DISALLOWED_IN_DOMAIN.test(label);
}

function isValidPunycode(text) {
  const label = decodePunycode(text);
  return label !== undefined && /[^\0-\x7f]/.test(label) && isValidLabel(label) && mapDomain(label) === label;
}
