// Removes the paths of a host from stack traces.

import { shown } from '../schema';

/** The characters of a path inside a trace: it ends at white space, at a closing bracket, at a quote and at a comma. */
const REST = `[^\\s)\\]>"',]+`;

/** What takes the place of a path, by the text that the path begins with. The first one that fits counts. */
const PLACES: readonly [start: string, place: string][] = [
  ['file://', '<sandbox>'],
  [String.raw`\\\\`, '<unc>'],
  [String.raw`[A-Za-z]:\\(?:Users|Documents and Settings)\\`, '<home>'],
  [String.raw`[A-Za-z]:\\`, '<path>'],
  ['/(?:Users|home)/', '/<home>'],
  ['/private/var/', '<tmp>'],
  ['/var/task/', '<task>'],
  ['/tmp/', '<tmp>'],
  ['/opt/', '<opt>'],
  ['/usr/local/', '<usr-local>'],
  ['/app/', '<app>'],
  ['/srv/', '<srv>'],
  ['/workspace/', '<workspace>'],
  ['/data/', '<data>'],
  ['/etc/', '<etc>'],
  ['/root/', '<root>'],
];

const PATTERNS = PLACES.map(([start, place]) => [new RegExp(start + REST, 'g'), place] as const);

/** The path of a frame that begins in no known folder: `at run (/mnt/app.js:1:2)`. */
const FRAME = /(?<=\bat |\()\/[^\s():]+(?=:\d+:\d+)/g;

/** Removes the paths of files of the host from a stack trace. */
export function sanitizeStack(stack: string | undefined): string {
  if (stack === undefined || stack === null) return '';
  if (typeof stack !== 'string') throw new TypeError(`sanitizeStack: \`stack\` is ${shown(stack)}; expected a string or undefined`);
  return PATTERNS.reduce((text, [pattern, place]) => text.replace(pattern, place), stack).replace(FRAME, '<path>');
}
