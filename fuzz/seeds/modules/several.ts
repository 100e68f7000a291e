import rows, { parse as p } from 'rows'
import data, { limit } from 'data.json'
const { x } = require('@scope/x')
return [rows, p('a'), data, limit, x, await import('csv')]
//@ csv
export const parse = (text: string): string[] => text.split(',')
export enum Kind { A, B }
//@ rows
import { parse } from 'csv'
export { parse } from 'csv'
export default (text: string) => parse(text)
//@ data.json
{ "limit": 3, "default": 1, "a-b": [] }
//@ @scope/x
export * from 'rows'
export class x<T> { constructor(readonly a: T) {} }
