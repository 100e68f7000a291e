const { body } = await tools.mail.messages.get({ id: "msg_3" });
const urls = body.match(/https?:\/\/[^\s<>"]+/g)?.map((u) => new URL(u)) ?? [];
const phones = body.match(/(?:\+\d{1,3}[ -]?)?(?:\d{2,4}[ -]?){2,4}\d{2,4}/g) ?? [];
return {
  urls: urls.map((u) => ({ host: u.hostname, path: u.pathname, size: u.searchParams.get("size"), t: Number(u.searchParams.get("t")), hash: u.hash })),
  phones: phones.map((p) => p.trim()),
  code: /`([^`]+)`/.exec(body)?.[1],
  crlf: (body.match(/\r\n/g) || []).length,
};
