//# title = "unhandled rejections are logged in the order in which they happened"
//# [expect]
//# logs = [["error", "unhandled rejection: 2"], ["error", "unhandled rejection: 3"]]
//# result = '2'
const a = Promise.reject(1), b = Promise.reject(2), c = Promise.reject(3);
await a.catch(() => {});
return [b, c].length;
