const graphemes = (s) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(s)].map((x) => x.segment);
const words = (s) => [...new Intl.Segmenter('en', { granularity: 'word' }).segment(s)].filter((x) => x.isWordLike).map((x) => x.segment);
const { content } = await tools.files.read({ path: 'text/article.txt' });
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
return {
  family: graphemes('👨‍👩‍👧 né'),
  words: words(content).slice(0, 8),
  numeric: ['file10', 'File2', 'file1'].sort(collator.compare),
  swedish: ['z', 'ö', 'a', 'å'].sort(new Intl.Collator('sv').compare),
  german: ['z', 'ö', 'a', 'ä'].sort(new Intl.Collator('de').compare),
  equal: collator.compare('Résumé', 'resume') === 0,
};
