// `@cloudflare/codemode` runs only where `cloudflare:workers` is. Everything but its runtime and its executor needs no more than these classes.
import { register } from 'node:module';

const stub = 'data:text/javascript,export class DurableObject{};export class RpcTarget{};export class WorkerEntrypoint{constructor(ctx,env){this.ctx=ctx;this.env=env}}';
register(`data:text/javascript,${encodeURIComponent(`export const resolve = (name, context, next) => name === 'cloudflare:workers' ? { url: ${JSON.stringify(stub)}, shortCircuit: true } : next(name, context)`)}`);

export const original = await import('@cloudflare/codemode');
export const originalAi = await import('@cloudflare/codemode/ai');
export const originalMcp = await import('@cloudflare/codemode/mcp');
export const originalTanstack = await import('@cloudflare/codemode/tanstack-ai');
export const originalBrowser = await import('@cloudflare/codemode/browser');
