//# title = "the losers of a race that fail are no unhandled rejections"
//# [expect]
//# result = '"fast"'
const slow = new Promise((_, reject) => setTimeout(() => reject(new Error("slow")), 2));
const first = await Promise.race([Promise.resolve("fast"), slow]);
await new Promise((resolve) => setTimeout(resolve, 20));
return first;
