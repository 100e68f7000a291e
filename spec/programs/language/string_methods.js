const { content } = await tools.files.read({ path: 'data/old.txt' });
const lines = content.trim().split('\n');
return {
  title: lines[0].split(' ').map((w) => w.charAt(0).toUpperCase() + w.slice(1)).join(' '),
  camel: 'hello_world-foo bar'.replace(/[_\-\s]+(.)?/g, (_, c) => (c ? c.toUpperCase() : '')),
  snake: 'HTTPServerError404Page'.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2').toLowerCase(),
  reverse: [...'añb😀c'].reverse().join(''),
  at: [lines[0].at(-1), lines[0].at(99)],
  codePoints: [...'A😀'].map((c) => c.codePointAt(0).toString(16)),
  substr: ['abcdef'.substr(-3, 2), 'abcdef'.substring(4, 1), 'abcdef'.slice(-2)],
  pad: 'x'.padStart(5, 'ab') + '|' + 'y'.padEnd(4, '-'),
  trim: ['  a ', '\u00a0b\ufeff'].map((s) => s.trim()),
  upper: ['straße'.toUpperCase(), 'İ'.toLowerCase().length, 'ǆ'.toUpperCase()],
  includes: lines.filter((l) => l.includes('o')).length,
  count: content.split('the').length - 1,
  cmp: ['a' < 'B', 'a'.localeCompare('B'), 'résumé'.localeCompare('resume'), ['b', 'a', 'C', 'ä'].sort().join('')],
  concat: 'a'.concat(1, null, [2, 3]), repeat: '='.repeat(10), last: 'canal'.lastIndexOf('a'), search: 'x=1'.search(/\d/),
};
