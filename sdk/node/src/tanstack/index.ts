// `isobox/tanstack`: isolate drivers of TanStack AI, and its code tool.

export * from './code-mode';
export * from './driver';
