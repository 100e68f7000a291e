const sources = ['offline', 'replica', 'primary', 'cache'];
const fastest = await Promise.any(sources.map(source => tools.mirror.fetch({ source })));
const raced = await Promise.race(['primary', 'cache'].map(source => tools.mirror.fetch({ source })));
return { fastest, raced };
