const products = await tools.inventory.products.list({ category: "displays" });
const nf = (locale: string, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
return {
  prices: products.map((p) => nf("en-US", { style: "currency", currency: "USD" }).format(p.price)),
  german: products.map((p) => nf("de-DE", { style: "currency", currency: "EUR" }).format(p.price * 1000)),
  indian: nf("en-IN", { maximumFractionDigits: 0 }).format(12345678.9),
  compact: [999, 1234, 1500000, 2.5e9].map((n) => nf("en", { notation: "compact", maximumFractionDigits: 1 }).format(n)),
  percent: nf("en-US", { style: "percent", minimumFractionDigits: 1 }).format(0.1234),
  unit: nf("en-US", { style: "unit", unit: "kilometer-per-hour" }).format(88),
  bytes: nf("en", { style: "unit", unit: "megabyte", unitDisplay: "narrow" }).format(12.5),
  sign: nf("en-US", { signDisplay: "exceptZero" }).format(5),
  significant: nf("en-US", { maximumSignificantDigits: 3 }).format(123456),
  accounting: nf("en-US", { style: "currency", currency: "USD", currencySign: "accounting" }).format(-42),
  padded: nf("en-US", { minimumIntegerDigits: 3, useGrouping: false }).format(7),
};
