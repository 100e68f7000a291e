const flag = await tools.flags.get({ key: 'ai-search' });
return {
  ...flag,
  owner: flag.owner,
  callback: () => 1,
  symbol: Symbol('x'),
  nested: { a: undefined, b: [() => 1, undefined, Symbol.iterator] },
  sparse: [1, , 3],
  boxed: [new Number(3), new String('s'), new Boolean(false)],
};
