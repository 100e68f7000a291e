const counter = {
  count: 0,
  increment() { this.count++; return this; },
  later() { return Promise.resolve().then(() => this.increment()); },
  detached: function () { return typeof this; },
};
const { increment, detached } = counter;
let lost = null;
try { increment(); } catch (e) { lost = e.constructor.name; }
const bound = increment.bind(counter);
bound();
await counter.later();
class Button {
  label = 'ok';
  handle = () => this.label;
  method() { return this?.label; }
}
const b = new Button();
const { handle, method } = b;
const flags = await Promise.all(['dark-mode', 'ai-search'].map(function (key) { return tools.flags.get({ key }); }, null));
return { count: counter.count, lost, detached: detached(), handle: handle(), method: method() ?? 'undefined', borrowed: Array.prototype.map.call('abc', (c) => c + c), max: Math.max.apply(null, flags.map((f) => f.rollout)), name: [increment.name, bound.name, Button.name, (() => {}).name, handle.length] };
