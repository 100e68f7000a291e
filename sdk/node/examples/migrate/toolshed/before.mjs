// A script lists issues and creates one, once a person has approved it.
import { ElicitationEngine, createRuntime } from '@toolshed/kernel';

const issues = ['Fix login'];
const tools = [
  { path: 'github.issues.list', name: 'List Issues', description: 'List issues.' },
  { path: 'github.issues.create', name: 'Create Issue', description: 'Create an issue.', destructive: true },
];
let created;
const done = new Promise((resolve) => (created = resolve));
const invoke = async (path, { title }) => {
  if (path === 'github.issues.list') return issues;
  issues.push(title);
  created();
  return { number: issues.length };
};

const engine = new ElicitationEngine();
const runtime = createRuntime({
  tools,
  role: { id: 'developer', name: 'Developer', patterns: ['github.**'] },
  invoke,
  elicitation: engine,
  runtime: 'local',
});
const { paused, calls } = await runtime.execute(`
  const open = await tools.github.issues.list({});
  return await tools.github.issues.create({ title: \`\${open[0]} again\` });
`);
console.log('asks for', paused.toolPath, paused.args, 'after', calls.length, 'call');
engine.resolve(paused.executionId, true);
await done;
console.log(issues);
await runtime.dispose();
