// Cents stay integers; negative balances are shown in brackets
const { rows } = await tools.db.query({ sql: "SELECT * FROM accounts" });
type Account = readonly [id: number, owner: string, cents: number];
const show = ([, owner, cents]: Account): string => {
  const abs = Math.abs(cents);
  const text = `${Math.floor(abs / 100)}.${(abs % 100).toString().padStart(2, "0")}`;
  return `${owner.padEnd(6)}${(cents < 0 ? `(${text})` : text).padStart(20)}`;
};
function assertSafe(cents: number): asserts cents is number {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`${cents} is not safe`);
}
const statement = (rows as Account[]).map(show);
const errors: string[] = [];
for (const [, owner, cents] of rows as Account[]) {
  try { assertSafe(cents + 1); } catch (e) { errors.push(`${owner}: ${(e as RangeError).message}`); }
}
return { statement, errors };
