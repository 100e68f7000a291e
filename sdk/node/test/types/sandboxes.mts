// The examples of the documents of Directive's sandbox and of Toolshed's kernel, with another import. Compiled, never run.
import { runInSandbox } from "isobox/directive";
import { setMaxConcurrentWorkers } from "isobox/directive";
import { sanitizeStack } from "isobox/directive";
import type { SandboxResult as Sandboxed } from "isobox/directive";
import { createRuntime } from "isobox/toolshed";
import { ElicitationEngine } from "isobox/toolshed";
import { buildProxy } from "isobox/toolshed";
import type { ExecutionResult as Executed, Runtime as Kernel, VercelRuntimeConfig as Vercel } from "isobox/toolshed";

declare const moduleSource: string, runnerSource: string, source: string;
declare const logger: { error(entry: object): void };
declare const err: Error;

const result = await runInSandbox({
  files: [
    { path: "src/counter.ts", source: moduleSource },
    { path: "src/main.ts", source: runnerSource },
  ],
  timeoutMs: 5000,
});

console.log(result.logs);   // ["[start] count= 0", "[settled] count= 2"]
console.log(result.facts);  // { count: 2 }

// Next.js App Router — `request.signal` fires on client disconnect.
export async function POST(request: Request) {
  const result = await runInSandbox({
    source,
    signal: request.signal,
  });
  return Response.json(result);
}

// At module init — runs once per cold start.
setMaxConcurrentWorkers(8);
setMaxConcurrentWorkers(Infinity);
logger.error({ msg: "sandbox failed", err: sanitizeStack(err.stack) });

interface SandboxResult {
  logs: string[];                       // captured console.log/warn/error lines
  facts: Record<string, unknown>;       // system.facts.$store.toObject() snapshot
  errors: string[];                     // structured error messages
  durationMs: number;
  timedOut: boolean;
}
((result: Sandboxed): SandboxResult => result)(result);

// @ts-expect-error a file has a path and a source
void runInSandbox({ files: [{ path: "src/main.ts" }] });
// @ts-expect-error there is no such option
void runInSandbox({ source, timeout: 5 });

interface Runtime {
  execute(script: string): Promise<ExecutionResult>;
  availableTools(): string[];
  dispose(): Promise<void>;
}

interface ExecutionResult {
  success: boolean;
  value?: unknown;          // Return value from the script
  error?: string;           // Error message if failed
  calls: Array<{            // Tool calls made during execution
    path: string;
    args: Record<string, unknown>;
  }>;
  logs?: Array<{            // Console output
    level: string;
    message: string;
  }>;
  paused?: {                // Present when a destructive tool needs approval
    executionId: string;
    toolPath: string;
    message: string;
    args?: Record<string, unknown>;
  };
}

interface VercelRuntimeConfig {
  teamId: string;
  projectId: string;
  token: string;
  snapshotId?: string;
  timeoutMs?: number;     // default: 300000 (5 min)
  vcpus?: number;         // default: 2
  networkPolicy?: { allow: string[] };
}

const allTools = [{ path: "github.issues.list", name: "List Issues", destructive: false }];
const userRole = { id: "developer", name: "Developer", patterns: ["github.**"] };
const toolInvoker = async (path: string, args: Record<string, unknown>) => ({ path, args });
const searchFn = async (query: string) => allTools.filter((tool) => tool.path.includes(query));
const describeFn = (path: string) => allTools.find((tool) => tool.path === path);

const engine = new ElicitationEngine({
  onPause: (elicitation) => {
    // Notify the user about the pending action
    console.log(`Approval needed: ${elicitation.message}`);
  },
});

const runtime = createRuntime({
  tools: allTools,
  role: userRole,       // Tools are filtered by role
  invoke: toolInvoker,
  searchTools: searchFn,
  describeTools: describeFn,
  elicitation: engine,
  runtime: "local",     // or "vercel"
});

((runtime: Kernel): Runtime => runtime)(runtime);
((executed: Executed): ExecutionResult => executed)(await runtime.execute("return 1"));
((config: VercelRuntimeConfig): Vercel => ({ ...config, tools: allTools, invoke: toolInvoker }));
engine.addSessionApproval("github.issues.create");
const resolved: boolean = engine.resolve("abc-123", true, { name: "ada" });
void resolved;

const tools = buildProxy(allTools, toolInvoker, searchFn, describeFn);
await tools.github.issues.list({ owner: "my-org", repo: "my-repo" });
await tools.search({ query: "calendar", limit: 5 });
await tools.describe.tool({ path: "calendar.events.list" });
// @ts-expect-error a role has patterns
createRuntime({ tools: allTools, invoke: toolInvoker, role: { id: "x" } });
