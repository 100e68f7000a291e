type CookieOptions = { path?: string; maxAge?: number; httpOnly?: boolean; sameSite?: "Lax" | "Strict" };
const parse = (header: string) => Object.fromEntries(header.split(/;\s*/).filter(Boolean).map((p) => { const i = p.indexOf("="); return [p.slice(0, i), decodeURIComponent(p.slice(i + 1))]; }));
const serialize = (name: string, value: string, { path = "/", maxAge, httpOnly, sameSite }: CookieOptions = {}) =>
  [`${name}=${encodeURIComponent(value)}`, `Path=${path}`, maxAge !== undefined && `Max-Age=${maxAge}`, httpOnly && "HttpOnly", sameSite && `SameSite=${sameSite}`].filter(Boolean).join("; ");
const flag = await tools.flags.get({ key: "dark-mode" });
return { parsed: parse("theme=dark; name=J%C3%BCrgen; token=a=b=="), set: serialize(flag.key, String(flag.enabled), { maxAge: 3600, httpOnly: true, sameSite: "Lax" }) };
