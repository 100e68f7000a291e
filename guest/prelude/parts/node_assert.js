// node:assert.

const { isDeepStrictEqual, isDeepLooseEqual } = part("equality");
const { isInstance } = part("inspect");

class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`);
    this.name = "AssertionError";
    this.code = "ERR_ASSERTION";
    Object.assign(this, { generatedMessage: message === undefined, actual, expected, operator });
  }
}

function failAssertion(given, text, actual, expected, operator) {
  if (isErrorLike(given)) throw given;
  const error = new AssertionError({ message: given ?? text, actual, expected, operator });
  error.generatedMessage = given === undefined;
  throw error;
}

function ok(value, message) {
  if (value) return;
  const text = arguments.length === 0 ? "No value argument passed to `assert.ok()`" : "The expression evaluated to a falsy value";
  failAssertion(message, text, value, true, "==");
}

const shownPair = (title, one, word, other) => `${title}\n\n${inspect(one)}${word}${inspect(other)}\n`;

const comparisons = {
  equal(actual, expected, message) {
    if (actual == expected || (actual !== actual && expected !== expected)) return;
    failAssertion(message, `${inspect(actual)} == ${inspect(expected)}`, actual, expected, "==");
  },
  notEqual(actual, expected, message) {
    if (actual != expected && !(actual !== actual && expected !== expected)) return;
    failAssertion(message, `${inspect(actual)} != ${inspect(expected)}`, actual, expected, "!=");
  },
  strictEqual(actual, expected, message) {
    if (is(actual, expected)) return;
    failAssertion(message, shownPair("Expected values to be strictly equal:", actual, " !== ", expected), actual, expected, "strictEqual");
  },
  notStrictEqual(actual, expected, message) {
    if (!is(actual, expected)) return;
    failAssertion(message, `Expected "actual" to be strictly unequal to: ${inspect(expected)}`, actual, expected, "notStrictEqual");
  },
  deepEqual(actual, expected, message) {
    if (isDeepLooseEqual(actual, expected)) return;
    failAssertion(message, shownPair("Expected values to be loosely deep-equal:", actual, "\n\nshould loosely deep-equal\n\n", expected).trimEnd(), actual, expected, "deepEqual");
  },
  notDeepEqual(actual, expected, message) {
    if (!isDeepLooseEqual(actual, expected)) return;
    failAssertion(message, `Expected "actual" not to be loosely deep-equal to:\n\n${inspect(expected, { compact: false })}\n`, actual, expected, "notDeepEqual");
  },
  deepStrictEqual(actual, expected, message) {
    if (isDeepStrictEqual(actual, expected)) return;
    failAssertion(message, shownPair("Expected values to be strictly deep-equal:", actual, "\n\nshould equal\n\n", expected), actual, expected, "deepStrictEqual");
  },
  notDeepStrictEqual(actual, expected, message) {
    if (!isDeepStrictEqual(actual, expected)) return;
    failAssertion(message, `Expected "actual" not to be strictly deep-equal to:\n\n${inspect(expected, { compact: false })}\n`, actual, expected, "notDeepStrictEqual");
  },
};

/** Whether an error is what was expected: an instance, a match of its text, an object of properties, or a judgement. */
function checkExpected(error, expected, message, operator) {
  if (expected === undefined) return;
  const fail = (text) => failAssertion(message, text, error, expected, operator);
  if (passes(regexpSource, expected)) {
    if (!expected.test(String(error))) fail(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`);
  } else if (typeof expected === "function") {
    if (expected.prototype !== undefined && isInstance(error, expected)) return;
    if (isErrorLike(expected.prototype) || expected === Error) {
      fail(`The error is expected to be an instance of "${expected.name}". Received "${error?.constructor?.name ?? inspect(error)}"`);
    }
    if (apply(expected, {}, [error]) !== true) {
      fail(`The ${expected.name ? `"${expected.name}" ` : ""}validation function is expected to return "true". Received ${inspect(false)}`);
    }
  } else if (isObject(expected)) {
    const keys = isErrorLike(expected) ? ["message", "name", ...Object.keys(expected)] : Object.keys(expected);
    for (const key of keys) {
      const matches = passes(regexpSource, expected[key]) && typeof error?.[key] === "string" ? expected[key].test(error[key])
        : isDeepStrictEqual(error?.[key], expected[key]);
      if (!matches) fail(`Expected the error to have ${key}: ${inspect(expected[key])}. Received ${inspect(error?.[key])}`);
    }
  }
}

function split(expected, message) {
  return typeof expected === "string" ? [undefined, expected] : [expected, message];
}

function throws(work, expected, message) {
  requireCallback(work, "assert.throws");
  [expected, message] = split(expected, message);
  try {
    work();
  } catch (error) {
    return checkExpected(error, expected, message, "throws");
  }
  missing("Missing expected exception", expected, message, "throws");
}

function missing(text, expected, message, operator) {
  const name = expected?.name ? ` (${expected.name})` : "";
  failAssertion(undefined, `${text}${name}${message === undefined ? "." : `: ${message}`}`, undefined, expected, operator);
}

async function rejects(work, expected, message) {
  [expected, message] = split(expected, message);
  const promise = typeof work === "function" ? work() : work;
  try {
    await promise;
  } catch (error) {
    return checkExpected(error, expected, message, "rejects");
  }
  missing("Missing expected rejection", expected, message, "rejects");
}

function unwanted(kind, error, message, operator) {
  const text = message === undefined ? "." : `: ${message}`;
  failAssertion(undefined, `Got unwanted ${kind}${text}\nActual message: "${error?.message}"`, error, undefined, operator);
}

function makeAssert(own) {
  const assert = (...values) => apply(ok, undefined, values);
  return Object.assign(assert, own, {
    ok, AssertionError, throws, rejects,
    fail: (message = "Failed") => failAssertion(message, "", undefined, undefined, "fail"),
    ifError(value) {
      if (value === null || value === undefined) return;
      const text = `ifError got unwanted exception: ${isErrorLike(value) ? value.message : inspect(value)}`;
      failAssertion(undefined, text, value, null, "ifError");
    },
    doesNotThrow(work, expected, message) {
      [, message] = split(expected, message);
      try {
        work();
      } catch (error) {
        unwanted("exception", error, message, "doesNotThrow");
      }
    },
    async doesNotReject(work, expected, message) {
      [, message] = split(expected, message);
      try {
        await (typeof work === "function" ? work() : work);
      } catch (error) {
        unwanted("rejection", error, message, "doesNotReject");
      }
    },
    match(text, pattern, message) {
      if (typeof text === "string" && pattern.test(text)) return;
      failAssertion(message, `The input did not match the regular expression ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`, text, pattern, "match");
    },
    doesNotMatch(text, pattern, message) {
      if (typeof text !== "string" || !pattern.test(text)) return;
      failAssertion(message, `The input was expected to not match the regular expression ${inspect(pattern)}. Input:\n\n${inspect(text)}\n`, text, pattern, "doesNotMatch");
    },
  });
}

const strictAssert = makeAssert({
  ...comparisons, equal: comparisons.strictEqual, notEqual: comparisons.notStrictEqual,
  deepEqual: comparisons.deepStrictEqual, notDeepEqual: comparisons.notDeepStrictEqual,
});
const assert = makeAssert(comparisons);
assert.strict = strictAssert.strict = strictAssert;
