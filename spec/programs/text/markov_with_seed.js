// Deterministic text generation with a seeded generator (mulberry32)
function mulberry32(a) {
  return function () {
    a |= 0; a = a + 0x6D2B79F5 | 0;
    let t = Math.imul(a ^ a >>> 15, 1 | a);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}
const random = mulberry32(42);
const { content } = await tools.files.read({ path: 'text/article.txt' });
const words = content.split(/\s+/).filter(Boolean);
const chain = {};
for (let i = 0; i < words.length - 1; i++) (chain[words[i]] ||= []).push(words[i + 1]);
const out = ['It'];
while (out.length < 12 && chain[out.at(-1)]) out.push(chain[out.at(-1)][Math.floor(random() * chain[out.at(-1)].length)]);
return { text: out.join(' '), rolls: Array.from({ length: 5 }, () => 1 + Math.floor(random() * 6)), shuffled: [1, 2, 3, 4, 5].map((v) => [random(), v]).sort(([a], [b]) => a - b).map(([, v]) => v) };
