class Range {
  constructor(start, end, step = 1) { Object.assign(this, { start, end, step }); }
  [Symbol.iterator]() {
    let { start, end, step } = this;
    return {
      next: () => (start < end ? { value: (start += step) - step, done: false } : { value: undefined, done: true }),
      return() { Range.closed = (Range.closed ?? 0) + 1; return { done: true }; },
      [Symbol.iterator]() { return this; },
    };
  }
}
const zip = function* (...iterables) {
  const its = iterables.map((i) => i[Symbol.iterator]());
  while (true) {
    const rs = its.map((i) => i.next());
    if (rs.some((r) => r.done)) return;
    yield rs.map((r) => r.value);
  }
};
for (const n of new Range(0, 10)) if (n === 3) break;
const [a, b] = new Range(5, 100, 5);
const { days } = await tools.weather.forecast({ city: 'Berlin' });
return { spread: [...new Range(0, 6, 2)], a, b, closed: Range.closed, zipped: [...zip(new Range(1, 9), days.map((d) => d.sky))], max: Math.max(...new Range(1, 5)), map: Object.fromEntries(zip('ab', new Range(1, 3))) };
