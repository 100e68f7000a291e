(async function () {
  const flags = await Promise.all(['new-checkout', 'dark-mode'].map((key) => tools.flags.get({ key })));
  return flags.filter((f) => f.enabled).map((f) => f.key);
})
