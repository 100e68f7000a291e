// The requests to the native part, and the messages that come back.

import { Attention } from './attention';
import { Calls, type Hooks } from './calls';
import { errorOf } from './errors';
import type { Events } from './handle';
import { Engine as Native, Kind, type Message, type NativeEngine } from './native';
import type { ExecutionEvent, Failure } from './outcome';
import { type Definition, type Prepared, definitionOf } from './tool';

interface Waiting {
  resolve: (value: any) => void;
  reject: (error: unknown) => void;
  onEvent: ((event: ExecutionEvent) => void) | undefined;
  events: Events | undefined;
  release: (() => void) | undefined;
}

/** Engines with open requests. They must not be collected. */
const busy = new Set<Engine>();
/** Keeps the process alive while there are open requests. */
const alive = setInterval(() => {}, 2 ** 30);
alive.unref();

/** A request in flight. */
export interface Request<T> {
  readonly promise: Promise<T>;
  cancel(): void;
}

/** What a request may need beside its message. */
export interface RequestOptions {
  onEvent?: ((event: ExecutionEvent) => void) | undefined;
  /** Keeps the events. */
  events?: Events | undefined;
  signal?: AbortSignal | undefined;
  /** Runs when the request is answered. */
  release?: (() => void) | undefined;
}

export class Engine {
  readonly #native: NativeEngine;
  readonly #attention: Attention;
  readonly #waiting = new Map<number, Waiting>();
  readonly #calls: Calls;
  #next = 0;
  #closing: Promise<void> | undefined;

  constructor(options: Record<string, unknown>, tools: readonly Prepared[], hooks: Hooks) {
    this.#calls = new Calls(hooks);
    const definitions = tools.map((tool) => definitionOf(tool, this.#calls.add(tool)));
    // The callback must not keep the engine alive: the native part keeps the callback.
    const self = new WeakRef(this);
    const dispatch = (): void => {
      const engine = self.deref();
      if (engine !== undefined) engine.#attention.takeAll();
    };
    try {
      this.#native = new Native(JSON.stringify({ ...options, tools: definitions }), dispatch);
    } catch (error) {
      throw failureIn(error);
    }
    this.#attention = new Attention(this.#native, (message) => this.#receive(message));
  }

  /** Keeps tools for one request. */
  lend(tools: readonly Prepared[]): { definitions: Definition[]; release: () => void } {
    const definitions = tools.map((tool) => definitionOf(tool, this.#calls.add(tool)));
    return { definitions, release: () => definitions.forEach(({ slot }) => this.#calls.remove(slot)) };
  }

  run<T>(request: object, options: RequestOptions = {}): Request<T> {
    return this.#begin((id) => this.#native.run(id, JSON.stringify(request)), options);
  }

  request<T>(request: object, options: RequestOptions = {}): Request<T> {
    return this.#begin((id) => this.#native.request(id, JSON.stringify(request)), options);
  }

  /** Answers a call or a question. */
  answer(id: number, isOk: boolean, json: string): void {
    this.#attention.attend();
    this.#native.answer(id, isOk, json);
  }

  /** Reports the progress of a call. */
  progress(id: number, json: string): void {
    this.#native.progress(id, json);
  }

  /** Stops everything. A second time does nothing. */
  close(): Promise<void> {
    this.#closing ??= this.request<void>({ method: 'close' }).promise;
    return this.#closing;
  }

  #begin<T>(send: (id: number) => void, { onEvent, events, signal, release }: RequestOptions): Request<T> {
    const id = this.#next;
    this.#next = (this.#next + 1) % 2 ** 32;
    const cancel = (): void => this.#native.cancel(id);
    const promise = new Promise<T>((resolve, reject) => {
      const ended = (): void => {
        signal?.removeEventListener('abort', cancel);
        release?.();
      };
      this.#waiting.set(id, { resolve, reject, onEvent, events, release: signal || release ? ended : undefined });
      if (this.#waiting.size === 1) {
        busy.add(this);
        if (busy.size === 1) alive.ref();
      }
      this.#attention.attend();
      try {
        send(id);
      } catch (error) {
        // A value that is not JSON: nothing was sent, and no answer comes.
        this.#end(id);
        throw error;
      }
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
    });
    return { promise, cancel };
  }

  /** Handles a message. It never throws: that would end the process. */
  #receive([kind, id, json]: Message): void {
    switch (kind) {
      case Kind.done:
        this.#end(id)?.resolve(JSON.parse(json));
        break;
      case Kind.failed:
        this.#end(id)?.reject(errorOf(JSON.parse(json) as Failure));
        break;
      case Kind.call:
        void this.#calls.call(this, id, json, 'tool');
        break;
      case Kind.revert:
        void this.#calls.call(this, id, json, 'revert');
        break;
      case Kind.approve:
        void this.#calls.approve(this, id, json);
        break;
      case Kind.needsApproval:
        void this.#calls.needsApproval(this, id, json);
        break;
      case Kind.cancelled:
        this.#calls.cancel(id);
        break;
      case Kind.event: {
        const waiting = this.#waiting.get(id);
        if (waiting === undefined) break;
        const { onEvent, events } = waiting;
        if (onEvent === undefined && events === undefined) break;
        const event = JSON.parse(json) as ExecutionEvent;
        events?.add(event, json.length);
        if (onEvent !== undefined) this.#calls.tell(onEvent, event);
        break;
      }
    }
  }

  #end(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0 && busy.delete(this) && busy.size === 0) alive.unref();
    waiting?.release?.();
    return waiting;
  }
}

/** Returns the failure that the native part threw. */
function failureIn(error: unknown): unknown {
  try {
    return errorOf(JSON.parse((error as Error).message) as Failure);
  } catch {
    return error;
  }
}
