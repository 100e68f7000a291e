// With `--import`: `ai` is AI SDK 7, for ES modules and for `require`. Node 22.15 is needed, and AI SDK 7 needs Node 22 itself.
import { registerHooks } from 'node:module';

registerHooks({ resolve: (name, context, next) => next(name === 'ai' ? 'ai7' : name === 'ai/test' ? 'ai7/test' : name, context) });
