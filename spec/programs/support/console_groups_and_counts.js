console.group('Tickets');
for (const t of await tools.support.tickets.list({ status: 'open' })) {
  console.log(`${t.id}: ${t.subject}`);
  console.count(t.priority);
}
console.groupEnd();
console.count('high');
console.countReset('high');
console.count('high');
console.assert(1 === 1, 'never shown');
console.assert(1 === 2, 'math is broken');
console.debug('debug', 1, true, null, undefined);
console.info('%s has %i items (%f) %%', 'cart', 3.7, 1.5);
console.log();
console.error('failed:', 'badly');
return 'logged';
