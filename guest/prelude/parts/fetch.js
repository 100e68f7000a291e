// `fetch`, where the host lets programs make requests: a call of one of its tools, whose answer becomes a Response.

const SECRET_NAME = /^[\w.-]{1,64}$/;

/** A reference to a secret of the host, which puts it into a header for the server that it belongs to. */
function secretReference(name) {
  if (typeof name !== "string" || !SECRET_NAME.test(name)) {
    throw new TypeError("secret takes the name of a secret of the host: secret(\"github\")");
  }
  return `{{secret:${name}}}`;
}

/** Bytes as the tools take and give them: a text where they are one, and base64 otherwise. */
function packBytes(bytes) {
  const text = decodeUtf8(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (text !== undefined) return { body: text };
  return { bodyBase64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64") };
}

function unpackBytes({ body, bodyBase64 }) {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, "base64");
  return body === undefined ? null : Buffer.from(body);
}

/** Makes a request with the tools `get` and `send` of the host. */
async function fetchOver(web, input, init) {
  const request = new Request(input, init);
  const { signal, method } = request;
  if (signal.aborted) throw signal.reason;
  const { bytes } = bodyOf(request);
  const asked = { url: request.url, method, headers: [...request.headers], redirect: request.redirect };
  if (bytes !== null) Object.assign(asked, packBytes(bytes));
  const answered = method === "GET" || method === "HEAD" ? web.get(asked) : web.send(asked);
  const answer = await new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    answered.then(resolve, reject);
  });
  const { status, statusText, headers, url, redirected } = answer;
  return fetchedResponse(unpackBytes(answer), { status, statusText, headers }, url, redirected);
}
