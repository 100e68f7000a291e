// The tool of the AI SDK that runs programs.

import type { Tool } from 'ai';

import { shown } from '../schema';
import { unwrapCodeModeResult } from './interrupts';
import { type NestedOutputs, defaultModelOutput, summarise } from './model-output';
import { describe } from './prompt';
import { runCodeMode } from './run';
import type { CodeModeNestedToolResultEvent, CodeModeOptions, CodeModeToolExecutionOptions, CodeModeToolInput, CodeModeToolSet, CodeModeTrace } from './types';

/** The tool. Its `execute` takes the options of AI SDK 6 and those of AI SDK 7, which require a context. */
export type CodeModeAiTool = Tool<CodeModeToolInput, unknown> & { execute?: (input: CodeModeToolInput, options: CodeModeToolExecutionOptions) => Promise<unknown> };

/** What is known of a run for the model, by the input that it ran. */
interface Record {
  trace: CodeModeTrace | undefined;
  outputs: NestedOutputs;
}

/** Creates a tool of the AI SDK whose input is `{ js }`, and whose output is what the program returns. */
export function createCodeModeTool(tools: CodeModeToolSet, options: CodeModeOptions = {}): CodeModeAiTool {
  if (typeof tools !== 'object' || tools === null) throw new TypeError(`createCodeModeTool: tools is ${shown(tools)}; expected an object`);
  const { modelOutput = {} } = options;
  const isSummarised = modelOutput.includeNestedToolSummary === true || modelOutput.includeNestedToolOutputs === true;
  // Bound to the very input object, so that no other run can be taken for it.
  const records = new WeakMap<object, Record>();
  const execute = async (input: CodeModeToolInput, toolExecutionOptions: CodeModeToolExecutionOptions): Promise<unknown> => {
    const record: Record = { trace: undefined, outputs: new Map() };
    if (isSummarised) records.set(input, record);
    return runCodeMode({ js: input.js, tools, toolExecutionOptions, options: isSummarised ? recorded(options, record) : options });
  };
  const toModelOutput = async ({ input, output }: { input: CodeModeToolInput; output: unknown }): Promise<unknown> => {
    const record = records.get(input);
    records.delete(input);
    if (unwrapCodeModeResult(output).status === 'interrupted') return defaultModelOutput(output);
    const nestedTools = await summarise(record?.trace, record?.outputs ?? new Map(), tools, modelOutput);
    return defaultModelOutput({ result: output ?? null, nestedTools });
  };
  return { description: describe(tools, options), inputSchema: INPUT, execute, ...(isSummarised && { toModelOutput }) } as unknown as CodeModeAiTool;
}

/** A schema of the AI SDK, as its function `jsonSchema()` makes one. */
const INPUT = {
  [Symbol.for('vercel.ai.schema')]: true,
  _type: undefined,
  validate: undefined,
  jsonSchema: {
    type: 'object',
    properties: { js: { type: 'string', description: 'The program, in JavaScript or TypeScript. The description of this tool lists the tools that it may call.' } },
    required: ['js'],
    additionalProperties: false,
  },
};

/** Returns the options with hooks that remember what the run did. */
function recorded(options: CodeModeOptions, record: Record): CodeModeOptions {
  const { lifecycle } = options;
  return {
    ...options,
    lifecycle: {
      ...lifecycle,
      onNestedToolResult: async (event: CodeModeNestedToolResultEvent) => {
        if (event.status === 'fulfilled') record.outputs.set(event.bridgeIndex, { input: event.input, output: event.output });
        await lifecycle?.onNestedToolResult?.(event);
      },
      onTrace: async (trace: CodeModeTrace) => {
        record.trace = trace;
        await lifecycle?.onTrace?.(trace);
      },
    },
  };
}
