type Category = "urgent" | "billing" | "social" | "other";

const classify = ({ subject, body }: { subject: string; body: string }): Category => {
  switch (true) {
    case /\burgent\b/i.test(subject): return "urgent";
    case /invoice|payment|INV-\d{4}-\d{4}/i.test(subject + body): return "billing";
    default: return /lunch|🍣/iu.test(subject + body) ? "social" : "other";
  }
};

const messages = await tools.mail.messages.list({ folder: "inbox" });
const triaged = messages.map((m) => ({ id: m.id, category: classify(m), unread: !m.read }));
console.info("triaged %d messages, %s unread", triaged.length, triaged.filter((t) => t.unread).length);
return Object.groupBy(triaged, (t) => t.category);
