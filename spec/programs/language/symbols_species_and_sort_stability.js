const tickets = await tools.support.tickets.list({});
const order = { urgent: 0, high: 1, medium: 2, low: 3 };
const stable = [...tickets].sort((a, b) => order[a.priority] - order[b.priority]).map((t) => t.id);
const natural = tickets.map((t) => t.id).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
const lexical = tickets.map((t) => t.id).sort();
const mixed = [10, 9, 1, undefined, '2', null, 100].sort();
const many = Array.from({ length: 100 }, (_, i) => ({ k: i % 3, i })).sort((a, b) => a.k - b.k);
return { stable, natural, lexical, mixed, isStable: many.every((x, n) => n === 0 || many[n - 1].k < x.k || many[n - 1].i < x.i), reversed: lexical.toReversed(), with: lexical.with(-1, 'X'), spliced: [1, 2, 3].toSpliced(1, 1, 'a', 'b'), copy: [1, 2, 3, 4, 5].copyWithin(0, 3) };
