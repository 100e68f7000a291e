const order = [];
setTimeout(() => order.push('timeout 0'), 0);
queueMicrotask(() => order.push('microtask'));
Promise.resolve().then(() => order.push('then 1')).then(() => order.push('then 2'));
(async () => {
  order.push('async start');
  await null;
  order.push('async after await');
})();
order.push('sync');
await new Promise((resolve) => setTimeout(resolve, 20));
return order;
