export { blockWire as wire } from '../shared/blocks.ts'
