//# title = "arrays"
//# [expect]
//# result = '[[1, 2, 3], [3, 2, 1], [1, 2, 3], 3, [5, 2], [0, 1, 4], false, true, ["a", "ñ", "😀"], [2, 3, 3], [1, 10, 5], [1, 5, 10], [2, 3], [1], "321"]'
return [[3, 1, 2].sort(), [1, 2, 3].toReversed(), [[1], [2, [3]]].flat(Infinity), [1, 2, 3, 4].findLast((n) => n % 2), [1, 2].with(0, 5), Array.from({ length: 3 }, (_, i) => i * i), [1, 2, 3].includes(NaN), [NaN].includes(NaN), [..."añ😀"], [1, 2, 3].copyWithin(0, 1), [5, 1, 10].sort(), [5, 1, 10].sort((a, b) => a - b), [1, 2, 3, 4].splice(1, 2), Array.of(7).fill(1), [1, 2, 3].reduceRight((a, b) => a + "" + b)];
