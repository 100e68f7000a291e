const { content } = await tools.files.read({ path: "text/article.txt" });
const stop = new Set(["the", "of", "it", "was", "a", "so"]);
const words = content.toLowerCase().match(/\p{L}[\p{L}'’-]*/gu) ?? [];
const frequency = new Map<string, number>();
for (const word of words) if (!stop.has(word)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
const top = [...frequency].sort((a, b) => b[1] - a[1] || (a[0] > b[0] ? 1 : -1)).slice(0, 6);
const sentences = content.split(/(?<=[.!?])\s+(?=[A-Z“])/u).length;
return { words: words.length, unique: frequency.size, top, sentences, longest: words.reduce((l, w) => (w.length > l.length ? w : l), "") };
