// Parts of the prelude that few programs need: they are in the image as text, and compiled when they are first used. Each
// is a function of the names above that it uses; build.py finds them.

const parts = { __proto__: null };

function part(name) {
  return parts[name] ??= loadPart(name)(shared);
}

/** util.inspect, for messages. */
function inspect(...values) { return apply(part("inspect").inspect, undefined, values); }
function quote(text) { return part("inspect").quote(text); }
