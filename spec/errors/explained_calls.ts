//# title = "a call of what is no function names the expression and what it is"
//# differsFromNode = "the texts are our own"
//# [expect]
//# result = '["customers.map is not a function: customers is a string","config.handlers.start is not a function: it is undefined","config.port is not a function: it is a number","pending.map is not a function: pending is a Promise; await it first","load().then().map is not a function: load().then() is a Promise; await it first","index.map is not a function: index is a Map","rows.filter(…).first is not a function: rows.filter(…) is an array","rows[\"first\"] is not a function: rows is an array","config?.missing is not a function: it is undefined","config.missing is not a function: it is undefined","nothing is not a function: it is undefined","five() is not a function: it is a number","config.Client is not a constructor: it is undefined","nothing is not a constructor: it is undefined","arrow is not a constructor","undefined is not a function: map needs one","page.map is not a function: page is an object { items, total }, not an array","\"abc\".size is not a function: \"abc\" is a string"]'
const messages: string[] = [];
const attempt = (action: () => unknown) => { try { action(); messages.push("no error"); } catch (error) { messages.push(error.message); } };
const customers: any = "x", config: any = { handlers: {}, port: 80 }, rows: any = [], index: any = new Map(), page: any = { items: [], total: 0 };
const load: any = async () => {}, pending: any = load(), five: any = () => 5, arrow: any = () => 1;
let nothing: any;
attempt(() => { customers.map((one: any) => one); });
attempt(() => { config.handlers.start(1, ")"); });
attempt(() => { config.port(); });
attempt(() => { pending.map((one: any) => one); });
attempt(() => { load().then().map(); });
attempt(() => { index.map((one: any) => one); });
attempt(() => { rows
  .filter((row: any) => row.id > 0 && row.name === "a text with ( inside")
  .first(); });
attempt(() => { rows["first"](); });
attempt(() => { config?.missing(); });
attempt(() => { (config.missing)(); });
attempt(() => { nothing(); });
attempt(() => { five()(); });
attempt(() => { new config.Client(1); });
attempt(() => { new nothing(); });
attempt(() => { new arrow(); });
attempt(() => { [1].map(nothing); });
attempt(() => { page.map((one: any) => one); });
attempt(() => { "abc".size(); });
return messages;
