const { body } = await tools.mail.messages.get({ id: 'msg_1' });
const lines = body.split(/\r?\n/);
const quoted = lines.filter((l) => /^>/.test(l)).map((l) => l.replace(/^>\s?/, ''));
const fresh = lines.filter((l) => !l.startsWith('>')).join('\n').trim();
const amounts = [...body.matchAll(/(\d{1,3}(?:\.\d{3})*(?:,\d{2})?) (EUR|USD)/g)].map(([, n, cur]) => ({
  amount: parseFloat(n.replaceAll('.', '').replace(',', '.')), cur,
}));
return { fresh, quoted, amounts, po: body.match(/PO-(\d+)/)?.[1] ?? null, missing: body.match(/SO-(\d+)/)?.[1] ?? null };
