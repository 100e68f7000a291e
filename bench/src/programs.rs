//! The measured programs, and the tool that they call.

use isobox::{Value, json};

/// The smallest program.
pub(crate) const RETURN_1: &str = "return 1";

/// Three sequential calls.
pub(crate) const ROUNDTRIPS_3: &str = "
const a = await tools.add({ a: 1, b: 2 });
const b = await tools.add({ a, b: 3 });
const c = await tools.add({ a: b, b: 4 });
return c;";

/// A hundred concurrent calls.
pub(crate) const PARALLEL_100: &str = "
const numbers = Array.from({ length: 100 }, (_, index) => index);
const sums = await Promise.all(numbers.map((a) => tools.add({ a, b: 1 })));
return sums.reduce((total, one) => total + one, 0);";

/// Implements `tools.add` for both contestants.
pub(crate) fn add(input: &Value) -> Value {
    json!(input["a"].as_i64().unwrap_or_default() + input["b"].as_i64().unwrap_or_default())
}

/// Returns a program as a model would write it: types, a class, helpers, a join of two lists. No two texts are equal.
pub(crate) fn unique(number: usize) -> String {
    format!(
        r#"// Report {number}: which customers of the region are late, and by how much.
interface Customer {{ id: number; name: string; region: string; tags?: string[] }}
interface Invoice {{ id: number; customerId: number; amount: number; due: string; paid: boolean }}
type Totals = Record<string, {{ count: number; amount: number }}>;

const REGION: string = "north-{number}";
const today = new Date("2026-03-01T00:00:00Z");

class Ledger<T extends Invoice> {{
  private readonly rows: T[] = [];
  add(row: T): this {{
    this.rows.push(row);
    return this;
  }}
  late(when: Date): T[] {{
    return this.rows.filter((row) => !row.paid && new Date(row.due).getTime() < when.getTime());
  }}
}}

function totals(rows: readonly Invoice[], names: Map<number, string>): Totals {{
  const result: Totals = {{}};
  for (const row of rows) {{
    const name = names.get(row.customerId) ?? "unknown";
    const entry = (result[name] ??= {{ count: 0, amount: 0 }});
    entry.count += 1;
    entry.amount += row.amount as number;
  }}
  return result;
}}

const customers: Customer[] = [1, 2, 3, 4].map((id) => ({{ id, name: `Customer ${{id + {number}}}`, region: REGION }}));
const ledger = new Ledger<Invoice>();
for (let id = 0; id < 20; id++) {{
  ledger.add({{ id, customerId: (id % 4) + 1, amount: id * 10.5, due: `2026-0${{(id % 4) + 1}}-15`, paid: id % 3 === 0 }});
}}
const names = new Map(customers.map((customer) => [customer.id, customer.name] as const));
const late = ledger.late(today);
const report = totals(late, names);
const worst = Object.entries(report).sort(([, a], [, b]) => b.amount - a.amount)[0];
return {{ region: REGION, late: late.length, worst: worst?.[0], amount: worst?.[1].amount!.toFixed(2) }};
"#
    )
}
