// The demonstration tools of `crates/isobox/src/demo.rs`, in JavaScript.
import { setTimeout as sleep } from 'node:timers/promises';

import { ToolError, interrupt, tool } from 'isobox';

const CITIES = [
  ['Oslo', 'Norway', 4, 'snow'],
  ['Bergen', 'Norway', 7, 'rain'],
  ['Rome', 'Italy', 21, 'sun'],
  ['Milan', 'Italy', 16, 'clouds'],
  ['Lima', 'Peru', 19, 'fog'],
  ['Cusco', 'Peru', 11, 'sun'],
];
const TEXT = { type: 'string' };
const object = (properties, required = []) => ({ type: 'object', properties, required, additionalProperties: false });

export const demoTools = {
  cities: {
    list: tool({
      description: 'The cities that have a weather station, of one country or of all.',
      inputSchema: object({ country: TEXT }),
      execute: async ({ country }) => {
        await sleep(20);
        return CITIES.filter(([, its]) => country === undefined || country === its).map(([name]) => name);
      },
    }),
  },
  weather: {
    current: tool({
      description: 'The weather of a city, now. Takes a moment, as a service far away would.',
      inputSchema: object({ city: TEXT }, ['city']),
      outputSchema: { type: 'object', properties: { city: TEXT, celsius: { type: 'integer' }, sky: TEXT }, required: ['city', 'celsius', 'sky'] },
      execute: async ({ city }) => {
        await sleep(80);
        const found = CITIES.find(([name]) => name === city);
        if (found === undefined) throw new ToolError(`no weather station in ${city}`);
        return { city, celsius: found[2], sky: found[3] };
      },
    }),
  },
  mail: {
    send: tool({
      description: 'Sends a mail. (It does not really.)',
      inputSchema: object({ to: TEXT, subject: TEXT, body: TEXT }, ['to', 'subject']),
      execute: ({ to }) => ({ sent: true, to }),
    }),
  },
  people: {
    ask: tool({
      description: 'Asks a person a question, and returns the answer.',
      inputSchema: object({ question: TEXT }, ['question']),
      execute: ({ question }, { resolution }) => (resolution === undefined ? interrupt({ question }) : { question, answer: resolution }),
    }),
  },
  demo: {
    echo: tool({ description: 'Gives back what it is given.', execute: (input) => input }),
    wait: tool({
      description: 'Answers after so many milliseconds.',
      inputSchema: object({ ms: { type: 'integer', minimum: 0 } }, ['ms']),
      execute: async ({ ms }) => {
        await sleep(ms);
        return { waited: ms };
      },
    }),
    count: tool({
      description: 'Counts to a number, a step every 50 milliseconds, and tells of each on its way.',
      inputSchema: object({ to: { type: 'integer', minimum: 1, maximum: 100 } }, ['to']),
      async *execute({ to: total }) {
        for (let progress = 1; progress <= total; progress++) {
          await sleep(50);
          yield { progress, total };
        }
      },
    }),
    fail: tool({
      description: 'Fails with a message.',
      inputSchema: object({ message: TEXT }, ['message']),
      execute: ({ message }) => {
        throw new ToolError(message);
      },
    }),
    text: tool({
      description: 'A text of so many letters.',
      inputSchema: object({ letters: { type: 'integer', minimum: 0, maximum: 16_777_216 } }, ['letters']),
      execute: ({ letters }) => 'x'.repeat(letters),
    }),
    broken: tool({
      description: 'Does not keep to its own output schema.',
      outputSchema: { type: 'object', properties: { number: { type: 'integer' } } },
      execute: () => ({ number: 'seven' }),
    }),
  },
};
