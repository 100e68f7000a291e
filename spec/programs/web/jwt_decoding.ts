const b64url = (s: string) => btoa(s).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const token = [b64url(JSON.stringify({ alg: "none", typ: "JWT" })), b64url(JSON.stringify({ sub: "emp_01", exp: 1738224000, scope: "read write" })), "sig"].join(".");

interface Claims { sub: string; exp: number; scope: string }
function decode(jwt: string): Claims {
  const [, payload] = jwt.split(".");
  const padded = payload.replace(/-/g, "+").replace(/_/g, "/").padEnd(Math.ceil(payload.length / 4) * 4, "=");
  return JSON.parse(atob(padded));
}
const claims = decode(token);
const employee = await tools.hr.employees.get({ id: claims.sub });
return { token, name: employee.name, scopes: claims.scope.split(" "), expires: new Date(claims.exp * 1000).toISOString(), expired: claims.exp < 1_800_000_000 };
