// Finds the packages of Directive that the host has installed, and turns their files into modules of Isobox.

import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';

import { shown } from '../schema';

/** The packages of the scope `@directive-run` that programs may import. */
export const ALLOWED = [
  'ai',
  'claude-plugin',
  'core',
  'el',
  'knowledge',
  'lint',
  'lit',
  'mutator',
  'optimistic',
  'query',
  'react',
  'scaffold',
  'solid',
  'sources',
  'svelte',
  'timeline',
  'vue',
] as const;

/** The sources of modules, by the specifier under which programs or other modules import them. */
export type Modules = ReadonlyMap<string, string>;

/** Files of packages are modules with this prefix, which the rules do not let programs import. */
const PREFIX = 'isobox-package:';
const CONDITIONS = ['import', 'module', 'node', 'default'];
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 200;
/** The maximum number of specifiers in one program. Looking for each reads files. */
const MAX_SPECIFIERS = 50;

/** Returns the specifiers of allowed packages that texts mention. Some may be mentioned only in a comment. */
export function mentioned(sources: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const source of sources) {
    for (const [, specifier = '', name = ''] of source.matchAll(/["'](@directive-run\/([a-z-]+)(?:\/\w[\w.-]*)*)["']/g)) {
      if ((ALLOWED as readonly string[]).includes(name)) found.add(specifier);
      if (found.size >= MAX_SPECIFIERS) return found;
    }
  }
  return found;
}

/**
 * Returns the modules of a package: one with its specifier, and one for each file that it needs. Returns nothing if the package is not
 * installed. Throws if a file cannot be read.
 */
export function modulesOf(specifier: string): Modules | undefined {
  const entry = find(specifier, process.cwd()) ?? find(specifier, __dirname);
  if (entry === undefined) return undefined;
  const modules = new Map<string, string>();
  const id = collect(entry, modules);
  const source = modules.get(id) ?? '';
  const isDefault = /\bexport\s+default\b|\bas\s+default\b/.test(source) ? `export{default}from"${id}";` : '';
  modules.set(specifier, `export*from"${id}";${isDefault}${specifier === '@directive-run/core' ? captured(id) : ''}`);
  return modules;
}

/**
 * Exports a `createSystem` that remembers the system, so that its facts are known whatever the program does afterwards. They are read when the
 * program ends, and recorded after `start` and `settle` for the case that it is stopped.
 */
function captured(id: string): string {
  return `import{createSystem as create}from"${id}";
const read=(system,keys)=>{const derived={};for(const key of keys)try{const value=system.derive[key];if(value!==undefined)derived[key]=value}catch{}
return{facts:system.facts.$store.toObject(),derived}};
export function createSystem(options,...rest){
const system=create(options,...rest),keys=Object.keys(options?.module?.derive??{});
globalThis.facts=Object.defineProperty({},"${FACTS}",{enumerable:true,get:()=>read(system,keys)});
const tell=()=>{try{codemode.fact("${FACTS}",read(system,keys))}catch{}};
for(const name of["start","settle"])try{const method=system[name];system[name]=(...input)=>{const result=method.apply(system,input);tell();return typeof result?.then==="function"?result.then((value)=>(tell(),value)):result}}catch{}
return system}
for(const level of["log","info","warn","error","debug"]){const write=console[level];console[level]=(...values)=>write.apply(console,values.map((value)=>{try{return typeof value?.$store?.toObject==="function"?value.$store.toObject():value}catch{return value}}))}`;
}

/** The fact under which the facts of a system are. */
export const FACTS = '@directive-run/core';

interface File {
  /** The folder of its package. */
  folder: string;
  /** The path within the package. */
  path: string;
}

/** Adds a file and everything that it imports. Returns the specifier of its module. */
function collect({ folder, path }: File, into: Map<string, string>): string {
  const { name = '', version = '' } = manifest(folder) ?? {};
  const id = `${PREFIX}${name}@${version}/${path}`;
  if (into.has(id)) return id;
  if (into.size >= MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`);
  into.set(id, '');
  const source = readBounded(join(folder, path));
  const parts: string[] = [];
  let at = 0;
  for (const { specifier, start } of imports(source)) {
    const file = specifier.startsWith('.') ? { folder, path: posix.join(posix.dirname(path), specifier) } : find(specifier, folder);
    if (file === undefined) continue;
    parts.push(source.slice(at, start), collect(file, into));
    at = start + specifier.length;
  }
  into.set(id, parts.join('') + source.slice(at));
  return id;
}

/** Returns the specifiers of a built file, and where they are. Comments are skipped. */
function imports(source: string): { specifier: string; start: number }[] {
  const blank = (comment: string): string => ' '.repeat(comment.length);
  const code = source.replace(/\/\*[^]*?\*\//g, blank).replace(/^\s*\/\/.*$/gm, blank);
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*(["'])([^"'\n]+)\1/g)].map((match) => {
    const [all, , specifier = ''] = match;
    return { specifier, start: match.index + all.length - 1 - specifier.length };
  });
}

/** Finds the file of a package as Node does: in `node_modules` of a folder and of those above it. */
function find(specifier: string, from: string): File | undefined {
  const [, name, rest = ''] = /^((?:@[\w.-]+\/)?[\w.-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    const found = manifest(candidate);
    const path = found && entryOf(found, `.${rest}`);
    if (path !== undefined && existsSync(join(candidate, path))) return { folder: realpathSync(candidate), path: posix.normalize(path) };
    if (folder === dirname(folder)) return undefined;
  }
}

interface Manifest {
  name?: string;
  version?: string;
  exports?: unknown;
  module?: string;
  main?: string;
}

function manifest(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readBounded(join(folder, 'package.json'))) as Manifest;
  } catch {
    return undefined;
  }
}

/** Returns the path of the file that a package exports under a subpath. */
function entryOf({ exports, module, main }: Manifest, subpath: string): string | undefined {
  if (exports === undefined) return subpath === '.' ? (module ?? main ?? 'index.js') : subpath.slice(2);
  const isMap = typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'));
  return target(isMap ? (exports as Record<string, unknown>)[subpath] : subpath === '.' ? exports : undefined);
}

function target(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const found = CONDITIONS.includes(condition) ? target(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function readBounded(path: string): string {
  const { size } = statSync(path);
  if (size > MAX_FILE_BYTES) throw new Error(`its file ${shown(path.split(sep).at(-1))} has ${size} bytes; the limit is ${MAX_FILE_BYTES}`);
  return readFileSync(path, 'utf8');
}
