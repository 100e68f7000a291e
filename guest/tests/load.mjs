// Loads the prelude into a fresh context that has nothing but ECMAScript and what QuickJS-ng brings along.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { inspect, types } from "node:util";
import vm from "node:vm";
import { answerIntl } from "./intl.mjs";

const ENCODINGS = ["hex", "base64", "base64url", "latin1", "ascii", "utf16le"];
const DIGESTS = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"];
const BUILD = fileURLToPath(new URL("../build.py", import.meta.url));

/** A program that makes every method and getter of the built-in prototypes throw, and takes away most globals. */
export const POLLUTE = `{
  const { defineProperty, getPrototypeOf, getOwnPropertyNames } = Object, { ownKeys, deleteProperty } = Reflect, PollutedError = Error, scope = globalThis;
  const names = getOwnPropertyNames(scope), prototypes = [getPrototypeOf(Uint8Array.prototype), getPrototypeOf([][Symbol.iterator]())];
  for (let at = 0; at < names.length; at++) {
    const name = names[at], value = scope[name];
    if (name === "console" || name === "TextEncoder" || name === "TextDecoder" || name === "Uint8Array" || name === "tools") continue;
    if (typeof value === "function" && value.prototype && name !== "DOMException") prototypes[prototypes.length] = value.prototype;
    deleteProperty(scope, name);
  }
  const throwing = { __proto__: null, configurable: true, get() { throw new PollutedError();
  }, set() { throw new PollutedError(); } };
  for (let at = 0; at < prototypes.length; at++) {
    const keys = ownKeys(prototypes[at]);
    for (let index = 0; index < keys.length; index++) {
      if (keys[index] === "constructor" || keys[index] === "__proto__") continue;
      try { defineProperty(prototypes[at], keys[index], throwing); } catch {}
    }
  }
}`;

const PRELUDE = JSON.parse(execFileSync("python3", [BUILD, "--prelude"], { encoding: "utf8" }));

/** With `liveTimers` timers fire by themselves; otherwise tests fire them. */
export function loadPrelude({ liveTimers = false } = {}) {
  const context = vm.createContext({});
  const inside = vm.runInContext(`({ ArrayBuffer, Promise, prototype: Object.prototype })`, context);
  const logs = [];
  const timers = new Map();
  const bytesInside = (bytes) => {
    const buffer = new inside.ArrayBuffer(bytes.length);
    new Uint8Array(buffer).set(bytes);
    return buffer;
  };
  let time = 1000;
  let lastTimer = 0;
  let lastRandom = 0;
  const host = {
    __proto__: inside.prototype,
    log: (level, text) => void logs.push([level, text]),
    write: (level, text) => void logs.push([level, text]),
    isProxy: types.isProxy,
    itemsLeft: () => undefined,
    setTimeout: (callback, delay, ...values) => {
      timers.set(++lastTimer, { callback, delay, live: liveTimers && setTimeout(callback, delay, ...values) });
      return lastTimer;
    },
    holdTimeout: () => {},
    clearTimeout: (timer) => {
      clearTimeout(timers.get(timer)?.live);
      timers.delete(timer);
    },
    encode: (text) => bytesInside(new TextEncoder().encode(text)),
    bytesToText: (buffer, offset, size, encoding) => Buffer.from(buffer, offset, size).toString(ENCODINGS[encoding]),
    textToBytes: (text, encoding) => bytesInside(Buffer.from(text, ENCODINGS[encoding])),
    digest: (buffer, offset, size, algorithm) => bytesInside(
      createHash(DIGESTS[algorithm]).update(new Uint8Array(buffer, offset, size)).digest()),
    random: (buffer, offset, size) => void new Uint8Array(buffer, offset, size).fill(++lastRandom),
    clock: (wantsStart) => wantsStart ? 1000 : time++,
    settled: (value) => {
      if (!(value instanceof inside.Promise)) return undefined;
      const text = inspect(value);
      return text.includes("<pending>") ? [0] : text.includes("<rejected>") ? [2] : [1];
    },
    wakeTicks: () => process.nextTick(() => made.runTicks()),
    loadPart: (name) => vm.runInContext(PRELUDE.parts[name], context, { filename: "isobox:prelude" }),
    intl: (request) => answerIntl(request).toString(),
    region: () => undefined,
    decode: (buffer, offset, size) => {
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(buffer, offset, size));
      } catch {
        return undefined;
      }
    },
  };
  inside.ArrayBuffer.prototype.transfer ??= function () { return structuredClone(this, { transfer: [this] }); };
  Object.assign(context, { DOMException, queueMicrotask, atob, btoa });
  vm.runInContext("delete globalThis.console", context);
  const made = vm.runInContext(PRELUDE.main, context, { filename: "isobox:prelude" })(host);
  const { runModule, describe } = made;
  return { context, logs, timers, runModule, describe, run: (code) => vm.runInContext(`"use strict";${code}`,
    context) };
}
