// Deep equality as in node:assert and util.isDeepStrictEqual.

function isDeepStrictEqual(one, other) { return deepEqual(one, other, true, []); }
function isDeepLooseEqual(one, other) { return deepEqual(one, other, false, []); }

/** `above` are the pairs that are being compared: a pair that comes up again inside of itself is equal so far. */
function deepEqual(one, other, isStrict, above) {
  if (is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) {
    if (isStrict || isObject(one) || isObject(other)) return false;
    return one == other || (one !== one && other !== other);
  }
  if (typeof one === "function" || typeof other === "function") return false;
  if (isStrict && getPrototypeOf(one) !== getPrototypeOf(other)) return false;
  if (objectText(one) !== objectText(other) || isArray(one) !== isArray(other)) return false;
  if (above.some(([left, right]) => left === one && right === other)) return true;
  const inside = [...above, [one, other]];
  const equal = (left, right) => deepEqual(left, right, isStrict, inside);
  return haveSameContents(one, other, isStrict, equal) && haveSameProperties(one, other, isStrict, equal);
}

function haveSameContents(one, other, isStrict, equal) {
  const both = (check) => {
    const [left, right] = [passes(check, one), passes(check, other)];
    return left !== right ? "differ" : left;
  };
  for (const [check, compare] of [
    [dateValue, () => is(dateValue(one), dateValue(other))],
    [regexpSource, () => regexpSource(one) === regexpSource(other) && regexpFlags(one) === regexpFlags(other)
      && one.lastIndex === other.lastIndex],
    [typedArrayLength, () => equalElements(one, other, isStrict)],
    [bufferSize, () => compareBytes(new Uint8Array(one), new Uint8Array(other)) === 0],
    [mapSize, () => mapSize(one) === mapSize(other) && equalMaps(one, other, isStrict, equal)],
    [setSize, () => setSize(one) === setSize(other) && equalSets(one, other, isStrict, equal)],
    [stringValue, () => stringValue(one) === stringValue(other)],
    [numberValue, () => is(numberValue(one), numberValue(other))],
    [booleanValue, () => booleanValue(one) === booleanValue(other)],
    [bigintValue, () => bigintValue(one) === bigintValue(other)],
    [symbolValue, () => symbolValue(one) === symbolValue(other)],
  ]) {
    const found = both(check);
    if (found === "differ") return false;
    if (found) return compare();
  }
  if (isErrorLike(one) !== isErrorLike(other)) return false;
  if (isErrorLike(one)) {
    return one.message === other.message && one.name === other.name && equal(one.cause, other.cause)
      && equal(one.errors, other.errors);
  }
  if (promiseState(one) !== undefined || passes((value) => hasWeakKey(value, value), one)) return false;
  return !isArray(one) || one.length === other.length;
}

function equalElements(one, other, isStrict) {
  if (typedArrayLength(one) !== typedArrayLength(other)) return false;
  for (let at = 0; at < typedArrayLength(one); at++) {
    if (isStrict ? !is(one[at], other[at]) : one[at] !== other[at] && one[at] === one[at]) return false;
  }
  return true;
}

function equalSets(one, other, isStrict, equal) {
  const left = [...one];
  const right = new Set(other);
  const unmatched = left.filter((item) => !right.delete(item));
  const rest = [...right];
  return unmatched.every((item) => {
    if (isStrict && !isObject(item)) return false;
    const at = rest.findIndex((candidate) => equal(item, candidate));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

function equalMaps(one, other, isStrict, equal) {
  const rest = [...other];
  return [...one].every(([key, value]) => {
    const isSameKey = (other) => is(key, other) || ((isObject(key) || !isStrict) && equal(key, other));
    const at = rest.findIndex(([otherKey, otherValue]) => isSameKey(otherKey) && equal(value, otherValue));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

function haveSameProperties(one, other, isStrict, equal) {
  const isEnumerable = (object, key) => getOwnPropertyDescriptor(object, key).enumerable;
  const keysOf = (object) => [
    ...Object.keys(object),
    ...(isStrict ? Object.getOwnPropertySymbols(object).filter((key) => isEnumerable(object, key)) : []),
  ];
  if (typedArrayName(one) !== undefined) return true;
  const keys = keysOf(one);
  if (keys.length !== keysOf(other).length) return false;
  return keys.every((key) => hasOwn(other, key) && isEnumerable(other, key) && equal(one[key], other[key]));
}
