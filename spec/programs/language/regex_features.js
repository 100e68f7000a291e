const text = 'Prices: $12.50, €7, £1,200.00 — total 3 items; ids: A-1 B-22 c-333';
const sticky = /\w-\d+/y;
sticky.lastIndex = text.indexOf('A-1');
const { content } = await tools.files.read({ path: 'text/article.txt' });
return {
  named: text.replace(/(?<cur>[$€£])(?<num>[\d.,]*\d)/gu, (...args) => { const g = args.at(-1); return `${g.num}${g.cur}`; }),
  lookbehind: text.match(/(?<=[$€£])[\d,.]*\d/g),
  negative: 'foobar foobaz'.replace(/foo(?!bar)/g, 'X'),
  sticky: [sticky.exec(text)[0], sticky.lastIndex, sticky.test(text)],
  split: 'a1b22c'.split(/(\d+)/),
  unicode: content.match(/\p{Script=Latin}+é/u)?.[0],
  quotes: content.match(/\p{Pi}.*?\p{Pf}/gu),
  indices: /(?<y>\d{4})-(?<m>\d\d)/d.exec('on 2025-02').indices.groups.m,
  dotAll: /a.b/s.test('a\nb'),
  backref: /(['"]).*?\1/.exec(`say "it's"`)[0],
  set: 'aÄ9'.match(/[\p{L}--[a-z]]/v)?.[0],
  replaceAll: 'a.b.c'.replaceAll('.', '$&$&'),
  specials: 'John Smith'.replace(/(\w+)\s(\w+)/, '$2, $1 [$`|$\']'),
};
