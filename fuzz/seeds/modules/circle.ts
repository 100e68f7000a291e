import 'a'
//@ a
import 'b'
//@ b
export { default } from 'c'
//@ c
import * as a from 'a'
export default a
