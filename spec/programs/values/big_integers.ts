const factorial = (n: bigint): bigint => (n <= 1n ? 1n : n * factorial(n - 1n));
const fib = (n: number) => { let [a, b] = [0n, 1n]; while (n-- > 0) [a, b] = [b, a + b]; return a; };
const { rows } = await tools.db.query({ sql: "SELECT * FROM accounts" });
const cents = rows.map((r) => BigInt(r[2]));
return {
  f: factorial(25n),
  fib: fib(150),
  sum: cents.reduce((a, b) => a + b, 0n),
  hex: (255n ** 5n).toString(16),
  mod: BigInt.asUintN(8, -1n),
  mixed: Number(cents[0]) / 100,
  compare: [1n < 2, 2n == (2 as any), typeof 1n],
};
