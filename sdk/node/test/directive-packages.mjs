// Packages of Directive for the tests: small stand-ins with the documented interface, in a folder that is the working directory. The real ones are
// not on the registry that the tests use.
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FILES = {
  'core/package.json': JSON.stringify({
    name: '@directive-run/core',
    version: '9.9.9',
    exports: { '.': { types: './dist/index.d.ts', require: './dist/index.cjs', import: './dist/index.js' }, './plugins': { import: './dist/plugins/index.js' } },
  }),
  'core/dist/index.cjs': 'throw new Error("the file for require is not used")',
  'core/dist/index.js': `/** import { nothing } from "a-comment"; */
import{a as store}from'./chunk-A1.js';export{t}from"./chunk-A1.js";
const createModule=(name,config)=>({name,...config});
function createSystem({module}){
const {facts,values}=store();let queue=Promise.resolve();
const derive=new Proxy({},{get:(_,key)=>module.derive[key](facts),ownKeys:()=>[]});
const events=new Proxy({},{get:(_,key)=>(input)=>{queue=queue.then(()=>module.events[key](facts,input))}});
return{facts,derive,events,start(){module.init?.(facts)},async settle(){await queue},destroy(){values.gone=undefined}}}
export{createModule,createSystem};`,
  'core/dist/chunk-A1.js': `const t={number:()=>({}),string:()=>({}),boolean:()=>({})};
const a=()=>{const values={};const facts=new Proxy({},{get:(_,key)=>key==="$store"?{toObject:()=>({...values})}:values[key],set:(_,key,value)=>(values[key]=value,true),ownKeys:()=>[]});return{facts,values}};
export{a,t};`,
  'core/dist/plugins/index.js': `import { t } from '../chunk-A1.js';\nexport const plugins = Object.keys(t);\nexport default 'plugins';`,
  // Needs a package of its own folder.
  'query/package.json': JSON.stringify({ name: '@directive-run/query', version: '1.0.0', module: 'index.mjs' }),
  'query/index.mjs': `import { twice } from 'tiny';\nexport const query = (n) => twice(n);`,
  'query/node_modules/tiny/package.json': JSON.stringify({ name: 'tiny', version: '1.0.0', main: './tiny.js' }),
  'query/node_modules/tiny/tiny.js': 'export const twice = (n) => 2 * n;',
  // Cannot be used in a sandbox.
  'lint/package.json': JSON.stringify({ name: '@directive-run/lint', version: '1.0.0', exports: './index.js' }),
  'lint/index.js': `import { readFileSync } from 'node:fs';\nexport const lint = readFileSync;`,
};

/** Creates the folder. */
export function installPackages() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'isobox-')));
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(folder, 'node_modules/@directive-run', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
