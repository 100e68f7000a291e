-members:Math.*
(async () => { label: for (;;) { await Promise.all([tools.a({ [k]: 1, __proto__: x, a: undefined, get b() { return 1 } }), tools["x-y"].z(...args)]); break label } })().catch(() => Math.random())
