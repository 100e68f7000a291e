//# title = "a timer may clear itself"
//# [expect]
//# result = '"fired"'
let timer: any;
return await new Promise((resolve) => {
  timer = setTimeout(() => { clearTimeout(timer); resolve("fired"); }, 1);
});
