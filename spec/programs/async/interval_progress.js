// Report progress with setInterval while the work is going on
let ticks = 0;
const timer = setInterval(() => { ticks++; }, 10);
const value = await tools.mirror.fetch({ source: 'primary' });
await new Promise((r) => setTimeout(r, 100));
clearInterval(timer);
const atEnd = ticks;
await new Promise((r) => setTimeout(r, 40));
return { value, ticked: atEnd >= 2, stopped: ticks === atEnd };
