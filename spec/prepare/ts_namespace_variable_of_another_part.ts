//# title = "a part of a namespace changes the variables of another part"
//# [expect]
//# result = '[1,2,{"value":2},0]'
namespace Counter {
  export let value = 0;
  export const next = () => ++value;
}
namespace Counter {
  export function reset() { value = 0; }
  export const state = () => ({ value });
}
const seen: unknown[] = [Counter.next(), Counter.next(), Counter.state()];
Counter.reset();
return [...seen, Counter.value];
