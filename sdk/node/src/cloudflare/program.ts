// The programs of the runtime: what a model wrote, and before it one line that defines what it may use.

import { isFunction, unfenced } from './code';

/** The start of the line, with the names of the connectors, and its end. */
const HEADER = /^\/\*codemode:([\w$,]*)\*\/[^\n]*?\/\*code\*\//;
const CALL = ['return await (', '\n)(typeof input==="undefined"?undefined:input);'] as const;

/** `codemode` with the results that its documents promise, over that of Isobox. */
const CODEMODE =
  'const codemode=((c)=>{const split=(p,k)=>k==="snippet"?["snippet",p]:[p.split(".")[0],p.split(".").slice(1).join(".")],' +
  'kind=(k)=>k==="tool"?"method":k==="namespace"?"connector":k,' +
  'own=(t)=>t.replace(/^declare const tools: \\{ ([\\w$]+): \\{([^]*)\\} \\};\\s*$/,"declare const $1: {$2};"),' +
  'gone=(e)=>e.code==="NOT_FOUND"||e.code==="UNKNOWN_TOOL";' +
  'return{step:(n,f)=>c.step(n,f),' +
  'search:async(q)=>{const{results,total,truncated}=await c.search(String(q),{limit:50});return{results:results.map(({path,description,kind:k,score,requiresApproval:r})=>{' +
  'const[connector,method]=split(path,k);return{path,connector,method,description,...(r?{requiresApproval:r}:{}),kind:kind(k),score}}),total,truncated}},' +
  'describe:async(t)=>{try{const{path,description,types,kind:k}=await c.describe(String(t));return{path,description,types:own(types),kind:kind(k)}}' +
  'catch(e){if(!gone(e))throw e;return{path:String(t),types:`"${t}" not found.`,kind:"method"}}},' +
  'run:async(n,i)=>{try{return await c.run(String(n),i)}catch(e){if(!gone(e))throw e;return{error:e.message}}}}})(globalThis.codemode);';

/** Returns the program of a model's code. `prelude` is one line. */
export function programOf(code: string, { connectors, prelude }: { connectors: string[]; prelude: string }): string {
  const globals = connectors.map((name) => `const ${name}=tools.${name};`).join('');
  const bare = unfenced(code);
  // A snippet finds its input as the variable `input`.
  return `/*codemode:${connectors.join(',')}*/${prelude}${CODEMODE}${globals}/*code*/${isFunction(bare) ? CALL.join(bare) : bare}`;
}

/** Returns the code of a program, and the connectors that it was written for. */
export function readProgram(program: string): { code: string; connectors: string[] | undefined } {
  const header = HEADER.exec(program);
  if (header === null) return { code: program, connectors: undefined };
  const [whole, names = ''] = header;
  const text = program.slice(whole.length);
  const isCall = text.startsWith(CALL[0]) && text.endsWith(CALL[1]);
  return { code: isCall ? text.slice(CALL[0].length, -CALL[1].length) : text, connectors: names === '' ? [] : names.split(',') };
}
