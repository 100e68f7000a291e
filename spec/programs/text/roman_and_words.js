const roman = (n) => [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]
  .reduce((out, [v, s]) => { while (n >= v) { out += s; n -= v; } return out; }, '');
const ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = ',,twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety'.split(',');
const words = (n) => n < 20 ? ones[n] : n < 100 ? tens[n / 10 | 0] + (n % 10 ? '-' + ones[n % 10] : '') : n < 1000 ? ones[n / 100 | 0] + ' hundred' + (n % 100 ? ' and ' + words(n % 100) : '') : words(n / 1000 | 0) + ' thousand' + (n % 1000 ? ' ' + words(n % 1000) : '');
const repos = await tools.github.repos.list({});
return repos.map((r) => ({ stars: r.stars, roman: roman(r.stars), words: words(r.stars * 7) }));
