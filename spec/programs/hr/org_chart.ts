interface Node { name: string; reports: Node[] }
const employees = await tools.hr.employees.list({});

const build = (managerId: string | null): Node[] =>
  employees
    .filter((e) => e.managerId === managerId)
    .map((e) => ({ name: `${e.name} (${e.title})`, reports: build(e.id) }));

const draw = (nodes: Node[], prefix = ""): string =>
  nodes
    .map((node, i) => {
      const last = i === nodes.length - 1;
      return `${prefix}${last ? "└── " : "├── "}${node.name}\n${draw(node.reports, prefix + (last ? "    " : "│   "))}`;
    })
    .join("");

const tree = draw(build(null));
console.log(tree);
return tree.trimEnd().split("\n");
