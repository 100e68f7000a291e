//# title = "a property of undefined or null names the expression that is undefined or null"
//# differsFromNode = "the texts are our own"
//# [expect]
//# result = '["cannot read \"name\" of undefined: user.profile is undefined","cannot read \"name\" of undefined: user.profile is undefined","cannot read \"name\" of undefined: user?.profile is undefined","cannot read \"load\" of undefined: user.profile is undefined","cannot read \"name\" of null: user.manager is null","cannot read \"name\" of undefined: rows[3] is undefined","cannot read \"name\" of undefined: rows.find(…) is undefined","cannot read \"b\" of undefined: JSON.parse(\"{}\").a is undefined","cannot read \"length\" of undefined: pending.items is undefined, because pending is a Promise; await it first","cannot set \"name\" of undefined: user.profile is undefined","cannot set \"0\" of undefined: user.profile is undefined","cannot set \"name\" of undefined","cannot set \"name\" of undefined","cannot read \"count\" of undefined: nothing is undefined","cannot read \"länge\" of undefined: größe is undefined","cannot read \"name\" of undefined","cannot read \"b\" of undefined","cannot read \"x\" of null"]'
const messages: string[] = [];
const attempt = (action: () => unknown) => { try { action(); messages.push("no error"); } catch (error) { messages.push(error.message); } };
const user: any = { manager: null, a: () => undefined }, rows: any = [], pending: any = Promise.resolve({});
let nothing: any, größe: any;
attempt(() => { user.profile.name; });
attempt(() => { user.profile["name"]; });
attempt(() => { user?.profile.name; });
attempt(() => { user.profile.load(1); });
attempt(() => { user.manager.name; });
attempt(() => { rows[3].name; });
attempt(() => { rows.find((row: any) => row.id === 1).name; });
attempt(() => { JSON.parse("{}").a.b; });
attempt(() => { pending.items.length; });
attempt(() => { user.profile.name = 5; });
attempt(() => { user.profile[0] = 5; });
attempt(() => { nothing.name = user.name; });
attempt(() => { nothing.name = user.name = 5; });
attempt(() => { nothing.count += 1; });
attempt(() => { größe.länge; });
attempt(() => { user // user.address
  .profile
  .name; });
attempt(() => { user.a(/[)]/).b; });
attempt(() => { (null as any).x; });
return messages;
