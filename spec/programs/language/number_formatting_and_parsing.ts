const raw = ["1,490.00", "990", "€ 1.234,56", "12%", "0x1F", "1e3", "", " 42 ", "abc", "٣"];
const { rows } = await tools.db.query({ sql: "SELECT region, SUM(revenue) FROM sales GROUP BY region" });
return {
  number: raw.map((r) => Number(r)),
  parseFloat: raw.map((r) => parseFloat(r)),
  parseInt: ["08", "0b11", "12px", "-0"].map((r) => parseInt(r)),
  radix: [(255).toString(2), (0.5).toString(16), (-255).toString(36), parseInt("zz", 36)],
  fixed: rows.map((r) => (+r[1] * 1.19).toFixed(2)),
  precision: [(1234.5678).toPrecision(6), (0.00001234).toPrecision(2), (1e21).toFixed(2)],
  thousands: rows.map((r) => r[1].replace(/\B(?=(\d{3})+(?!\d))/g, ",")),
  sep: 1_000_000 + 0b1010 + 0o17 + 0xff,
  clz: [Math.clz32(1), Math.imul(0xffffffff, 5), Math.fround(5.5), Math.hypot(3, 4), Math.cbrt(27), Math.log2(8), Math.sign(-3)],
  safe: [Number.isSafeInteger(2 ** 53), Number.isInteger(5.0), (25).toString().padStart(5, "0")],
};
