//# title = "what cannot be iterated, taken apart or used as an operand is named"
//# differsFromNode = "the texts are our own"
//# [expect]
//# result = '["nothing is not iterable: nothing is undefined","page.items is not iterable: page.items is undefined","page is not iterable: page is an object; use Object.entries, Object.keys or Object.values","pending is not iterable: pending is a Promise; await it first","nothing is not iterable: nothing is undefined","page.items is not iterable: page.items is undefined","page.items is not iterable: page.items is undefined","cannot destructure \"first\" of undefined: page.items is undefined","cannot destructure \"list\" of undefined: nothing is undefined","cannot destructure \"first\" of undefined","a number is not iterable: Map needs an iterable value","cannot convert undefined to object: keys needs one","the right side of \"in\" is not an object: it is a string; use includes to search a text","the right side of \"instanceof\" is not a class: it is undefined"]'
const messages: string[] = [];
const attempt = (action: () => unknown) => { try { action(); messages.push("no error"); } catch (error) { messages.push(error.message); } };
const page: any = { list: [] }, pending: any = Promise.resolve([]);
let nothing: any;
attempt(() => { for (const one of nothing) one; });
attempt(() => { for (const one of page.items) one; });
attempt(() => { for (const one of page) one; });
attempt(() => { for (const one of pending) one; });
attempt(() => { [...page.list, ...nothing]; });
attempt(() => { Math.max(...page.items); });
attempt(() => { const [first] = page.items; });
attempt(() => { const { first } = page.items; });
attempt(() => { const { list: { first } } = nothing; });
attempt(() => { ((({ first }: any) => first) as any)(); });
attempt(() => { new Map(5 as any); });
attempt(() => { Object.keys(nothing); });
attempt(() => { "a" in ("abc" as any); });
attempt(() => { page instanceof nothing; });
return messages;
