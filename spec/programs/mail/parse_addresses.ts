interface Address { name: string | null; local: string; domain: string }
function parseAddress(text: string): Address {
  const match = text.match(/^(?:"?(?<name>[^"<]*?)"?\s*<)?(?<local>[^\s@<]+)@(?<domain>[^\s>]+)>?$/u);
  if (!match) throw new SyntaxError(`not an address: ${text}`);
  const { name, local, domain } = match.groups as any;
  return { name: name?.trim() || null, local, domain: domain.toLowerCase() };
}
const messages = await tools.mail.messages.list({});
const addresses = messages.map((m) => parseAddress(m.from));
const domains = addresses.reduce((s, a) => s.add(a.domain), new Set<string>());
let error: string | undefined;
try { parseAddress("nobody"); } catch (e) { error = `${e}`; }
return { addresses, domains: [...domains], error };
