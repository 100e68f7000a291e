// The programs of the runtime: what a model wrote, and before it one line that defines what it may use.

import { isFunction, unfenced } from './code';
import { NAMES } from './snippet-names';

/** The start of the line, with the names of the connectors, and its end. */
const HEADER = /^\/\*codemode:([\w$,]*)\*\/[^\n]*?\/\*code\*\//;
const CALL = ['return await (', '\n)(typeof input==="undefined"?undefined:input);'] as const;

/** `codemode` with the results that its documents promise, over that of Isobox. Snippets of other runtimes are not there. */
const CODEMODE =
  `const codemode=((c,scope)=>{const ${NAMES},` +
  'gone=(e)=>e.code==="NOT_FOUND"||e.code==="UNKNOWN_TOOL",' +
  'method=({path,description,score,requiresApproval:r})=>{const[connector,...m]=path.split(".");return{path,connector,method:m.join("."),description,...(r?{requiresApproval:r}:{}),kind:"method",score}},' +
  'snippet=({path,description,score})=>{const name=decode(path.slice(scope.length));return{path:name,connector:"snippet",method:name,description,kind:"snippet",score}},' +
  'own=(t)=>t.replace(/^declare const tools: \\{ ([\\w$]+): \\{([^]*)\\} \\};\\s*$/,"declare const $1: {$2};");' +
  'return{step:(n,f)=>c.step(n,f),fact:(n,v)=>c.fact(n,v),' +
  'search:async(q)=>{const{results,total,truncated}=await c.search(String(q),{limit:50});' +
  'const kept=results.filter(({kind,path})=>kind!=="snippet"||path.startsWith(scope));' +
  'return{results:kept.map((r)=>r.kind==="snippet"?snippet(r):method(r)),total:total-results.length+kept.length,truncated}},' +
  'describe:async(t)=>{const name=String(t),key=scope+encode(name);' +
  'try{const{path,description,types,kind}=await c.describe(name);return{path,description,types:own(types),kind:kind==="namespace"?"connector":"method"}}catch(e){if(!gone(e))throw e}' +
  'try{const{description,types}=await c.describe(key);return{path:name,description,types:types.replaceAll(key,name),kind:"snippet"}}' +
  'catch(e){if(!gone(e))throw e;return{path:name,types:`"${name}" not found.`,kind:"method"}}},' +
  'run:async(n,i)=>{const name=String(n),key=scope+encode(name);try{return await c.run(key,i)}' +
  'catch(e){if(!gone(e))throw e;return{error:e.code==="NOT_FOUND"?`Snippet "${name}" not found.`:e.message.replaceAll(key,name)}}}}})';

/** What the programs of a runtime have in common. */
export interface ProgramHeader {
  connectors: string[];
  /** The start of the names of the runtime's snippets in the store. */
  scope: string;
  /** Further definitions, in one line. */
  prelude: string;
}

/** Returns the program of a model's code. */
export function programOf(code: string, { connectors, scope, prelude }: ProgramHeader): string {
  const globals = connectors.map((name) => `const ${name}=tools.${name};`).join('');
  const bare = unfenced(code);
  // A snippet finds its input as the variable `input`.
  return `/*codemode:${connectors.join(',')}*/${prelude}${CODEMODE}(globalThis.codemode,${JSON.stringify(scope)});${globals}/*code*/${isFunction(bare) ? CALL.join(bare) : bare}`;
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
