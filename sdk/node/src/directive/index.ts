// `isobox/directive`: `@directive-run/sandbox` over Isobox.

export type { PlaygroundFile, RunInSandboxInput } from './input';
export { setMaxConcurrentWorkers } from './queue';
export { runInSandbox } from './run';
export type { SandboxResult } from './run';
export { sanitizeStack } from './stack';
