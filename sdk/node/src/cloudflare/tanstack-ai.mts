export * from './tanstack-ai.js';
