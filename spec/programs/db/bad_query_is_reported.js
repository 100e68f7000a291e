async function tryQuery(sql) {
  try {
    const { rows } = await tools.db.query({ sql });
    return { ok: true, rows: rows.length };
  } catch (err) {
    return { ok: false, error: err.message, code: err.code ?? 'UNKNOWN', type: err.constructor === Error };
  }
}
return [await tryQuery('SELECT * FROM accounts'), await tryQuery('DROP TABLE users')];
