// The texts of built-in errors, as programs pass them on
const attempts = [
  () => JSON.parse('{"a": 1,}'),
  () => { const user = {}; return user.profile.name; },
  () => { const list = {}; return list.map((x) => x); },
  () => missingVariable,
];
return attempts.map((attempt) => {
  try { return attempt(); } catch (e) { return { error: e.message }; }
});
