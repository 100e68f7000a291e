// Spans of OpenTelemetry: names, ids, states and sizes, never values.

import { describeError } from './errors';
import type { CodeModeTelemetryOptions } from './types';

interface Span {
  setAttributes?(attributes: Record<string, unknown>): void;
  addEvent?(name: string, attributes?: Record<string, unknown>): void;
  recordException?(error: unknown): void;
  setStatus?(status: { code: number; message: string }): void;
  end?(): void;
}

interface Tracer {
  startSpan?(name: string, options: { attributes: Record<string, unknown> }): Span;
}

const ERROR = 2;

/** The spans of one invocation. Failures of a tracer change nothing. */
export class Telemetry {
  readonly #options: CodeModeTelemetryOptions;

  constructor(options: CodeModeTelemetryOptions = {}) {
    this.#options = options;
  }

  get recordsInputs(): boolean {
    return this.#options.recordInputs ?? true;
  }

  get recordsOutputs(): boolean {
    return this.#options.recordOutputs ?? true;
  }

  /** Starts a span, if telemetry is on. */
  start(name: string, attributes: Record<string, unknown>): OpenSpan | undefined {
    const { isEnabled, tracer, functionId, metadata } = this.#options;
    if (isEnabled !== true) return undefined;
    const base: Record<string, unknown> = { 'ai.telemetry.functionId': functionId, 'resource.name': functionId };
    for (const [key, value] of Object.entries(metadata ?? {})) base[`ai.telemetry.metadata.${key}`] = value;
    const span = attempt(() => (tracer as Tracer | undefined)?.startSpan?.(name, { attributes: plain({ ...base, ...attributes }) }));
    return span && new OpenSpan(span);
  }
}

/** A span that has not ended. */
export class OpenSpan {
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  set(attributes: Record<string, unknown>): void {
    attempt(() => this.#span.setAttributes?.(plain(attributes)));
  }

  event(name: string, attributes: Record<string, unknown>): void {
    attempt(() => this.#span.addEvent?.(name, plain(attributes)));
  }

  fail(error: unknown): void {
    const { name, message, code } = describeError(error);
    attempt(() => {
      this.#span.recordException?.(error);
      this.#span.setStatus?.({ code: ERROR, message });
    });
    this.set({ 'code_mode.error.name': name, 'code_mode.error.message': message, 'code_mode.error.code': code });
  }

  end(): void {
    attempt(() => this.#span.end?.());
  }
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Keeps the attributes that OpenTelemetry takes. */
function plain(attributes: Record<string, unknown>): Record<string, unknown> {
  const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => isPlain(value) || (Array.isArray(value) && value.every(isPlain))));
}
