//# title = "tools answers undefined to every symbol"
//# tools = "demo"
//# [expect]
//# result = '[true,true,true,true,true,true]'
return [Symbol.iterator, Symbol.asyncIterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.species, Symbol("own")]
  .map((symbol) => tools[symbol] === undefined && tools.demo[symbol] === undefined);
