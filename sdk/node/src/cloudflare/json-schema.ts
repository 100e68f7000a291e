// JSON Schemas: whether one is valid, and its type in TypeScript.

import { declareTools } from '../native';
import { type JsonSchema, shown } from '../schema';

/** Tells whether a value is a JSON Schema that values can be checked against. */
export function isValidSchema(schema: unknown): schema is JsonSchema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false;
  try {
    declareOutput(schema as JsonSchema);
    return true;
  } catch {
    return false;
  }
}

/** Returns the declaration of a type: `type NAME = …`. A schema that cannot be read is `unknown`. */
export function jsonSchemaToType(schema: JsonSchema, typeName: string): string {
  if (typeof typeName !== 'string' || !/^[A-Za-z_$][\w$]*$/.test(typeName)) {
    throw new TypeError(`jsonSchemaToType: \`typeName\` is ${shown(typeName)}; expected the name of a type`);
  }
  let declared: string;
  try {
    declared = declareOutput(schema);
  } catch {
    return `type ${typeName} = unknown`;
  }
  const type = declared.slice(declared.indexOf('Promise<') + 'Promise<'.length, declared.lastIndexOf('>;'));
  // The declaration is a member of an object, two spaces from the left.
  return `type ${typeName} = ${type.replaceAll('\n  ', '\n')}`;
}

/** Declares a tool that returns values of a schema. */
function declareOutput(schema: JsonSchema): string {
  return declareTools([{ path: 'tool', slot: 0, outputSchema: schema } as Parameters<typeof declareTools>[0][number]]);
}
