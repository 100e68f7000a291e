// The forms in which models write programs.

import { Script } from 'node:vm';

/** Programs above this size are not looked at closely. */
const MAXIMUM = 1_000_000;

/** Removes a Markdown fence, and makes an async arrow function of every form of a program. */
export function normalizeCode(code: string): string {
  const bare = unfenced(code);
  if (bare === '') return 'async () => {}';
  const exported = /^export\s+default\s+([^]+)$/.exec(bare)?.[1]?.replace(/;+$/, '');
  if (exported !== undefined && isExpression(exported)) return isFunction(exported) && !exported.includes('=>') ? called(exported) : normalizeCode(exported);
  if (isFunction(bare)) return /^(async\b\s*)?function\b/.test(bare) ? called(bare) : bare;
  return `async () => {\n${returning(bare)}\n}`;
}

/** Returns the text that runs a program in Isobox: a function is called, anything else is a body or a module. */
export function body(code: string): string {
  const bare = unfenced(code);
  return isFunction(bare) ? `return await (${bare}\n)();` : bare;
}

/** Tells whether a program is one function, and nothing else. */
export function isFunction(code: string): boolean {
  const head = /^(async\b\s*)?(function\b\s*\*?\s*[\w$]*\s*[(<]|(\([^()]*(?:\([^()]*\)[^()]*)*\)|[A-Za-z_$][\w$]*)\s*(:[^=]+)?=>)/;
  if (!head.test(code)) return false;
  if (isExpression(code)) return true;
  // JavaScript of another form. In TypeScript, a function ends with its last brace, and an arrow function may end with anything.
  if (parses(`(async () => {\n${code}\n})`)) return false;
  return !/^(async\b\s*)?function\b/.test(code) || code.endsWith('}');
}

/** Removes a Markdown fence. */
export function unfenced(code: string): string {
  const fenced = /^\s*```(?:js|javascript|ts|typescript|jsx|tsx)?[^\S\n]*\n([^]*?)\n?```\s*$/.exec(code);
  return (fenced?.[1] ?? code).trim().replace(/;+$/, '');
}

function called(code: string): string {
  return `async () => {\nreturn (${code})();\n}`;
}

/** Makes the last expression of a body its result. */
function returning(code: string): string {
  if (isExpression(code)) return `return (${code})`;
  if (code.length > MAXIMUM) return code;
  const ends = [...code.matchAll(/[;\n}]/g)].map(({ index }) => index + 1).reverse();
  for (const end of ends.slice(0, 100)) {
    const [before, last] = [code.slice(0, end), code.slice(end).trim()];
    // Such a line would continue the one before.
    if (last === '' || (!before.endsWith(';') && /^[([`+\-*/.,?&|]/.test(last))) continue;
    if (isExpression(last) && parses(`(async () => {\n${before}\n})`)) return `${before}\nreturn (${last})`;
  }
  return code;
}

function isExpression(code: string): boolean {
  return !/^\s*\{[^]*\}\s*$/.test(code) && parses(`(async () => (${code}\n))`);
}

/** Tells whether a text is JavaScript. It is not run. */
function parses(text: string): boolean {
  if (text.length > MAXIMUM) return false;
  try {
    new Script(text);
    return true;
  } catch {
    return false;
  }
}
