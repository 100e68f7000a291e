const isPhone = (v?: string) => { return v ? /^[+\d][\d\s./()-]+$/.test(v) : false };
function kind(v: string) {
  switch (typeof v) {
    case "string": return /\d/.test(v) ? "has digits" : "plain";
    default: return "other";
  }
}
function* words(s: string) { for (const w of s.split(/\s+/)) yield /^\w+$/.test(w) ? w : w.replace(/\W/g, ""); }
const contacts = await tools.crm.contacts.list({});
const flags = contacts.map(c => isPhone(c.phone) && /\+/.test(c.phone) ? /^\+(\d{2})/.exec(c.phone)![1] : null);
const ratio = contacts.length / 2 / 3;
let hits = 0;
for (const { phone } of contacts) if (phone) /0/.test(phone) && hits++;
const tern = (n: number) => n > 1 ? /a/.test("a") ? n / 2 : /b/.test("b") : /c/.source;
const { length } = [1, 2]; const re = /[/\]]+/g;
return { flags, ratio, hits, kinds: ["a1", "b"].map(kind), words: [...words("it's a (small) world")], tern: [tern(1), tern(4)], cls: "a/b]c".split(re), not: !/x/.test("y"), typ: typeof /x/ };
