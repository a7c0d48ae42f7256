export { blockWire as wire } from '../blocks.ts'
