//# title = "without the global setTimeout, timers that were made still fire"
//# [expect]
//# result = '["fired","undefined"]'
const fired = new Promise((resolve) => setTimeout(resolve, 5, "fired"));
delete (globalThis as any).setTimeout;
delete (globalThis as any).clearTimeout;
return [await fired, typeof setTimeout];
