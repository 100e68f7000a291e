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
  const text = arguments.length === 0 ? "No value argument passed to `assert.ok()`"
    : "The expression evaluated to a falsy value";
  failAssertion(message, text, value, true, "==");
}

const looselyEqual = (one, other) => one == other || (one !== one && other !== other);
const multiline = (value) => inspect(value, {
  compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity, breakLength: Infinity, sorted: true,
  getters: true,
});

/** A function that compares two values: what has to hold, and what it says where that does not. */
const comparison = (operator, holds, text) => (actual, expected, message) => {
  if (!holds(actual, expected)) failAssertion(message, text(actual, expected), actual, expected, operator);
};

/** Like a comparison, with the lines that differ below the message, also where that was given. */
function difference(operator, holds, title) {
  return (actual, expected, message) => {
    if (holds(actual, expected)) return;
    if (isErrorLike(message)) throw message;
    const [one, other] = [multiline(actual), multiline(expected)];
    const room = typeof actual === "string" && typeof expected === "string" ? SHORT_DIFFERENCE + 4 : SHORT_DIFFERENCE;
    const isShort = !isObject(actual) && !isObject(expected) && one.length + other.length <= room;
    let text = `${message || title}\n+ actual - expected\n\n${differentLines(one.split("\n"), other.split("\n"))}\n`;
    if (isShort) text = `${message || title}\n\n${one} !== ${other}\n`;
    if (one === other) text = `${message || (operator === "strictEqual" ? SAME_STRUCTURE : title)}\n\n${one}\n`;
    const error = new AssertionError({ message: text, actual, expected, operator });
    error.generatedMessage = !message;
    throw error;
  };
}
const SHORT_DIFFERENCE = 12;
const SAME_STRUCTURE = "Values have same structure but are not reference-equal:";
const MOST_COMPARED_LINES = 300;

/** The lines of two texts: those in common once, the others marked with + and -. */
function differentLines(one, other) {
  if (one.length > MOST_COMPARED_LINES || other.length > MOST_COMPARED_LINES) {
    return [...one.map((line) => `+ ${line}`), ...other.map((line) => `- ${line}`)].join("\n");
  }
  const isSame = (at, to) => one[at] === other[to] || one[at]?.replace(/,$/, "") === other[to]?.replace(/,$/, "");
  // How many lines the rest of the two texts, from these places on, have in common.
  const common = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let at = one.length - 1; at >= 0; at--) {
    for (let to = other.length - 1; to >= 0; to--) {
      common[at][to] = isSame(at, to) ? common[at + 1][to + 1] + 1 : Math.max(common[at + 1][to], common[at][to + 1]);
    }
  }
  const lines = [];
  let [at, to] = [0, 0];
  while (at < one.length || to < other.length) {
    if (at < one.length && to < other.length && isSame(at, to)) {
      lines.push(`  ${one[at++]}`);
      to++;
    } else if (at < one.length && (to === other.length || common[at + 1][to] >= common[at][to + 1])) {
      lines.push(`+ ${one[at++]}`);
    } else {
      lines.push(`- ${other[to++]}`);
    }
  }
  return lines.join("\n");
}

const comparisons = {
  equal: comparison("==", looselyEqual, (one, other) => `${inspect(one)} == ${inspect(other)}`),
  notEqual: comparison("!=", (one, other) => !looselyEqual(one, other),
    (one, other) => `${inspect(one)} != ${inspect(other)}`),
  strictEqual: difference("strictEqual", is, "Expected values to be strictly equal:"),
  notStrictEqual: comparison("notStrictEqual", (one, other) => !is(one, other),
    (one, other) => `Expected "actual" to be strictly unequal to: ${inspect(other)}`),
  deepEqual: comparison("deepEqual", isDeepLooseEqual, (one, other) => "Expected values to be loosely deep-equal:\n\n"
    + `${inspect(one)}\n\nshould loosely deep-equal\n\n${inspect(other)}`),
  notDeepEqual: comparison("notDeepEqual", (one, other) => !isDeepLooseEqual(one, other),
    (one, other) => `Expected "actual" not to be loosely deep-equal to:\n\n${multiline(other)}\n`),
  deepStrictEqual: difference("deepStrictEqual", isDeepStrictEqual, "Expected values to be strictly deep-equal:"),
  notDeepStrictEqual: comparison("notDeepStrictEqual", (one, other) => !isDeepStrictEqual(one, other),
    (one, other) => `Expected "actual" not to be strictly deep-equal to:\n\n${multiline(other)}\n`),
};

const unmatched = (pattern, text) => `The input did not match the regular expression ${inspect(pattern)}. Input:\n\n`
  + `${inspect(text)}\n`;

/** Whether an error is what was expected: an instance, a match of its text, an object of properties, or a judgement. */
function checkExpected(error, expected, message, operator) {
  if (expected === undefined) return;
  const fail = (text) => failAssertion(message, text, error, expected, operator);
  if (passes(regexpSource, expected)) {
    if (!expected.test(String(error))) fail(unmatched(expected, String(error)));
  } else if (typeof expected === "function") {
    if (expected.prototype !== undefined && isInstance(error, expected)) return;
    if (isErrorLike(expected.prototype) || expected === Error) {
      const received = error?.constructor?.name ?? inspect(error);
      fail(`The error is expected to be an instance of "${expected.name}". Received "${received}"`);
    }
    if (apply(expected, {}, [error]) !== true) {
      const name = expected.name ? `"${expected.name}" ` : "";
      fail(`The ${name}validation function is expected to return "true". Received false`);
    }
  } else if (isObject(expected)) {
    const keys = isErrorLike(expected) ? ["message", "name", ...Object.keys(expected)] : Object.keys(expected);
    for (const key of keys) {
      const isPattern = passes(regexpSource, expected[key]) && typeof error?.[key] === "string";
      const matches = isPattern ? expected[key].test(error[key]) : isDeepStrictEqual(error?.[key], expected[key]);
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
      failAssertion(message, unmatched(pattern, text), text, pattern, "match");
    },
    doesNotMatch(text, pattern, message) {
      if (typeof text !== "string" || !pattern.test(text)) return;
      const said = unmatched(pattern, text).replace("did not match", "was expected to not match");
      failAssertion(message, said, text, pattern, "doesNotMatch");
    },
  });
}

const strictAssert = makeAssert({
  ...comparisons, equal: comparisons.strictEqual, notEqual: comparisons.notStrictEqual,
  deepEqual: comparisons.deepStrictEqual, notDeepEqual: comparisons.notDeepStrictEqual,
});
const assert = makeAssert(comparisons);
assert.strict = strictAssert.strict = strictAssert;
