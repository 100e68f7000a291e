//# title = "a comparator that throws leaves the array whole"
//# [expect]
//# result = '["boom",[1,2,3]]'
const list = [3, 1, 2];
let message = "none";
try { list.sort(() => { throw new Error("boom"); }); } catch (error) { message = error.message; }
return [message, [...list].sort()];
