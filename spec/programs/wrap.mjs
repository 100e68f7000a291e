// Makes the body of an async function of a program, whatever its form: a function body, one function, a module, a last expression,
// a `main` that is declared and not called; in a Markdown fence or not.

/** The JavaScript of a program. It sees `tools`, `require`, `module` and `exports`, and its value is the program's result. */
export function wrapped(typescript, text, name) {
  const source = unfenced(text);
  const file = name.endsWith(".js") ? "program.js" : "program.ts";
  const tree = typescript.createSourceFile(file, source, typescript.ScriptTarget.ESNext, true);
  const { outputText } = typescript.transpileModule(returning(typescript, tree, source), {
    fileName: file,
    compilerOptions: {
      target: typescript.ScriptTarget.ES2022,
      module: typescript.ModuleKind.CommonJS,
      esModuleInterop: true,
      alwaysStrict: true,
      allowJs: true,
    },
  });
  return `${outputText}\n;return __exported(module.exports);`;
}

function unfenced(text) {
  const fence = /^\s*(`{3,})(?:js|javascript|ts|typescript|jsx|tsx)?[ \t]*\n([\s\S]*?)\n\1\s*$/.exec(text);
  return fence ? fence[2] : text;
}

function returning(typescript, tree, source) {
  const { SyntaxKind } = typescript;
  const statements = tree.statements.filter(
    ({ kind }) => ![SyntaxKind.InterfaceDeclaration, SyntaxKind.TypeAliasDeclaration, SyntaxKind.EmptyStatement].includes(kind),
  );
  const last = statements.at(-1);
  if (last === undefined || statements.some((statement) => exportsSomething(typescript, statement))) return source;
  if (last.kind === SyntaxKind.ExpressionStatement) {
    const { expression } = last;
    const { text, start, end } = { text: expression.getText(tree), start: last.getStart(tree), end: last.end };
    if (/^(module\.)?exports\b/.test(text)) return source;
    const isFunction = statements.length === 1 && isFunctionExpression(typescript, expression);
    return `${source.slice(0, start)}return (${text})${isFunction ? "()" : ""};${source.slice(end)}`;
  }
  const called = uncalled(typescript, tree, last);
  return called ? `${source}\n;return ${called}();` : source;
}

/** The name of the function that a program ends with, where nothing else names it. */
function uncalled(typescript, tree, last) {
  const { SyntaxKind } = typescript;
  let name;
  if (last.kind === SyntaxKind.FunctionDeclaration) name = last.name;
  if (last.kind === SyntaxKind.VariableStatement) {
    const [declaration] = last.declarationList.declarations;
    if (declaration.initializer && isFunctionExpression(typescript, declaration.initializer)) name = declaration.name;
  }
  if (name === undefined) return undefined;
  let uses = 0;
  const visit = (node) => {
    if (node.kind === SyntaxKind.Identifier && node.text === name.text && node !== name) uses += 1;
    typescript.forEachChild(node, visit);
  };
  visit(tree);
  return uses === 0 ? name.text : undefined;
}

function isFunctionExpression(typescript, expression) {
  const { SyntaxKind } = typescript;
  while (expression.kind === SyntaxKind.ParenthesizedExpression) expression = expression.expression;
  return [SyntaxKind.ArrowFunction, SyntaxKind.FunctionExpression].includes(expression.kind);
}

function exportsSomething(typescript, statement) {
  const { SyntaxKind } = typescript;
  if (statement.kind === SyntaxKind.ExportAssignment || statement.kind === SyntaxKind.ExportDeclaration) return true;
  return (statement.modifiers ?? []).some(({ kind }) => kind === SyntaxKind.ExportKeyword);
}
