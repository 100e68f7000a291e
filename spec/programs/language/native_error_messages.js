// What agents do with the errors of the engine: they show them
const attempts = {
  json: () => JSON.parse('{"a": 1,}'),
  undefinedProperty: () => undefined.name,
  notAFunction: () => ({}).run(),
  constant: () => { const c = 1; c = 2; },
  reference: () => notDefinedAnywhere,
  range: () => new Array(-1),
  recursion: () => { const f = () => f() + 1; return f(); },
  bigint: () => 1n + 1,
};
const names = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try { attempt(); names[name] = 'no error'; } catch (e) { names[name] = e.constructor.name; }
}
return names;
