import { y } from 'bad'
return y
//@ bad
export const x = 1;
export const y = ;
//@ missing
import z from 'nowhere'
//@ ./relative
export {}
