type Token = { kind: "number"; value: number } | { kind: "op"; value: string } | { kind: "name"; value: string };

function* tokenize(source: string): Generator<Token> {
  const re = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|([-+*/^()%,]))/y;
  while (re.lastIndex < source.trimEnd().length) {
    const at = re.lastIndex;
    const m = re.exec(source);
    if (!m) throw new SyntaxError(`unexpected "${source[at]}" at ${at}`);
    if (m[1]) yield { kind: "number", value: Number(m[1]) };
    else if (m[2]) yield { kind: "name", value: m[2] };
    else yield { kind: "op", value: m[3] };
  }
}
const functions: Record<string, (...xs: number[]) => number> = { max: Math.max, min: Math.min, round: Math.round, sqrt: Math.sqrt };
const binding: Record<string, [number, "left" | "right"]> = { "+": [1, "left"], "-": [1, "left"], "*": [2, "left"], "/": [2, "left"], "%": [2, "left"], "^": [4, "right"] };

function evaluate(source: string, scope: Record<string, number> = {}): number {
  const tokens = [...tokenize(source)];
  let position = 0;
  const peek = () => tokens[position];
  const expect = (op: string) => { if (tokens[position++]?.value !== op) throw new SyntaxError(`expected ${op}`); };
  function primary(): number {
    const token = tokens[position++];
    if (!token) throw new SyntaxError("unexpected end");
    if (token.kind === "number") return token.value;
    if (token.kind === "name") {
      if (peek()?.value !== "(") { if (!(token.value in scope)) throw new ReferenceError(`${token.value} is unknown`); return scope[token.value]; }
      expect("(");
      const args: number[] = [];
      while (peek()?.value !== ")") { args.push(expression(0)); if (peek()?.value === ",") position++; }
      expect(")");
      return functions[token.value](...args);
    }
    if (token.value === "-") return -expression(3);
    if (token.value === "(") { const value = expression(0); expect(")"); return value; }
    throw new SyntaxError(`unexpected ${token.value}`);
  }
  function expression(min: number): number {
    let left = primary();
    for (let op = peek(); op && op.value in binding && binding[op.value][0] >= min; op = peek()) {
      position++;
      const [power, side] = binding[op.value];
      const right = expression(side === "left" ? power + 1 : power);
      left = { "+": left + right, "-": left - right, "*": left * right, "/": left / right, "%": left % right, "^": left ** right }[op.value as string]!;
    }
    return left;
  }
  const value = expression(0);
  if (peek()) throw new SyntaxError(`unexpected ${peek().value}`);
  return value;
}
const { price, cost } = await tools.inventory.products.get({ sku: "MS-200" });
const inputs = ["1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "-2 ^ 2", "10 % 4 - 1", "round((price - cost) / price * 100)", "max(1, min(5, 3))", "1 +", "2 $ 3", "unknown + 1"];
return inputs.map((i) => { try { return evaluate(i, { price, cost }); } catch (e) { return `${e}`; } });
