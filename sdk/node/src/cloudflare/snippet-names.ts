// The names of snippets. Those of Isobox are identifiers, and belong to a store; these are any texts, and belong to a runtime.

/** Returns the start of the names of a runtime's snippets in the store. */
export function scopeOf(runtime: string): string {
  return `${encode(runtime).replace(/^\d/, (digit) => `_${digit.codePointAt(0)?.toString(16)}_`)}$`;
}

/** Returns a name as a part of an identifier. */
export function encode(name: string): string {
  return name.replace(/[^A-Za-z0-9]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16)}_`);
}

/** Returns the name that was encoded. */
export function decode(encoded: string): string {
  return encoded.replace(/_([0-9a-f]+)_/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** `encode` and `decode` for programs. */
export const NAMES =
  'encode=(n)=>n.replace(/[^A-Za-z0-9]/gu,(l)=>"_"+l.codePointAt(0).toString(16)+"_"),' +
  'decode=(e)=>e.replace(/_([0-9a-f]+)_/g,(_,c)=>String.fromCodePoint(parseInt(c,16)))';
