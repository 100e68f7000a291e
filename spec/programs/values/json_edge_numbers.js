const { rows } = await tools.db.query({ sql: 'SELECT * FROM accounts' });
return {
  max: rows[2][2] === Number.MAX_SAFE_INTEGER,
  numbers: [1e21, 1e-7, 123456789012345680000, 0.1 + 0.2, -0, 5e-324, 1.7976931348623157e308, 100.0],
  texts: [1e21, 1e-7, 0.000001, 1e300].map(String),
  parsed: JSON.parse('[1.0, 1e3, -0, 12345678901234567890]'),
  keys: { b: 1, a: 2, 10: 'ten', 2: 'two', [-1]: 'minus' },
};
