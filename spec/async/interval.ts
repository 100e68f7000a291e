//# title = "an interval fires until it is cleared, with its arguments"
//# [expect]
//# result = '[["a","a","a"],3]'
const seen: string[] = [];
const count = await new Promise<number>((resolve) => {
  const timer = setInterval((text: string) => {
    seen.push(text);
    if (seen.length === 3) {
      clearInterval(timer);
      setTimeout(() => resolve(seen.length), 20);
    }
  }, 1, "a");
});
return [seen, count];
