// Sessions: the globals that programs leave for each other.

import { check, checkOptions } from './check';
import type { Engine } from './engine';

/** A session, without its globals. */
export interface Session {
  name: string;
  /** The name of the principal that began it. Programs of others cannot use it. */
  owner: string;
  /** The time of its last use, in milliseconds. */
  used: number;
  /** The execution that uses it now. */
  usedBy?: string;
  /** The versions, oldest first. The next program starts from the last one. */
  versions: { number: number; by: string; at: number; bytes: number; hash: string; image: string }[];
}

/** The sessions whose globals programs use (`globals` of a run): in the store, or in memory without one. */
export class Sessions {
  readonly #engine: Engine;

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Lists the sessions whose names follow `after`, by name. */
  list(options: { after?: string; limit?: number } = {}): Promise<Session[]> {
    checkOptions('sessions.list', options, { after: 'text', limit: 'positive' });
    return this.#ask<Session[]>({ verb: 'list', limit: 50, ...options });
  }

  /** Returns a session. */
  get(name: string): Promise<Session> {
    check('sessions.get: `name`', name, 'someText');
    return this.#ask<Session>({ verb: 'get', name });
  }

  /** Makes a new session from another one: from its newest version, or from `version`. */
  fork(name: string, to: string, options: { version?: number } = {}): Promise<Session> {
    check('sessions.fork: `name`', name, 'someText');
    check('sessions.fork: `to`', to, 'someText');
    checkOptions('sessions.fork', options, { version: 'positive' });
    return this.#ask<Session>({ verb: 'fork', name, to, ...options });
  }

  /** Goes back to an earlier version. Later versions are dropped. */
  rewind(name: string, version: number): Promise<Session> {
    check('sessions.rewind: `name`', name, 'someText');
    check('sessions.rewind: `version`', version, 'positive');
    return this.#ask<Session>({ verb: 'rewind', name, version });
  }

  /** Deletes a session with all its versions. */
  async delete(name: string): Promise<void> {
    check('sessions.delete: `name`', name, 'someText');
    await this.#ask({ verb: 'delete', name });
  }

  #ask<T>(request: object): Promise<T> {
    return this.#engine.request<T>({ method: 'sessions', request }).promise;
  }
}
