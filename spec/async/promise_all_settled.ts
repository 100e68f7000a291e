//# title = "Promise.allSettled tells what became of each"
//# [expect]
//# result = '[{"status":"fulfilled","value":1},{"status":"rejected","reason":"no"},{"status":"fulfilled","value":2}]'
return await Promise.allSettled([1, Promise.reject("no"), Promise.resolve(2)]);
