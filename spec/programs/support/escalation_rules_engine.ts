type Operator = "eq" | "gt" | "includes" | "matches";
type Condition = { field: string; op: Operator; value: any } | { all: Condition[] } | { any: Condition[] } | { not: Condition };
const operators: { [K in Operator]: (a: any, b: any) => boolean } = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  includes: (a, b) => Array.isArray(a) && a.includes(b),
  matches: (a, b) => new RegExp(b, "i").test(a),
};
const test = (c: Condition, x: any): boolean => {
  if ("all" in c) return c.all.every((n) => test(n, x));
  if ("any" in c) return c.any.some((n) => test(n, x));
  if ("not" in c) return !test(c.not, x);
  return operators[c.op](c.field.split(".").reduce((o, k) => o?.[k], x), c.value);
};
const rules: { name: string; when: Condition; then: string }[] = [
  { name: "vip", when: { field: "tags", op: "includes", value: "vip" }, then: "page on-call" },
  { name: "login", when: { all: [{ field: "subject", op: "matches", value: "log ?in" }, { not: { field: "status", op: "eq", value: "closed" } }] }, then: "route to auth" },
  { name: "waiting", when: { any: [{ field: "firstReplyAt", op: "eq", value: null }, { field: "id.length", op: "gt", value: 3 }] }, then: "nudge" },
];
const tickets = await tools.support.tickets.list({});
return tickets.map((t) => `${t.id}: ${rules.filter((r) => test(r.when, t)).map((r) => r.then).join(", ") || "-"}`);
