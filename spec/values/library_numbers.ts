//# title = "numbers"
//# [expect]
//# result = '["1.00", "ff", "0.0022002200", 12, 0, 31, "1e+21", "123.5", "0.000001234", 9007199254740991, 2, -2, 1.4142135623730951, 5, true, true, 5.5, 31, 1500, "p", 0.30000000000000004, 0.3333333333333333]'
return [(1.005).toFixed(2), (255).toString(16), (0.1).toString(3).slice(0, 12), parseInt("12px"), Number(""), Number("0x1f"), (1e21).toString(), (123.456).toPrecision(4), (0.000001234).toString(), Number.MAX_SAFE_INTEGER, 5 % -3, -5 % 3, 2 ** 0.5, Math.hypot(3, 4), Math.sign(-0) === 0, Math.round(-0.5) === 0, Math.fround(5.5), Math.clz32(1), Number.parseFloat("1.5e3x"), (25).toString(36), 0.1 * 3, 1 / 3];
