const normalizeSubject = s => s.replace(/^((re|fwd?|aw|wg)\s*(\[\d+\])?:\s*)+/i, '').trim().toLowerCase();
const extra = ['RE: Fwd: Lunch?', 'AW: Renewal 2025', 'Re[2]: renewal 2025', 'Refund'];
const subjects = (await tools.mail.messages.list({})).map(m => m.subject).concat(extra);
const threads = {};
for (const s of subjects) (threads[normalizeSubject(s)] = threads[normalizeSubject(s)] || []).push(s);
return Object.values(threads).filter(t => t.length > 1);
