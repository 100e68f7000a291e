enum Priority { Low = 1, Medium, High, Urgent = High * 2 }
enum Channel { Email = "EMAIL", Sms = "SMS" }
const enum Flag { None = 0, Read = 1 << 0, Write = 1 << 1, All = Read | Write }
enum Mixed { A, B = "b".length, C = A + 5 }

const rank = (p: string): Priority => Priority[(p[0].toUpperCase() + p.slice(1)) as keyof typeof Priority];
const tickets = await tools.support.tickets.list({});
return {
  ranks: tickets.map((t) => rank(t.priority)),
  names: tickets.map((t) => Priority[rank(t.priority)]),
  keys: Object.keys(Priority),
  channels: Object.values(Channel),
  flags: [Flag.All, Flag.All & ~Flag.Write],
  mixed: [Mixed.A, Mixed.B, Mixed.C, Mixed[5]],
};
