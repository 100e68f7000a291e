// RFC 2047: =?charset?B|Q?text?=
const decode = (header: string): string =>
  header.replace(/=\?([\w-]+)\?([BQ])\?([^?]*)\?=/gi, (_, charset: string, encoding: string, text: string) => {
    const bytes =
      encoding.toUpperCase() === "B"
        ? Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
        : new Uint8Array(text.replace(/_/g, " ").split(/(=[0-9A-F]{2})/i).flatMap((p) => (/^=[0-9A-F]{2}$/i.test(p) ? [parseInt(p.slice(1), 16)] : [...p].map((c) => c.charCodeAt(0)))));
    return new TextDecoder(charset).decode(bytes);
  });
const messages = await tools.mail.messages.list({});
return { subjects: messages.map((m) => decode(m.subject)), q: decode("=?UTF-8?Q?J=C3=BCrgen_Gro=C3=9F?=") };
