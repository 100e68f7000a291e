// The code tool of TanStack AI with one tool.
import { toolDefinition } from '@tanstack/ai';
import { createCodeMode } from '@tanstack/ai-code-mode';
import { createQuickJSIsolateDriver } from 'isobox/tanstack';
import { z } from 'zod';

const weather = toolDefinition({
  name: 'weather',
  description: 'Returns the temperatures of cities.',
  inputSchema: z.object({ cities: z.array(z.string()) }),
  outputSchema: z.array(z.number()),
}).server(async ({ cities }) => cities.map((city) => city.length * 5));

const { tool } = createCodeMode({
  driver: createQuickJSIsolateDriver({ memoryLimit: 64, timeout: 10_000 }),
  tools: [weather],
});
const typescriptCode = `
  const cities: string[] = ['Rome', 'Oslo', 'Lima'];
  const celsius: number[] = await external_weather({ cities });
  console.log('cities:', cities.length);
  return celsius.reduce((sum, one) => sum + one, 0) / cities.length;
`;
console.log(await tool.execute({ typescriptCode }, { emitCustomEvent() {} }));
