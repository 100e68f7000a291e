interface QueryResult { columns: string[]; rows: (string | number | null)[][] }
const toObjects = <T extends object>({ columns, rows }: QueryResult): T[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name.replace(/_(\w)/g, (_, c) => c.toUpperCase()), row[i]])) as T);

type User = { id: number; email: string; lastLogin: string | null };
const users = toObjects<User>(await tools.db.query({ sql: "SELECT id, email, last_login FROM users" }));
const unique = [...new Map(users.map((u) => [u.email.toLowerCase(), u])).values()];
const stale = users.filter((u) => !u.lastLogin || new Date(u.lastLogin.replace(" ", "T") + "Z") < new Date("2025-01-01"));
return { users: users.length, unique: unique.map((u) => u.id), stale: stale.map((u) => u.email) };
