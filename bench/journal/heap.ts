import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** The bytes that are in use after everything that nobody holds is gone, with what lies outside of the heap. */
export async function heapInUse(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect()
    // What is told of its end, like a weak reference, is told in a later round of the event loop.
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
