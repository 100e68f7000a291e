// Loads the prelude into a fresh context that has nothing but ECMAScript and what QuickJS-ng brings along.

import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { answerIntl } from "./intl.mjs";

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

export function loadPrelude() {
  const source = execFileSync("python3", [BUILD, "--prelude"], { encoding: "utf8" });
  const context = vm.createContext({});
  const inside = vm.runInContext(`({ ArrayBuffer, prototype: Object.prototype })`, context);
  const logs = [];
  const timers = new Map();
  const host = {
    __proto__: inside.prototype,
    log: (level, text) => void logs.push([level, text]),
    setTimeout: (callback, delay) => {
      timers.set(timers.size + 1, { callback, delay });
      return timers.size;
    },
    clearTimeout: (timer) => void timers.delete(timer),
    encode: (text) => {
      const bytes = new TextEncoder().encode(text);
      const buffer = new inside.ArrayBuffer(bytes.length);
      new Uint8Array(buffer).set(bytes);
      return buffer;
    },
    intl: (request) => answerIntl(request).toString(),
    decode: (buffer, offset, size) => {
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(new Uint8Array(buffer, offset, size));
      } catch {
        return undefined;
      }
    },
  };
  inside.ArrayBuffer.prototype.transfer ??= function () { return structuredClone(this, { transfer: [this] }); };
  Object.assign(context, { DOMException, queueMicrotask });
  vm.runInContext("delete globalThis.console", context);
  const { runModule, describe } = vm.runInContext(source, context, { filename: "isobox:prelude" })(host);
  return { context, logs, timers, runModule, describe, run: (code) => vm.runInContext(`"use strict";${code}`,
    context) };
}
