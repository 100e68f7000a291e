const assert = require('node:assert/strict');
const customer = await tools.crm.customers.get({ id: 'cus_001' });
assert.ok(customer.name);
assert.equal(customer.country, 'DE');
assert.deepEqual(customer.tags, ['vip', 'eu']);
assert.throws(() => { throw new TypeError('bad'); }, TypeError);
await assert.rejects(tools.crm.customers.get({ id: 'none' }), /not found/);
const failures = [];
for (const check of [() => assert.equal(1, 2, 'one is not two'), () => assert(false, 'falsy'), () => assert.notEqual(1, 1, 'same')]) {
  try { check(); } catch (e) { failures.push(`${e.name} ${e.code}: ${e.message}`); }
}
return failures;
