const samples = (await tools.hr.timesheets.list({ employeeId: 'emp_05' })).map((t) => t.hours);
return {
  floats: Float32Array.from(samples),
  bytes: new Uint8Array([1, 2, 256, -1]),
  clamped: new Uint8ClampedArray([1.5, 300, -5]),
  big: BigInt64Array.of(1n, -(2n ** 62n)),
  when: new Date(Date.UTC(2025, 0, 6)),
  invalid: new Date('never'),
  nothing: undefined,
  list: [undefined, null, NaN, -0, Infinity],
};
